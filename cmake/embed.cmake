# Writes a C++ file that holds other files as string literals.
# Usage: cmake -D OUT=embedded.cpp -D PAGE=page.html -D POLICY=page.csp -D DESCRIPTION=openapi.json -P embed.cmake
function(literal file name)
    file(READ ${file} content)
    string(STRIP "${content}" content)
    if(content MATCHES "\\)embedded\"")
        message(FATAL_ERROR "${file} holds the end of a raw string literal")
    endif()
    file(APPEND ${OUT}.new "std::string_view ${name}() {\n    return R\"embedded(${content})embedded\";\n}\n\n")
endfunction()

file(WRITE ${OUT}.new "#include \"serve/page.hpp\"\n\nnamespace neuroprim::serve {\n\n")
literal(${PAGE} embedded_page)
literal(${POLICY} embedded_page_policy)
literal(${DESCRIPTION} embedded_description)
file(APPEND ${OUT}.new "}  // namespace neuroprim::serve\n")
file(RENAME ${OUT}.new ${OUT})
