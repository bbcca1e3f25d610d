#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

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

}  // namespace neuroprim
