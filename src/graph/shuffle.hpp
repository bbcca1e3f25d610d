#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "neuroprim/random.hpp"

namespace neuroprim {

/// Every order with the same probability. Unlike `std::shuffle` the same with every compiler.
template <class Item>
void shuffle(std::vector<Item>& items, Random& random) {
    for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random.below(k)]);
}

}  // namespace neuroprim
