#include "bounds/price_lines.hpp"

#include <algorithm>

#include "problems/tolerance.hpp"

namespace neuroprim {

std::vector<PriceLine> price_lines(std::span<const Cable> cables, double least_price) {
    std::vector<PriceLine> lines = {{least_price, 0}};
    std::vector<Cable> ends = {{0, 0}};
    // Cables carry a little more than they say; a little too much only relaxes.
    for (const Cable& cable : cables) ends.push_back({cable.capacity * (1 + 2 * sum_tolerance), cable.price});
    for (std::size_t first = 0; first < ends.size(); ++first) {
        for (std::size_t second = first + 1; second < ends.size(); ++second) {
            const double slope =
                (ends[second].price - ends[first].price) / (ends[second].capacity - ends[first].capacity);
            const double at_nothing = ends[first].price - slope * ends[first].capacity;
            const bool is_below =
                at_nothing >= 0 && std::ranges::all_of(ends, [&](const Cable& end) {
                    return end.capacity == 0 || at_nothing + slope * end.capacity <= end.price * (1 + 1e-12);
                });
            if (is_below) lines.push_back({at_nothing * (1 - 1e-11), slope * (1 - 1e-11)});
        }
    }
    return lines;
}

}  // namespace neuroprim
