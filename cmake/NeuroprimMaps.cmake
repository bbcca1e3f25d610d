# Maps of other programs, where their libraries are there: OpenStreetMap through libosmium, which is compiled in, and
# shapefiles, GeoPackage and the like through GDAL, whose headers are compiled in and whose library is loaded when such
# a file is read: it draws a hundred others in.
option(NEUROPRIM_OSMIUM "Read OpenStreetMap files where libosmium is there" ON)
option(NEUROPRIM_GDAL "Read shapefiles and GeoPackage where GDAL is there" ON)

set(neuroprim_has_osmium OFF)
if(NEUROPRIM_OSMIUM)
    find_path(OSMIUM_INCLUDE_DIR osmium/version.hpp)
    find_path(PROTOZERO_INCLUDE_DIR protozero/version.hpp)
    find_package(BZip2 QUIET)
    if(OSMIUM_INCLUDE_DIR AND PROTOZERO_INCLUDE_DIR AND BZIP2_FOUND)
        set(neuroprim_has_osmium ON)
    endif()
endif()

set(neuroprim_has_gdal OFF)
if(NEUROPRIM_GDAL)
    find_path(GDAL_INCLUDE_DIR gdal.h PATH_SUFFIXES gdal)
    find_library(GDAL_LIBRARY gdal)
    if(GDAL_INCLUDE_DIR AND GDAL_LIBRARY)
        # libgdal.so.32: the name that programs load it by
        file(REAL_PATH ${GDAL_LIBRARY} gdal_file)
        cmake_path(GET gdal_file FILENAME gdal_file)
        string(REGEX MATCH "^lib.*\\.so\\.[0-9]+" neuroprim_gdal_soname "${gdal_file}")
        if(neuroprim_gdal_soname)
            set(neuroprim_has_gdal ON)
        endif()
    endif()
endif()
message(STATUS "OpenStreetMap files: ${neuroprim_has_osmium}; files that GDAL reads: ${neuroprim_has_gdal}")

# Both are compiled on their own: their headers are large, and nothing else needs them.
function(neuroprim_read_maps target)
    set(folder ${PROJECT_SOURCE_DIR}/src/formats/maps)
    set_source_files_properties(${folder}/osm_reader.cpp ${folder}/gdal_reader.cpp
                                PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(neuroprim_has_osmium)
        set_source_files_properties(${folder}/osm_reader.cpp PROPERTIES COMPILE_DEFINITIONS NEUROPRIM_HAS_OSMIUM)
        target_link_libraries(${target} PRIVATE BZip2::BZip2)
    endif()
    if(neuroprim_has_gdal)
        set_source_files_properties(${folder}/gdal_reader.cpp PROPERTIES
            COMPILE_DEFINITIONS "NEUROPRIM_GDAL_SONAME=\"${neuroprim_gdal_soname}\""
            INCLUDE_DIRECTORIES ${GDAL_INCLUDE_DIR})
    endif()
endfunction()
