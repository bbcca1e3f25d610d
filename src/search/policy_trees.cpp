#include "search/policy_trees.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "policy/planar_features.hpp"
#include "search/golden_ratio.hpp"

namespace neuroprim {

namespace {

/// How many trees of a batch are handed over.
constexpr std::size_t kept_of_a_batch = 4;

/// All starts in an order whose every beginning is spread evenly over them (multiples of the golden ratio).
std::vector<Start> spread_starts(const Problem& problem, Vertex start) {
    if (start != no_vertex) return {{start, 0}};
    const std::vector<Vertex> allowed = greedy_starts(problem, 0);
    const std::size_t count = allowed.size();
    auto stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(golden_ratio * static_cast<double>(count))));
    while (std::gcd(stride, count) > 1) ++stride;
    std::vector<Start> result(count);
    for (std::size_t k = 0; k < count; ++k) result[k] = {allowed[k * stride % count], k};
    return result;
}

}  // namespace

void offer_policy_trees(const Policy& policy, const Problem& problem, Vertex start, const EncodeOptions& encoding,
                        const std::function<void(Tree)>& offer) {
    const std::vector<Start> starts = spread_starts(problem, start);
    const std::size_t views = starts.size() == 1 ? square_symmetries : 1;
    const std::vector<Point> points = policy::feature_points(problem.instance(), encoding.interrupted);
    EncodeOptions seen = encoding;
    seen.points = points;
    DecodeOptions decoding;
    decoding.log_probabilities = false;
    decoding.interrupted = encoding.interrupted;
    std::optional<Encoded> encoded;
    std::vector<std::pair<double, Tree>> trees;
    const auto grow = [&](std::span<const Start> some) {
        for (Rollout& rollout : decode(*encoded, problem, some, decoding)) {
            if (!rollout.complete) continue;
            Tree tree = problem.pruned(std::move(rollout.tree));
            const double cost = problem.cost(tree);
            trees.emplace_back(cost, std::move(tree));
        }
    };
    const auto hand_over = [&] {
        std::stable_sort(trees.begin(), trees.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        trees.resize(std::min(trees.size(), kept_of_a_batch));
        for (auto& [cost, tree] : trees) offer(std::move(tree));
        trees.clear();
    };

    std::size_t batch = 1;
    std::size_t left = batch;  // of the batch
    for (std::size_t view = 0; view < views; ++view) {
        seen.symmetry = static_cast<int>(view);
        encoded.emplace(policy, problem, seen);
        for (std::size_t first = 0; first < starts.size() && !encoding.interrupted();) {
            const std::size_t count = std::min(left, starts.size() - first);
            grow(std::span(starts).subspan(first, count));
            first += count;
            left -= count;
            if (left > 0) continue;
            hand_over();
            if (views == 1) batch *= 2;  // a view costs as much as the one before
            left = batch;
        }
    }
    hand_over();
}

}  // namespace neuroprim
