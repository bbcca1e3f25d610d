#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace neuroprim {

/// A set of up to 32 vertices, one bit each.
using VertexSet = std::uint32_t;

[[nodiscard]] constexpr VertexSet set_of(int v) {
    return VertexSet{1} << v;
}
[[nodiscard]] constexpr bool holds(VertexSet set, int v) {
    return (set >> v & 1U) != 0;
}
[[nodiscard]] constexpr int size_of(VertexSet set) {
    return std::popcount(set);
}

/// The lowest vertex; 32 for the empty set.
[[nodiscard]] constexpr int lowest(VertexSet set) {
    return std::countr_zero(set);
}

template <class Visit>
void for_each_vertex(VertexSet set, Visit&& visit) {
    for (; set != 0; set &= set - 1) visit(lowest(set));
}

/// Sums of numbers over sets in O(1), from two tables over half of the vertices each.
class SetSums {
public:
    SetSums() = default;

    /// `numbers`: up to 24.
    explicit SetSums(std::span<const double> numbers) {
        const auto build = [&](std::size_t first, std::size_t last) {
            std::vector<double> sums(std::size_t{1} << (last - first), 0);
            for (std::size_t set = 1; set < sums.size(); ++set) {
                const auto low = static_cast<std::size_t>(std::countr_zero(set));
                sums[set] = sums[set & (set - 1)] + numbers[first + low];
            }
            return sums;
        };
        const std::size_t half = std::min<std::size_t>(numbers.size(), low_bits);
        low_ = build(0, half);
        high_ = build(half, numbers.size());
    }

    [[nodiscard]] double operator()(VertexSet set) const {
        return low_[set & ((1U << low_bits) - 1)] + high_[set >> low_bits];
    }

private:
    static constexpr std::size_t low_bits = 12;
    std::vector<double> low_ = {0};
    std::vector<double> high_ = {0};
};

}  // namespace neuroprim
