#include "bounds/candidate_mst.hpp"

#include <array>
#include <bit>

#include "graph/disjoint_sets.hpp"

namespace neuroprim {

namespace {

constexpr unsigned digit_bits = 11;
constexpr unsigned key_bits = 32;
constexpr std::size_t edges_between_looks = 100'000;

/// Grows with the cost, negative ones included.
std::uint32_t sortable(double cost) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(cost));
    constexpr std::uint32_t sign = 1U << 31U;
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

}  // namespace

void CandidateMst::sort_by_one_digit(unsigned shift) {
    constexpr std::size_t digits = 1U << digit_bits;
    std::array<std::uint32_t, digits + 1> begin{};
    const auto digit = [shift](const Entry& entry) { return (entry.key >> shift) & (digits - 1); };
    for (const Entry& entry : entries_) ++begin[digit(entry) + 1];
    for (std::size_t k = 1; k <= digits; ++k) begin[k] += begin[k - 1];
    for (const Entry& entry : entries_) sorted_[begin[digit(entry)]++] = entry;
    entries_.swap(sorted_);
}

bool CandidateMst::build(std::span<const double> penalties, const StopToken& stop) {
    entries_.resize(candidates_.size());
    sorted_.resize(candidates_.size());
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        const auto& [u, v, weight] = candidates_[k];
        entries_[k] = {sortable(weight + penalties[index(u)] + penalties[index(v)]), static_cast<std::uint32_t>(k)};
    }
    for (unsigned shift = 0; shift < key_bits; shift += digit_bits) {
        if (stop.expired()) return false;
        sort_by_one_digit(shift);
    }
    tree_.clear();
    DisjointSets parts(n_);
    for (std::size_t k = 0; k < entries_.size() && tree_.size() + 1 < index(n_); ++k) {
        if (k % edges_between_looks == 0 && stop.expired()) return false;
        const WeightedEdge& edge = candidates_[entries_[k].edge];
        if (parts.join(edge.u, edge.v)) tree_.push_back(edge);
    }
    return true;
}

}  // namespace neuroprim
