#pragma once

#include <cstdint>

#include "graph/stop_token.hpp"

namespace neuroprim {

/// Passes over a tree, `most` of them, until so many in a row were fruitless or the stop token expires. `pass` is
/// told its number and says whether the tree became cheaper.
template <class Pass>
void repeat_passes(std::int64_t most, std::int64_t most_fruitless, const StopToken& stop, const Pass& pass) {
    std::int64_t fruitless = 0;
    for (std::int64_t k = 0; k < most && fruitless < most_fruitless && !stop.expired(); ++k) {
        fruitless = pass(k) ? 0 : fruitless + 1;
    }
}

}  // namespace neuroprim
