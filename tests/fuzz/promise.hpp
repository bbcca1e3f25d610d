#pragma once

#include <cstdlib>
#include <iostream>

namespace neuroprim::fuzz {

inline void require(bool condition, const char* promise) {
    if (condition) return;
    std::cerr << "broken promise: " << promise << '\n';
    std::abort();
}

}  // namespace neuroprim::fuzz
