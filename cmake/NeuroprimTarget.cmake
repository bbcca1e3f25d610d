# What every target of ours has in common: C++20, warnings, sanitizers, coverage.
function(neuroprim_target target)
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
    if(NEUROPRIM_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(NEUROPRIM_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${NEUROPRIM_SANITIZE} -fno-omit-frame-pointer
                                                 -fno-sanitize-recover=all)
        target_link_options(${target} PUBLIC -fsanitize=${NEUROPRIM_SANITIZE})
    endif()
    if(NEUROPRIM_COVERAGE)
        # Counters that threads share are lost or go below zero unless they are atomic.
        target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic)
        target_link_options(${target} PUBLIC --coverage)
    endif()
endfunction()

# Where CMAKE_UNITY_BUILD is on, the files of a folder are compiled as one, since most of the time goes into the headers
# that they share. Names in anonymous namespaces must therefore differ within a folder.
function(neuroprim_join_folders target)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS sources)
        get_source_file_property(options ${source} COMPILE_OPTIONS)
        if(options)
            set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # it has flags of its own
        endif()
        cmake_path(GET source PARENT_PATH folder)
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        string(MAKE_C_IDENTIFIER "${folder}" group)
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
