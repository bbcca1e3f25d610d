#include "search/closure/closure_rebuilding.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/parallel.hpp"
#include "graph/shuffle.hpp"
#include "neuroprim/error.hpp"
#include "search/closure/union_tree.hpp"

namespace neuroprim {

namespace {

/// Windows that are rebuilt side by side from the same tree, whatever the number of threads.
constexpr std::size_t windows_at_once = 4;
/// Terminals and branchings of a window, pass by pass.
constexpr std::size_t window_keys[] = {14, 20, 10, 40};
/// What limited ways cost, pass by pass: cheap ways first, then such as leave more to others.
constexpr double way_prices[] = {0, 1, 0.3, 3};
constexpr double junction_variety = 0.5;

/// The vertices of a tree that a window is made of, and what lies between them.
class Keys {
public:
    Keys(const Problem& problem, const Tree& tree)
        : problem_(problem),
          tree_(tree),
          rooted_(hang(tree, problem.spec().root.value_or(tree.start), problem.size())),
          degree_(degrees(tree, problem.size())) {}

    /// Terminals, branchings and the root; prizes outside, too.
    [[nodiscard]] bool is_key(Vertex v) const {
        if (!rooted_.contains(v)) return problem_.spec().prize(v) > 0;
        return is_wanted(problem_, v) || degree_[index(v)] > 2 || rooted_.parent[index(v)] == no_vertex;
    }

    /// The window of the keys nearest to `seed`. Nothing where it has nothing to join. Marks them in `is_covered`.
    [[nodiscard]] std::optional<ClosureParts> around(Vertex seed, std::size_t size,
                                                     std::vector<bool>& is_covered) const {
        std::vector<Vertex> near = {seed};
        std::vector<Vertex> mates;  // vertices outside that may take the place of one of their group
        std::vector<bool> is_near(index(problem_.size()), false);
        is_near[index(seed)] = true;
        FreeWays everywhere(problem_.weights(), std::vector<int>(index(problem_.size()), FreeWays::free), {}, {});
        everywhere.search(std::vector{seed}, [&](Vertex v) {
            if (is_key(v)) {
                near.push_back(v);
                is_near[index(v)] = true;
            } else if (is_wanted(problem_, v) && mates.size() < 3 * size) {
                mates.push_back(v);
            }
            return near.size() >= size;
        });
        for (const Vertex v : near) is_covered[index(v)] = true;

        ClosureParts parts;
        parts.kept = without(tree_.edges, between(near, is_near));
        const bool joins_others =
            std::any_of(near.begin(), near.end(), [&](Vertex v) { return !rooted_.contains(v); });
        if (parts.kept.size() == tree_.edges.size() && !joins_others) return std::nullopt;
        std::vector<bool> is_kept(index(problem_.size()), false);
        for (const auto& [u, v] : parts.kept) is_kept[index(u)] = is_kept[index(v)] = true;
        // A branching where nothing hangs any more is a junction like others.
        std::erase_if(near, [&](Vertex v) { return !is_kept[index(v)] && !is_wanted(problem_, v); });
        std::stable_sort(near.begin(), near.end(), [&](Vertex a, Vertex b) { return depth(a) < depth(b); });
        if (const auto root = problem_.spec().root) parts.shown.push_back(*root);
        parts.shown.insert(parts.shown.end(), near.begin(), near.end());
        parts.shown.insert(parts.shown.end(), mates.begin(), mates.end());
        return parts;
    }

private:
    [[nodiscard]] Vertex depth(Vertex v) const {
        return rooted_.contains(v) ? rooted_.depth[index(v)] : problem_.size();
    }

    /// The tree edges between keys that are both near.
    [[nodiscard]] std::vector<Edge> between(const std::vector<Vertex>& near, const std::vector<bool>& is_near) const {
        std::vector<Edge> result;
        for (const Vertex key : near) {
            std::vector<Edge> way;
            Vertex v = key;
            while (rooted_.contains(v) && rooted_.parent[index(v)] != no_vertex && (v == key || !is_key(v))) {
                way.push_back({rooted_.parent[index(v)], v});
                v = rooted_.parent[index(v)];
            }
            if (is_near[index(v)]) result.insert(result.end(), way.begin(), way.end());
        }
        return result;
    }

