#include "search/closure/window_rollouts.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "policy/planar_features.hpp"

namespace neuroprim {

namespace {

constexpr int symmetries_of_square = 8;
constexpr std::size_t usual_starts = 4;
/// The policy is too sure of itself among ways that are not straight: flatter samples find better trees.
constexpr double sample_temperature = 2;

std::vector<Start> spread_starts(const Problem& window, std::size_t most) {
    const std::vector<Vertex> allowed = window.starts();
    const std::size_t count = std::min(most, allowed.size());
    std::vector<Start> starts;
    for (std::size_t k = 0; k < count; ++k) starts.push_back({allowed[k * allowed.size() / count], k});
    return starts;
}

std::vector<std::pair<Vertex, Vertex>> sorted_edges(const Tree& tree) {
    std::vector<std::pair<Vertex, Vertex>> result;
    for (const auto& [u, v] : tree.edges) result.emplace_back(std::min(u, v), std::max(u, v));
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace

std::vector<Tree> window_rollouts(const Policy& policy, const Problem& window, const RolloutOptions& options,
                                  int view, std::uint64_t stream, const StopToken& stop) {
    const auto interrupted = [&stop] { return stop.expired(); };
    const std::vector<Point> points = policy::feature_points(window.instance(), interrupted);
    const std::vector<Start> starts = spread_starts(window, options.starts > 0 ? options.starts : usual_starts);
    std::vector<Start> drawn;
    for (std::size_t k = 0; k < options.samples; ++k) {
        drawn.push_back({starts[k % starts.size()].vertex, stream * options.samples + k});
    }
    DecodeOptions greedy;
    greedy.log_probabilities = false;
    greedy.interrupted = interrupted;
    DecodeOptions sampling = greedy;
    sampling.mode = DecodeMode::sample;
    sampling.temperature = sample_temperature;
    sampling.seed = options.seed;

    std::vector<Tree> trees;
    std::set<std::vector<std::pair<Vertex, Vertex>>> known;
    const auto take = [&](std::vector<Rollout> rollouts) {
        for (Rollout& rollout : rollouts) {
            if (rollout.complete && known.insert(sorted_edges(rollout.tree)).second) {
                trees.push_back(std::move(rollout.tree));
            }
        }
    };
    for (int k = 0; k < options.augmentations; ++k) {
        EncodeOptions seen;
        seen.points = points;
        seen.symmetry = (view * options.augmentations + k) % symmetries_of_square;
        seen.interrupted = interrupted;
        const Encoded encoded(policy, window, seen);
        take(decode(encoded, window, starts, greedy));
        take(decode(encoded, window, drawn, sampling));
    }
    stop.check();
    return trees;
}

}  // namespace neuroprim
