#include "train/batch_decoder.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>

#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "search/branches/shortest_branches.hpp"
#include "train/fixed_policy.hpp"
#include "train/problem_batch.hpp"
#include "train/teacher.hpp"

namespace neuroprim::train {

namespace {

/// Tree b as it grew: not pruned. All tensors are on the CPU.
Tree tree_of(const Trajectories& trees, std::int64_t b) {
    const std::int64_t steps = trees.vertices() - 1;
    const std::int64_t* sources = trees.sources.data_ptr<std::int64_t>() + b * steps;
    const std::int64_t* targets = trees.targets.data_ptr<std::int64_t>() + b * steps;
    Tree tree;
    tree.start = static_cast<Vertex>(trees.start.data_ptr<std::int64_t>()[b]);
    for (std::int32_t t = 0; t < trees.lengths.data_ptr<std::int32_t>()[b]; ++t) {
        tree.edges.push_back({static_cast<Vertex>(sources[t]), static_cast<Vertex>(targets[t])});
    }
    return tree;
}

/// The cheapest trees of each graph, cheapest first, moved to the CPU: so few need to travel.
Trajectories cheapest(const Trajectories& trees, std::int64_t graphs, std::int64_t kept) {
    const std::int64_t per_graph = trees.size() / graphs;
    const auto penalised = at::where(trees.missing > 0, at::full_like(trees.costs, INFINITY), trees.costs);
    const auto order = std::get<1>(penalised.view({graphs, per_graph}).sort(/*stable=*/true, 1, false));
    const auto first = at::arange(graphs, order.options()).unsqueeze(1) * per_graph;
    const auto rows = (order.narrow(1, 0, kept) + first).flatten();
    return trees.changed([&](const at::Tensor& x) { return x.index_select(0, rows).cpu().contiguous(); });
}

/// Keeps the tree when it is feasible and cheaper than what is there.
void take(const Problem& problem, const Trajectories& trees, std::int64_t first, std::int64_t count,
          DecodedTree& best) {
    for (std::int64_t b = first; b < first + count; ++b) {
        if (trees.missing.data_ptr<std::int32_t>()[b] > 0) return;
        Tree tree = with_shortest_branches(problem, problem.pruned(tree_of(trees, b)));
        if (problem.violation(tree)) continue;  // within rounding of a limit: the next one is hardly dearer
        const double cost = problem.cost(tree);
        if (!best.is_feasible || cost < best.cost) {
            best.tree = std::move(tree);
            best.cost = cost;
            best.is_feasible = true;
        }
        return;
    }
}

}  // namespace

struct BatchDecoder::State {
    State(const Policy& given, c10::Device where) : device(where), policy(given, where) {}

    /// Problems that grow at a time: tables of all edges, and what open edges take in plain tensor operations.
    [[nodiscard]] std::int64_t problems_at_a_time(std::int64_t n, std::int64_t per_problem) const {
        const PolicyConfig& config = policy.config();
        const double budget = device.is_cuda() ? 8e9 : 3e8;
        const double pairs = static_cast<double>(n * n);
        double numbers = pairs * (6.0 * config.d_e + 4.0 * config.heads);
        if (!policy.is_fused(n)) numbers += pairs * 6 * config.heads * static_cast<double>(per_problem);
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(budget / (4 * numbers)));
    }

    /// `first` is the number of the first of these problems among all of their kind, so that what is sampled does not
    /// depend on how they are split.
    void decode(std::span<const Problem* const> problems, std::span<DecodedTree* const> answers, std::int64_t first,
                const Rules& rules, const BatchDecoding& options);

    c10::Device device;
    FixedPolicy policy;
};

void BatchDecoder::State::decode(std::span<const Problem* const> problems, std::span<DecodedTree* const> answers,
                                 std::int64_t first, const Rules& rules, const BatchDecoding& options) {
    const auto count = static_cast<std::int64_t>(problems.size());
    std::size_t most_starts = 1;
    for (const Problem* problem : problems) most_starts = std::max(most_starts, all_starts(*problem).size());
    std::int64_t per_problem = static_cast<std::int64_t>(most_starts);
    if (options.starts > 0) per_problem = std::min(per_problem, options.starts);
    if (options.samples > 0) per_problem = options.samples;
    const auto starts = starts_of(problems, per_problem, options.samples == 0).to(device);
    const Graphs graphs = graphs_of(problems);
    for (int symmetry = 0; symmetry < options.augmentations; ++symmetry) {
        const Graphs seen = mirrored(graphs, symmetry).on(device);
        const Choice choice{options.samples == 0, options.seed + static_cast<std::uint64_t>(symmetry),
                            first * per_problem};
        const Trajectories trees = policy.roll_out(seen, rules, starts, choice);
        constexpr std::int64_t tried = 4;
        const std::int64_t kept = std::min(tried, per_problem);
        const Trajectories best = cheapest(trees, count, kept);
        parallel_for(at::get_num_threads(), problems.size(), 8, [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                take(*problems[g], best, static_cast<std::int64_t>(g) * kept, kept, *answers[g]);
                answers[g]->grown += per_problem;
            }
        });
    }
}

BatchDecoder::BatchDecoder(const Policy& policy, c10::Device device)
    : state_(std::make_unique<State>(policy, device)) {}

BatchDecoder::~BatchDecoder() = default;

std::vector<DecodedTree> BatchDecoder::decode(std::span<const Problem* const> problems,
                                              const BatchDecoding& options) {
    const torch::NoGradGuard no_gradients;
    for (const Problem* problem : problems) {
        if (const auto reason = reason_against_batches(*problem, state_->policy.config())) {
            throw InputError(fmt::format("{}: {}", problem->instance().name, *reason));
        }
    }
    std::vector<DecodedTree> answers(problems.size());
    struct Batch {
        BatchKind kind;
        std::vector<const Problem*> problems;
        std::vector<DecodedTree*> answers;
    };
    std::vector<Batch> batches;
    for (std::size_t k = 0; k < problems.size(); ++k) {
        const BatchKind kind = batch_kind(*problems[k]);
        auto batch = std::ranges::find(batches, kind, &Batch::kind);
        if (batch == batches.end()) batch = batches.insert(batch, {kind, {}, {}});
        batch->problems.push_back(problems[k]);
        batch->answers.push_back(&answers[k]);
    }
    for (const Batch& batch : batches) {
        const std::int64_t trees = options.samples > 0 ? options.samples : batch.kind.n;
        const auto part = static_cast<std::size_t>(state_->problems_at_a_time(batch.kind.n, trees));
        for (std::size_t begin = 0; begin < batch.problems.size(); begin += part) {
            const std::size_t size = std::min(part, batch.problems.size() - begin);
            state_->decode(std::span(batch.problems).subspan(begin, size),
                           std::span(batch.answers).subspan(begin, size), static_cast<std::int64_t>(begin),
                           batch.kind.rules, options);
        }
    }
    return answers;
}

}  // namespace neuroprim::train
