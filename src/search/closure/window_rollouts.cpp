#include "search/closure/window_rollouts.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "search/windows/window_trees.hpp"

namespace neuroprim {

namespace {

constexpr std::size_t usual_starts = 4;
/// The policy is too sure of itself among ways that are not straight: flatter samples find better trees.
constexpr double sample_temperature = 2;

std::vector<std::pair<Vertex, Vertex>> sorted_edges(const Tree& tree) {
    std::vector<std::pair<Vertex, Vertex>> result;
    for (const auto& [u, v] : tree.edges) result.emplace_back(std::min(u, v), std::max(u, v));
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace

std::vector<Tree> window_rollouts(const Policy& policy, const Problem& window, const RolloutOptions& options,
                                  int view, std::uint64_t stream, const StopToken& stop) {
    WindowLook look;
    look.starts = window_starts(window, options.starts > 0 ? options.starts : usual_starts);
    look.first_view = view * options.augmentations;
    look.views = options.augmentations;
    look.samples = options.samples;
    look.temperature = sample_temperature;
    look.seed = options.seed;
    look.stream = stream;
    std::vector<Tree> trees;
    std::set<std::vector<std::pair<Vertex, Vertex>>> known;
    offer_window_trees(policy, window, look, stop, [&](Tree tree) {
        if (known.insert(sorted_edges(tree)).second) trees.push_back(std::move(tree));
    });
    stop.check();
    return trees;
}

}  // namespace neuroprim
