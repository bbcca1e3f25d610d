#include <cstring>

#include "policy/distances.hpp"
#include "policy/model.hpp"
#include "policy/planar_features.hpp"
#include "policy/specification.hpp"
#include "policy/vertex_encoder.hpp"
#include "train/policy_module.hpp"

namespace neuroprim::train {

namespace {

std::vector<Point> seen_points(const Problem& problem) {
    return policy::in_unit_square(policy::feature_points(problem.instance()), 0);
}

/// (1, n, n) in the unit of the points, infinity where there is no edge.
torch::Tensor seen_weights(const Weights& weights, double unit) {
    const auto n = static_cast<std::int64_t>(weights.size());
    torch::Tensor result = torch::zeros({1, n, n});
    for (Vertex u = 0; u < weights.size(); ++u) {
        for (Vertex v = 0; v < weights.size(); ++v) {
            if (u != v) result[0][u][v] = unit * weights(u, v);
        }
    }
    return result;
}

GraphFeatures encode_problem(PolicyModule& module, const Problem& problem) {
    const auto points = seen_points(problem);
    const auto n = static_cast<std::int64_t>(points.size());
    torch::Tensor coordinates = torch::empty({1, n, 2});
    torch::Tensor is_terminal = torch::empty({1, n}, torch::kBool);
    for (std::int64_t v = 0; v < n; ++v) {
        const Point p = points[static_cast<std::size_t>(v)];
        coordinates[0][v][0] = p.x;
        coordinates[0][v][1] = p.y;
        is_terminal[0][v] = problem.required(static_cast<Vertex>(v));
    }
    const double unit = policy::feature_unit(module->config(), problem.weights(), points);
    torch::Tensor facts;
    if (policy::sees_specification(module->config())) {
        facts = torch::tensor(policy::input_facts_of(problem, points, unit)).view({1, n, policy::input_facts});
    }
    torch::Tensor weights;
    if (policy::sees_true_weights(module->config(), problem.weights())) {
        weights = seen_weights(problem.weights(), unit);
    }
    return module->encode(coordinates, is_terminal, facts, weights);
}

/// What the rows of constructions add to scores.
class RowTerms {
public:
    RowTerms(PolicyModule& module, const Problem& problem)
        : module_(module),
          is_told_(policy::sees_specification(module->config())),
          rows_(problem, policy::feature_unit(module->config(), problem.weights(), seen_points(problem))) {}

    /// (count, steps, n, row_facts) zeros, to be filled.
    [[nodiscard]] torch::Tensor no_facts(std::int64_t count, std::int64_t steps, std::int64_t n) const {
        return torch::zeros({is_told_ ? count : 0, steps, n, policy::row_facts});
    }

    /// The facts of construction s before step t.
    void write(const Construction& state, torch::Tensor& facts, std::int64_t s, std::int64_t t) const {
        if (!is_told_) return;
        for (Vertex u = 0; u < state.problem().size(); ++u) {
            if (state.contains(u)) rows_.write(state, u, facts[s][t][u].data_ptr<float>());
        }
    }

    /// Undefined for a policy that is not told.
    [[nodiscard]] torch::Tensor of(const torch::Tensor& facts) { return module_->row_terms(facts); }

private:
    PolicyModule& module_;
    bool is_told_;
    policy::RowFacts rows_;
};

void write_mask(const Construction& state, bool* mask) {
    const Vertex n = state.problem().size();
    for (const Vertex u : state.open()) {
        for (const Vertex v : state.outside())
            mask[static_cast<std::size_t>(u) * static_cast<std::size_t>(n) + static_cast<std::size_t>(v)] =
                state.allows(u, v);
    }
}

}  // namespace

std::vector<Tree> decode_greedily(PolicyModule& module, const Problem& problem, std::span<const Start> starts) {
    const torch::NoGradGuard no_gradients;
    module->eval();
    const GraphFeatures features = encode_problem(module, problem);
    const auto n = static_cast<std::int64_t>(problem.size());
    const auto count = static_cast<std::int64_t>(starts.size());
    std::vector<Construction> states;
    torch::Tensor u = torch::empty({count, 1}, torch::kInt64);
    torch::Tensor v = torch::empty({count, 1}, torch::kInt64);
    for (std::size_t s = 0; s < starts.size(); ++s) {
        states.emplace_back(problem, starts[s].vertex);
        u[static_cast<std::int64_t>(s)][0] = v[static_cast<std::int64_t>(s)][0] = starts[s].vertex;
    }
    PolicyModuleImpl::Memory memory;
    RowTerms terms(module, problem);
    while (true) {
        torch::Tensor allowed = torch::zeros({count, n * n}, torch::kBool);
        torch::Tensor facts = terms.no_facts(count, 1, n);
        bool any = false;
        for (std::size_t s = 0; s < states.size(); ++s) {
            terms.write(states[s], facts, static_cast<std::int64_t>(s), 0);
            if (policy::is_grown(states[s])) continue;
            write_mask(states[s], allowed.data_ptr<bool>() + static_cast<std::int64_t>(s) * n * n);
            any = any || allowed[static_cast<std::int64_t>(s)].any().item<bool>();
        }
        if (!any) break;
        const torch::Tensor logits =
            module->step(features, module->inputs(features, u, v), allowed, memory, terms.of(facts));
        const torch::Tensor best = logits.nan_to_num().argmax(1);
        for (std::size_t s = 0; s < states.size(); ++s) {
            const auto row = static_cast<std::int64_t>(s);
            const auto chosen = best[row].item<std::int64_t>();
            if (!allowed[row][chosen].item<bool>()) continue;
            states[s].add(static_cast<Vertex>(chosen / n), static_cast<Vertex>(chosen % n));
            u[row][0] = chosen / n;
            v[row][0] = chosen % n;
        }
    }
    std::vector<Tree> result;
    result.reserve(states.size());
    for (const Construction& state : states) result.push_back(state.tree());
    return result;
}

torch::Tensor log_probabilities(PolicyModule& module, const Problem& problem, std::span<const Tree> trees) {
    const GraphFeatures features = encode_problem(module, problem);
    const auto n = static_cast<std::int64_t>(problem.size());
    const auto count = static_cast<std::int64_t>(trees.size());
    const auto steps = static_cast<std::int64_t>(trees[0].edges.size());
    if (steps == 0) return torch::zeros({count});
    torch::Tensor u = torch::empty({count, steps}, torch::kInt64);
    torch::Tensor v = torch::empty({count, steps}, torch::kInt64);
    torch::Tensor chosen = torch::empty({count, steps, 1}, torch::kInt64);
    torch::Tensor allowed = torch::zeros({count, steps, n * n}, torch::kBool);
    RowTerms terms(module, problem);
    torch::Tensor facts = terms.no_facts(count, steps, n);
    for (std::int64_t s = 0; s < count; ++s) {
        const Tree& tree = trees[static_cast<std::size_t>(s)];
        Construction state(problem, tree.start);
        Edge last{tree.start, tree.start};
        for (std::int64_t t = 0; t < steps; ++t) {
            u[s][t] = last.u;
            v[s][t] = last.v;
            write_mask(state, allowed.data_ptr<bool>() + (s * steps + t) * n * n);
            terms.write(state, facts, s, t);
            last = tree.edges[static_cast<std::size_t>(t)];
            chosen[s][t][0] = last.u * n + last.v;
            state.add(last.u, last.v);
        }
    }
    const torch::Tensor logits = module->logits(features, module->inputs(features, u, v), allowed, terms.of(facts));
    return logits.log_softmax(2).gather(2, chosen).sum({1, 2});
}

}  // namespace neuroprim::train
