// A libFuzzer target for the server's JSON: what any body of a request is answered. The first byte chooses the route.
#include <cstddef>
#include <cstdint>

#include "request_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    neuroprim::fuzz::run_on_request({reinterpret_cast<const char*>(data), size});
    return 0;
}
