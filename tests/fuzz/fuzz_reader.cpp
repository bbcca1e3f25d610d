// The libFuzzer targets of all readers: the name that the program is called by, fuzz_tsplib, says which.
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "fuzz_input.hpp"

namespace {

std::string target;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** argv) {
    target = std::filesystem::path((*argv)[0]).filename().string().substr(std::string_view("fuzz_").size());
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    neuroprim::fuzz::run(target, {reinterpret_cast<const char*>(data), size});
    return 0;
}
