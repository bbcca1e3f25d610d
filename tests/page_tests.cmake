# The page of the server: its types, its modules in Node.js, and the whole of it in Chromium.
find_program(NODE node)
find_program(NPM npm)
if(NOT NODE OR NOT NPM)
    message(STATUS "The page is not tested: Node.js or npm is missing (scripts/install-dependencies page)")
    return()
endif()

set(page_test ${PROJECT_SOURCE_DIR}/web/test.sh)
add_test(NAME page.install COMMAND ${page_test} install)
add_test(NAME page.types COMMAND ${page_test} types)
add_test(NAME page.unit COMMAND ${page_test} unit)
add_test(NAME page.browser COMMAND ${page_test} browser $<TARGET_FILE:neuroprim_cli>)
set_tests_properties(page.install page.types page.unit page.browser PROPERTIES
    LABELS page TIMEOUT 900 ENVIRONMENT ESBUILD=${ESBUILD})
set_tests_properties(page.install PROPERTIES FIXTURES_SETUP page_packages)
set_tests_properties(page.types page.browser PROPERTIES FIXTURES_REQUIRED page_packages)
set_tests_properties(page.browser PROPERTIES SKIP_RETURN_CODE 77)
