# Decides whether there is a server: sets neuroprim_serves. It needs cpp-httplib, and esbuild for its page.
pkg_check_modules(HTTPLIB QUIET IMPORTED_TARGET cpp-httplib)
find_program(ESBUILD esbuild)
# The server overrides members that cpp-httplib keeps to itself, and they change from version to version. Another one
# joins the list here and in src/serve/listener.hpp when the server's tests have passed with it.
set(neuroprim_httplib_tested 0.11.4)
set(neuroprim_serves OFF)
if(NOT HTTPLIB_FOUND)
    message(STATUS "neuroprim serve is left out: cpp-httplib is missing (Debian and Ubuntu: libcpp-httplib-dev)")
elseif(NOT HTTPLIB_VERSION IN_LIST neuroprim_httplib_tested)
    message(STATUS "neuroprim serve is left out: cpp-httplib ${HTTPLIB_VERSION} is not among the versions that it is "
                   "known to work with (${neuroprim_httplib_tested})")
elseif(NOT ESBUILD)
    message(STATUS "neuroprim serve is left out: esbuild is missing (Debian and Ubuntu: esbuild)")
else()
    set(neuroprim_serves ON)
endif()
