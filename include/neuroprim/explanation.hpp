#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "neuroprim/picture.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

struct Alternative {
    Edge edge;
    double probability = 0;
};

/// One decision of the policy.
struct ExplainedStep {
    Edge chosen;
    double probability = 0;                 ///< of the chosen edge
    double entropy = 0;                     ///< in nats, over all open edges
    std::size_t open_edges = 0;             ///< how many edges were allowed
    std::vector<Alternative> alternatives;  ///< the most probable edges, the chosen one among them, best first
};

/// How one tree came about, decision by decision.
struct Explanation {
    std::string problem;
    Vertex start = 0;
    std::vector<ExplainedStep> steps;
    bool complete = false;       ///< false: it ran into a dead end
    double log_probability = 0;  ///< of the whole construction
    Tree tree;                   ///< as grown
    double cost = 0;             ///< of the pruned tree; meaningless unless complete
};

struct ExplainOptions {
    Vertex start = 0;
    DecodeMode mode = DecodeMode::greedy;
    double temperature = 1;
    std::uint64_t seed = 0;
    std::size_t alternatives = 5;  ///< how many to keep at each step

    /// Asked now and then; once true Interrupted is thrown.
    std::function<bool()> interrupted = {};
};

[[nodiscard]] Explanation explain(const Encoded& encoded, const Problem& problem, const ExplainOptions& options);

/// The JSON of docs/formats.md.
[[nodiscard]] std::string explanation_to_json(const Instance& instance, const Explanation& explanation);

/// The construction as a moving picture: at each step the alternatives shine up by their probability, then the chosen
/// edge stays. An SVG that plays by itself, over and over.
[[nodiscard]] std::string explanation_to_animation(const Instance& instance, const Explanation& explanation,
                                                   double seconds_per_step = 0.6);

/// The construction as a strip of `frames` small pictures, from the start to the finished tree.
[[nodiscard]] Picture explanation_to_strip(const Instance& instance, const Explanation& explanation, int frames = 8);

/// By ending: .json, .svg (moving, or the strip), .png (the strip); `-` is JSON on standard output.
void write_explanation(const std::string& path, const Instance& instance, const Explanation& explanation, bool strip);

/// Throws what `write_explanation` would throw about this path now: an unknown ending, a folder that does not exist
/// or may not be written in. Leaves nothing behind.
void check_explanation_path(const std::string& path);

}  // namespace neuroprim