    const Problem& problem_;
    const Tree& tree_;
    RootedTree rooted_;
    std::vector<int> degree_;  // (n)
};

}  // namespace

ClosureRebuilding::ClosureRebuilding(const Policy& policy, const Problem& problem, Tree tree,
                                     const RolloutOptions& options, int threads)
    : policy_(&policy), problem_(&problem), tree_(std::move(tree)), options_(options), threads_(threads) {}

/// Every key of the tree, in an order of its own for each pass.
std::vector<Vertex> ClosureRebuilding::seeds(std::uint64_t stream) const {
    const Keys keys(*problem_, tree_);
    std::vector<Vertex> result;
    for (Vertex v = 0; v < problem_->size(); ++v) {
        if (keys.is_key(v)) result.push_back(v);
    }
    Random random(options_.seed, stream);
    shuffle(result, random);
    return result;
}

ClosureRebuilding::Change ClosureRebuilding::rebuilt(ClosureParts parts, double cost, std::uint64_t stream,
                                                     const StopToken& stop) const {
    ClosureOptions closure;
    closure.way_price = way_prices[static_cast<std::size_t>(passes_) % std::size(way_prices)];
    closure.variety = passes_ == 0 ? 0 : junction_variety;
    const ClosureWindow window(*problem_, std::move(parts), closure, Random(options_.seed, stream));
    const double least_gain = 1e-9 * cost;
    double cheapest = cost - least_gain;
    Change best;
    for (const Tree& grown : window_rollouts(*policy_, window.problem(), options_, passes_, stream, stop)) {
        const Vertex start = problem_->spec().root.value_or(window.whole(grown.start));
        const Tree whole = problem_->pruned(union_tree(*problem_, window.expanded(grown), start));
        const double price = problem_->cost(whole);
        if (price >= cheapest || problem_->violation(whole)) continue;
        cheapest = price;
        best = {without(tree_.edges, whole.edges), without(whole.edges, tree_.edges)};
    }
    return best;
}

/// One after the other: what still pays together with those before stays. Returns the cost.
double ClosureRebuilding::apply(const std::vector<Change>& changes, double cost) {
    for (const Change& change : changes) {
        if (change.added.empty() && change.removed.empty()) continue;
        std::vector<Edge> edges = without(tree_.edges, change.removed);
        edges.insert(edges.end(), change.added.begin(), change.added.end());
        if (edges.empty()) continue;
        const Vertex start = problem_->spec().root.value_or(edges.back().u);
        Tree tree = problem_->pruned(union_tree(*problem_, std::move(edges), start));
        const double price = problem_->cost(tree);
        if (price >= cost || problem_->violation(tree)) continue;
        cost = price;
        tree_ = std::move(tree);
    }
    return cost;
}

double ClosureRebuilding::pass(const StopToken& stop) {
    const std::size_t size = window_keys[static_cast<std::size_t>(passes_) % std::size(window_keys)];
    const std::uint64_t first_stream = static_cast<std::uint64_t>(passes_) * index(problem_->size());
    const std::vector<Vertex> order = seeds(first_stream);
    std::vector<bool> is_covered(index(problem_->size()), false);
    const double before = problem_->cost(tree_);
    double cost = before;
    for (std::size_t next = 0; next < order.size() && !stop.expired();) {
        const Keys keys(*problem_, tree_);
        const std::uint64_t stream = first_stream + next;
        std::vector<ClosureParts> parts;
        for (; next < order.size() && parts.size() < windows_at_once; ++next) {
            if (is_covered[index(order[next])] || !keys.is_key(order[next])) continue;
            if (auto around = keys.around(order[next], size, is_covered)) parts.push_back(std::move(*around));
        }
        std::vector<Change> changes(parts.size());
        parallel_for(threads_, parts.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                try {
                    changes[k] = rebuilt(std::move(parts[k]), cost, stream + k, stop);
                } catch (const Interrupted&) {
                    return;
                }
            }
        });
        cost = apply(changes, cost);
    }
    ++passes_;
    return before - cost;
}

}  // namespace neuroprim
