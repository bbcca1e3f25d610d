#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/rules.hpp"

namespace neuroprim::train {

/// A whole number, or the ends of a range from which each batch draws one; 0: not given.
struct Range {
    std::int64_t low = 0;
    std::int64_t high = 0;

    [[nodiscard]] bool is_given() const { return high > 0; }

    friend bool operator==(const Range&, const Range&) = default;
};

/// `4` or `2..8`. Throws InputError, naming `source`, when the text is neither.
[[nodiscard]] Range parse_range(const std::string& text, const std::string& source);
[[nodiscard]] std::string to_text(const Range& range);

/// A preset with ranges of limits: what a batch draws its specification from.
struct SpecificationKind {
    std::string preset = "mst";
    Range degree = {};
    Range hops = {};
    Range diameter = {};
    Range capacity = {};
    Range demands = {};  ///< of each vertex; 1 where not given
    Range length = {};   ///< in percent of the longest straight way from the root
    Range spare = {};    ///< room of all branches beyond what they need, in percent, where degrees limit their number
    double weight = 1;
    bool leaf_start = false;    ///< the start has one edge only, and all trees of a graph have the same
    bool straight = false;      ///< weights are distances, whatever those of other kinds are
    std::string imitates = {};  ///< file of the policy whose trees are learned from, instead of sampled ones

    friend bool operator==(const SpecificationKind&, const SpecificationKind&) = default;
};

/// `hmst hops=2..8 weight=2; cmst capacity=5..20; dcmst degree=2 imitates=paths.safetensors`. Throws InputError where
/// it cannot be read or a part makes no specification.
[[nodiscard]] std::vector<SpecificationKind> parse_mix(const std::string& text);

/// Preset, limits and weights.
[[nodiscard]] std::string to_text(const SpecificationKind& kind);

/// The rules of batch `number`, drawn from the kinds by their weights: the same whoever draws them. Limits may still
/// be too tight for the batch's graphs (`feasible`).
struct BatchRules {
    Rules rules;
    SpecificationKind kind;      ///< that they were drawn from
    double spare = usual_spare;  ///< what `feasible` leaves in the branches, drawn like the limits
};
[[nodiscard]] BatchRules draw_rules(const std::vector<SpecificationKind>& kinds, std::uint64_t seed,
                                    std::uint64_t number);

/// The kind with each limit at the low end of its range.
[[nodiscard]] Rules tightest_rules(const SpecificationKind& kind);

}  // namespace neuroprim::train
