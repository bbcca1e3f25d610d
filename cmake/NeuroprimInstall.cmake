# install: command, library, headers, package files, manual, completions, models; and the .deb of all that.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/neuroprim)
install(TARGETS neuroprim EXPORT neuroprim-targets)
install(DIRECTORY include/neuroprim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT neuroprim-targets NAMESPACE neuroprim:: DESTINATION ${package_dir})
configure_package_config_file(cmake/neuroprim-config.cmake.in ${PROJECT_BINARY_DIR}/neuroprim-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/neuroprim-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/neuroprim-config.cmake ${PROJECT_BINARY_DIR}/neuroprim-config-version.cmake
        DESTINATION ${package_dir})

if(NEUROPRIM_BUILD_CLI)
    install(TARGETS neuroprim_cli)
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
    install(FILES ${description_dir}/neuroprim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${description_dir}/neuroprim.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            RENAME neuroprim)
    install(FILES ${description_dir}/_neuroprim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
    install(FILES ${description_dir}/neuroprim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/neuroprim/models
        FILES_MATCHING PATTERN "*.safetensors" PATTERN "*.md")
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(PROJECT_IS_TOP_LEVEL)
    set(CPACK_PACKAGE_NAME neuroprim)
    set(CPACK_PACKAGE_CONTACT "The NeuroPrim developers <neuroprim@localhost>")
    set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
    set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
    set(CPACK_STRIP_FILES ON)
    set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_SECTION science)
    set(CPACK_DEBIAN_PACKAGE_SUGGESTS
        "libfmt-dev, nlohmann-json3-dev, zlib1g-dev, libexpat1-dev, libcairo2-dev, pkg-config")
    include(CPack)
endif()
