# The trainer: roll-out, replay, REINFORCE, checkpoints, and the program neuroprim-train.
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)

file(GLOB trainer_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(FILTER trainer_sources EXCLUDE REGEX "/(main|policy_module|policy_rollout|vertex_norm)\\.cpp$")
add_library(neuroprim_trainer STATIC ${trainer_sources})
neuroprim_target(neuroprim_trainer)
set_target_properties(neuroprim_trainer PROPERTIES UNITY_BUILD_BATCH_SIZE 16)  # two files at work on two cores
target_link_libraries(neuroprim_trainer PUBLIC neuroprim_train PRIVATE nlohmann_json::nlohmann_json ZLIB::ZLIB)

# torch's own process groups, where the headers they include are installed.
find_path(GLOO_INCLUDE_DIR gloo/algorithm.h HINTS ${TORCH_INCLUDE_DIRS})
find_library(GLOO_LIBRARY gloo)
if(GLOO_INCLUDE_DIR)
    target_compile_definitions(neuroprim_trainer PRIVATE NEUROPRIM_HAS_GLOO)
    target_include_directories(neuroprim_trainer SYSTEM PRIVATE ${GLOO_INCLUDE_DIR})
    if(GLOO_LIBRARY)
        target_link_libraries(neuroprim_trainer PRIVATE ${GLOO_LIBRARY})
    endif()
endif()
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${TORCH_INSTALL_PREFIX}/../nvidia/nccl/include)
if(NCCL_INCLUDE_DIR AND TORCH_CUDA_LIBRARIES)
    target_compile_definitions(neuroprim_trainer PRIVATE NEUROPRIM_HAS_NCCL)
    target_include_directories(neuroprim_trainer SYSTEM PRIVATE ${NCCL_INCLUDE_DIR})
endif()

add_executable(neuroprim_train_program ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
neuroprim_target(neuroprim_train_program)
set_target_properties(neuroprim_train_program
    PROPERTIES OUTPUT_NAME neuroprim-train RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_compile_definitions(neuroprim_train_program PRIVATE NEUROPRIM_VERSION="${PROJECT_VERSION}")
target_link_libraries(neuroprim_train_program PRIVATE neuroprim_trainer CLI11::CLI11)
install(TARGETS neuroprim_train_program)
