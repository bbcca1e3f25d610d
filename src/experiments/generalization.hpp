#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/problem.hpp"

namespace neuroprim::experiments {

/// A problem of the paper's study of sizes: random points in the unit square, larger than those of the training.
struct GeneralizationStudy {
    std::string_view name;       ///< the problem's
    std::string_view title;      ///< for people
    std::string_view reference;  ///< what the trees are compared with: `search`, or a classical method
    ProblemOptions options;
};

/// dcmst with d = 2, mrcst, stp with half of the vertices as terminals.
[[nodiscard]] std::span<const GeneralizationStudy> generalization_studies();

/// The paper's sizes 50, 100, 200, 500, 1000, and 2000, from `min_n` to `max_n`.
[[nodiscard]] std::vector<Vertex> generalization_sizes(Vertex min_n, Vertex max_n);

/// How many instances the paper takes of a size: 10000 / n.
[[nodiscard]] std::size_t generalization_count(Vertex n);

/// The mean gap in percent that the paper prints; nothing for sizes it did not try.
[[nodiscard]] std::optional<double> published_generalization(std::string_view problem, Vertex n);

struct GeneralizationOptions {
    std::size_t starts = 10;       ///< greedy decodings per instance, from starts spread evenly
    double reference_seconds = 3;  ///< the time limit where the reference is a search
    std::uint64_t seed = 0;
    int threads = 1;
    std::function<bool()> interrupted = {};
    std::optional<std::size_t> max_memory = {};  ///< bytes that a policy may take
};

/// One random instance: the best of the greedy trees against the reference.
struct GeneralizationCase {
    std::string problem;
    Vertex n = 0;
    std::size_t instance = 0;
    double reference = 0;
    bool proven = false;  ///< the reference is proven to be optimal
    double cost = 0;
    double gap_percent = 0;
    double seconds = 0;      ///< of encoding and decoding
    double spread_cost = 0;  ///< the best of as many greedy trees, spread over the eight symmetries of the square
    double spread_gap_percent = 0;
};

/// The instance depends on seed, n and number alone. A search for the reference begins with classical trees only, so
/// that the policy is not compared with itself. `model` names a weights file; empty: the pretrained one for the size.
/// Once interrupted it gives up with Infeasible.
[[nodiscard]] GeneralizationCase measure_generalization(const GeneralizationStudy& study, Vertex n,
                                                        std::size_t number, const std::string& model,
                                                        const GeneralizationOptions& options);

inline constexpr std::string_view generalization_columns =
    "problem,n,instance,reference,proven,cost,gap_percent,seconds,spread_cost,spread_gap_percent";

/// One line of a file of such cases, without its end.
[[nodiscard]] std::string generalization_row(const GeneralizationCase& item);

/// All instances of a problem and size.
struct GeneralizationSummary {
    std::size_t instances = 0;
    std::size_t proven = 0;
    double gap_percent = 0;         ///< mean
    double deviation = 0;           ///< of the gaps, divided by their number
    double seconds = 0;             ///< mean
    double spread_gap_percent = 0;  ///< mean
};

[[nodiscard]] GeneralizationSummary summary_of(std::span<const GeneralizationCase> cases);

}  // namespace neuroprim::experiments
