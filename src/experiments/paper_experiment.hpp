#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/literature.hpp"
#include "experiments/measurement.hpp"
#include "experiments/published.hpp"
#include "neuroprim/policy.hpp"

namespace neuroprim::experiments {

/// The names of the methods in the columns of the tables and in the lines of the files.
namespace method {
inline constexpr const char* baseline = "baseline";
inline constexpr const char* paper_greedy = "paper-greedy";
inline constexpr const char* paper_sample = "paper-sample";
inline constexpr const char* greedy = "greedy";                // from every start
inline constexpr const char* sample = "sample";                // twenty trees per start, as the paper does
inline constexpr const char* greedy_x8 = "greedy-x8";          // greedy under the eight symmetries of the square
inline constexpr const char* sample_x8 = "sample-x8";          // as many samples, spread over the eight symmetries
inline constexpr const char* sample_rounds = "sample-rounds";  // as many, over 64 sides, the best ones more often
inline constexpr const char* greedy_spread = "greedy-spread";  // as many trees as greedy, spread over them
inline constexpr const char* greedy_x8_spread = "greedy-x8-spread";  // as many as greedy-x8, over 64 sides
inline constexpr const char* search = "search";                      // the anytime search
}  // namespace method

struct PaperOptions {
    Vertex sample_max_n = 0;  ///< larger instances are not sampled; 0: none is
    std::optional<double> search_seconds = {};
    std::uint64_t seed = 0;
    int threads = 1;
    std::function<bool()> interrupted = {};
    std::optional<std::size_t> max_memory = {};  ///< bytes that a policy may take
};

/// What the tables have columns for under these options.
[[nodiscard]] std::vector<std::string> paper_methods(const PaperOptions& options, bool with_published);

/// Every method on one instance, its tree checked, in the order of `paper_methods`. The seconds of neural methods
/// count the encoder and the decoding, not the loading of the policy. Once interrupted it gives up with Infeasible.
[[nodiscard]] std::vector<Measurement> measure_case(const LiteratureTable& table, const LiteratureCase& item,
                                                    const Instance& instance,
                                                    const std::optional<Published>& published, const Policy& policy,
                                                    const PaperOptions& options);

}  // namespace neuroprim::experiments
