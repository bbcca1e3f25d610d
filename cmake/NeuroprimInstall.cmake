# install: command, library, headers, package files, manual, completions, models; and .debs of them, by component.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/neuroprim)
install(TARGETS neuroprim EXPORT neuroprim-targets COMPONENT library)
install(DIRECTORY include/neuroprim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT neuroprim-targets NAMESPACE neuroprim:: DESTINATION ${package_dir} COMPONENT library)
configure_package_config_file(cmake/neuroprim-config.cmake.in ${PROJECT_BINARY_DIR}/neuroprim-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/neuroprim-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/neuroprim-config.cmake ${PROJECT_BINARY_DIR}/neuroprim-config-version.cmake
        DESTINATION ${package_dir} COMPONENT library)

if(NEUROPRIM_BUILD_CLI)
    install(TARGETS neuroprim_cli COMPONENT command)
    # The command describes itself: its manual and completions are what it prints.
    set(description_dir ${PROJECT_BINARY_DIR}/share)
    add_custom_command(
        OUTPUT ${description_dir}/neuroprim.1 ${description_dir}/neuroprim.bash ${description_dir}/_neuroprim
               ${description_dir}/neuroprim.fish
        COMMAND ${CMAKE_COMMAND} -E make_directory ${description_dir}
        COMMAND neuroprim_cli manpage > ${description_dir}/neuroprim.1
        COMMAND neuroprim_cli completion bash > ${description_dir}/neuroprim.bash
        COMMAND neuroprim_cli completion zsh > ${description_dir}/_neuroprim
        COMMAND neuroprim_cli completion fish > ${description_dir}/neuroprim.fish
        DEPENDS neuroprim_cli VERBATIM)
    add_custom_target(neuroprim_description ALL DEPENDS ${description_dir}/neuroprim.1)
    install(FILES ${description_dir}/neuroprim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
    install(FILES ${description_dir}/neuroprim.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            COMPONENT command RENAME neuroprim)
    install(FILES ${description_dir}/_neuroprim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
            COMPONENT command)
    install(FILES ${description_dir}/neuroprim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
            COMPONENT command)
endif()
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/neuroprim/models COMPONENT models
        FILES_MATCHING PATTERN "*.safetensors" PATTERN "*.md")
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT command)

if(PROJECT_IS_TOP_LEVEL)
    set(CPACK_PACKAGE_NAME neuroprim)
    set(CPACK_PACKAGE_CONTACT "The NeuroPrim developers <neuroprim@localhost>")
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
    set(CPACK_STRIP_FILES ON)
    set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEB_COMPONENT_INSTALL ON)
    # Packages by component: those that were built, and the models apart, since they are large and nobody's compiler
    # matters to them.
    set(CPACK_COMPONENTS_ALL library models)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libneuroprim-dev)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
        "libfmt-dev, nlohmann-json3-dev, zlib1g-dev, libexpat1-dev, libcairo2-dev, pkg-config")
    set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "C++ library for constrained spanning trees")
    set(CPACK_DEBIAN_MODELS_PACKAGE_NAME neuroprim-models)
    set(CPACK_DEBIAN_MODELS_PACKAGE_SECTION science)
    set(CPACK_DEBIAN_MODELS_PACKAGE_ARCHITECTURE all)
    set(CPACK_COMPONENT_MODELS_DESCRIPTION "Pretrained policies for neuroprim")
    if(NEUROPRIM_BUILD_CLI)
        list(APPEND CPACK_COMPONENTS_ALL command)
        set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME neuroprim)
        set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
        set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS neuroprim-models)
        set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${PROJECT_DESCRIPTION}")
    endif()
    if(NEUROPRIM_PYTHON)
        list(APPEND CPACK_COMPONENTS_ALL python)
        set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-neuroprim)
        set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
        set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${neuroprim_python_depends}, python3-numpy")
        set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS neuroprim-models)
        set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/prerm)
        set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Constrained spanning trees for Python")
    endif()
    include(CPack)
endif()
