// One libFuzzer target per reader: NEUROPRIM_FUZZ_TARGET says which.
#include <cstddef>
#include <cstdint>

#include "fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    neuroprim::fuzz::run(NEUROPRIM_FUZZ_TARGET, {reinterpret_cast<const char*>(data), size});
    return 0;
}
