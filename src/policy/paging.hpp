#pragma once

#include <algorithm>
#include <cstddef>

#include "graph/parallel.hpp"
#include "policy/aligned.hpp"
#include "policy/stop_request.hpp"

namespace neuroprim::policy {

/// Touches all pages of a new table in their order, on all threads, and throws Interrupted once `stop` is made.
///
/// A pair of vertices has two records far apart, so filling the first row alone would touch every page of gigabytes,
/// and nobody could ask meanwhile. The numbers are not set afterwards.
inline void bring_in(AlignedFloats& table, int threads, StopRequest& stop) {
    constexpr std::size_t page = 4096 / sizeof(float);
    constexpr std::size_t piece = 512 * page;  // a large page
    const std::size_t pieces = (table.size() + piece - 1) / piece;
    const auto touch = [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            stop.throw_if_made();
            float* data = table.data() + k * piece;
            const std::size_t size = std::min(piece, table.size() - k * piece);
            bring_pages(data, size * sizeof(float));
            for (std::size_t at = 0; at < size; at += page) data[at] = 0;
        }
    };
    if (pieces > 1) parallel_for(threads, pieces, 1, touch);
}

}  // namespace neuroprim::policy
