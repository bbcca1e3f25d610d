# The library alone, as an overlay port: vcpkg install neuroprim --overlay-ports=packaging/vcpkg
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../..")
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DNEUROPRIM_BUILD_CLI=OFF -DNEUROPRIM_SERVE=OFF -DNEUROPRIM_WERROR=OFF -DCMAKE_UNITY_BUILD=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/neuroprim)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
