#include "search/windows/window_rebuilding.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "graph/parallel.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "problems/centred_hops.hpp"
#include "problems/crossings.hpp"
#include "problems/kinds.hpp"
#include "search/branches/shortest_branches.hpp"
#include "search/golden_ratio.hpp"
#include "search/windows/branch_windows.hpp"
#include "search/windows/large_graphs.hpp"

namespace neuroprim {

namespace {

/// Vertices outside the tree that are offered to it, for each of its vertices.
constexpr std::size_t near_vertices = 6;
/// Trees of a window without a root, where each looks at all pairs of open and outside vertices.
constexpr std::size_t usual_starts = 4;
/// A share of what a tree costs. Less is rounding.
constexpr double least_gain = 1e-9;

bool counts_hops_or_lengths(const TreeSpec& spec) {
    return spec.hops || spec.length || spec.diameter;
}

/// Not where the diameter is limited, and what is counted from a root far from the tree's centre needs more hops than
/// are left for all: what a part may do then depends on all the others.
bool has_parts(const HangingTree& tree) {
    const auto deepest = *std::max_element(tree.rooted.depth.begin(), tree.rooted.depth.end());
    return !tree.hops || deepest <= *tree.hops;
}

/// One of the nearest vertices, a nearer one before a farther one and the nearest again after some.
Vertex near_to(const Problem& problem, Vertex v, std::size_t turn) {
    constexpr std::size_t few = 8;
    const auto length = [&](Vertex u) { return problem.weights()(v, u); };
    std::vector<Vertex> others;
    for (Vertex u = 0; u < problem.size(); ++u) {
        if (u != v && problem.weights().has_edge(u, v)) others.push_back(u);
    }
    if (others.empty()) return v;
    const std::size_t rank = turn % std::min(few, others.size());
    std::nth_element(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(rank), others.end(),
                     [&](Vertex a, Vertex b) { return std::pair(length(a), a) < std::pair(length(b), b); });
    return others[rank];
}

/// Who hangs from whom, while windows are put back one by one; and what crosses, where nothing may.
class Parents {
public:
    Parents(const Problem& problem, std::vector<Vertex> parent) : parent_(std::move(parent)) {
        if (!problem.spec().no_crossings) return;
        index_.emplace(problem.instance());
        for (std::size_t v = 0; v < parent_.size(); ++v) hang(parent_[v], static_cast<Vertex>(v));
    }

    /// Hangs the vertices of a window, but for its top, by these edges; those without one leave the tree. Leaves
    /// everything as it was and says no where an edge would cross another.
    bool replace(std::span<const Vertex> members, std::span<const Edge> edges) {
        std::vector<Vertex> before;
        for (const Vertex v : members) {
            before.push_back(parent_[index(v)]);
            hang(no_vertex, v);
        }
        for (const auto& [u, v] : edges) {
            if (index_ && index_->crosses(u, v)) {
                for (std::size_t k = 0; k < members.size(); ++k) hang(no_vertex, members[k]);
                for (std::size_t k = 0; k < members.size(); ++k) hang(before[k], members[k]);
                return false;
            }
            hang(u, v);
        }
        return true;
    }

    [[nodiscard]] std::vector<Edge> edges() const {
        std::vector<Edge> result;
        for (std::size_t v = 0; v < parent_.size(); ++v) {
            if (parent_[v] != no_vertex) result.push_back({parent_[v], static_cast<Vertex>(v)});
        }
        return result;
    }

private:
    void hang(Vertex u, Vertex v) {
        parent_[index(v)] = u;
        if (!index_) return;
        index_->erase(v);
        if (u != no_vertex) index_->insert(u, v);
    }

    std::vector<Vertex> parent_;
    std::optional<CrossingIndex> index_;
};

}  // namespace

WindowLook look_of_pass(const WindowOptions& options, int pass, std::uint64_t stream) {
    WindowLook look;
    look.first_view = pass * options.augmentations;
    look.views = options.augmentations;
    look.samples = options.samples;
    look.seed = options.seed;
    look.stream = stream;
    return look;
}

bool has_windows(const Problem& problem) {
    return problem.is_plain() && problem.spec().objective != Objective::communication;
}

WindowRebuilding::WindowRebuilding(const Policy& policy, const Problem& problem, Tree tree,
                                   const WindowOptions& options, const StopToken& stop)
    : policy_(&policy), problem_(&problem), tree_(std::move(tree)), options_(options) {
    const TreeSpec& spec = problem.spec();
    if (const auto positions = problem.instance().positions(); !positions.empty()) {
        const std::vector<Vertex> order = curve_order(positions);
        rank_.resize(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) rank_[index(order[k])] = static_cast<Vertex>(k);
    }
    constexpr std::size_t most_of_branches = 100;
    branch_window_size_ = branch_window_size(problem, most_of_branches);
    if (spec.coverage == Coverage::all) return;
    near_ = nearest_neighbours(problem.weights(), near_vertices, options.threads, stop);
    group_mates_.resize(static_cast<std::size_t>(spec.group_count()));
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (spec.group(v) >= 0) group_mates_[static_cast<std::size_t>(spec.group(v))].push_back(v);
    }
}

/// No vertex is offered to two windows: both might take it.
std::vector<std::vector<Vertex>> WindowRebuilding::joining(const HangingTree& tree,
                                                           const std::vector<TreeWindow>& windows) const {
    std::vector<std::vector<Vertex>> result(windows.size());
    if (!near_) return result;
    const TreeSpec& spec = problem_->spec();
    std::vector<bool> is_offered(index(problem_->size()), false);
    std::vector<bool> is_top(index(problem_->size()), false);
    for (const TreeWindow& window : windows) is_top[index(window.top)] = true;
    const auto is_free = [&](Vertex v) { return !tree.rooted.contains(v) && !is_offered[index(v)]; };
    for (std::size_t k = 0; k < windows.size(); ++k) {
        const std::size_t room = options_.size - std::min(options_.size, windows[k].members.size() + 1);
        const auto offer = [&](Vertex v) {
            is_offered[index(v)] = true;
            result[k].push_back(v);
        };
        for (const Vertex v : windows[k].members) {
            if (spec.group(v) < 0 || is_top[index(v)]) continue;
            const auto& mates = group_mates_[static_cast<std::size_t>(spec.group(v))];
            if (result[k].size() + mates.size() > room) continue;
            for (const Vertex mate : mates) {
                if (mate != v) offer(mate);
            }
        }
        for (const Vertex v : windows[k].members) {
            for (const Vertex u : near_->of(v)) {
                if (result[k].size() < room && spec.group(u) < 0 && is_free(u)) offer(u);
            }
        }
    }
    return result;
}

std::optional<Tree> WindowRebuilding::cheaper(const Problem& problem, const Tree& tree,
                                              std::span<const Point> seen_at, std::uint64_t stream, int threads,
                                              const StopToken& stop) const {
    double cheapest = problem.cost(tree);
    std::optional<Tree> best;
    const auto take = [&](Tree other) {
        other = with_shortest_branches(problem, problem.pruned(std::move(other)));
        const double cost = problem.cost(other);
        if (cost >= cheapest * (1 - least_gain)) return;
        cheapest = cost;
        best = std::move(other);
    };
    const bool is_path = asks_for_a_path(*problem_);
    const std::size_t usual = is_path ? index(problem.size()) : usual_starts;
    WindowLook look = look_of_pass(options_, passes_, stream);
    look.starts =
        window_starts(problem, options_.starts > 0 ? options_.starts : usual, static_cast<std::size_t>(passes_));
    look.points = seen_at;
    look.threads = threads;
    offer_window_trees(*policy_, problem, look, stop, take);
    return best;
}

std::optional<Tree> WindowRebuilding::rebuilt(const WindowProblem& window, std::uint64_t stream,
                                              const StopToken& stop) const {
    const Problem& problem = window.problem();
    if (!window.is_free()) return cheaper(problem, window.tree(), window.seen_at(), stream, 1, stop);
    Tree shortest = minimum_spanning_tree(problem.weights());
    if (problem.cost(shortest) >= problem.cost(window.tree()) * (1 - least_gain)) return std::nullopt;
    return shortest;
}

/// All vertices, hung from another centre: hops are few and the policy knows them better than a diameter.
std::optional<Tree> WindowRebuilding::rebuilt_around(Vertex centre, std::uint64_t stream,
                                                     const StopToken& stop) const {
    const HangingTree hanging(*problem_, tree_, {centre});
    const auto& order = hanging.rooted.order;
    const TreeWindow all{.top = centre, .members = {order.begin() + 1, order.end()}, .has_spare_degree = true};
    const WindowProblem part(*problem_, hanging, BelowWindows(*problem_, hanging, {}), all, {});
    auto tree = cheaper(part.problem(), part.tree(), part.seen_at(), stream, options_.threads, stop);
    if (!tree) return std::nullopt;
    for (auto& [u, v] : tree->edges) {
        u = part.whole(u);
        v = part.whole(v);
    }
    return grown_from(*tree, centre, problem_->size());
}

/// Hung from its centre, a tree is also looked at from vertices near that.
double WindowRebuilding::rebuild_whole(const StopToken& stop) {
    const std::uint64_t stream = static_cast<std::uint64_t>(passes_) * index(problem_->size());
    const std::size_t look = looks_at_whole_++;
    try {
        std::optional<Tree> tree;
        if (counts_hops_from_centre(problem_->spec())) {
            const Vertex centre = centre_of(tree_, problem_->size(), problem_->spec()).front();
            tree = rebuilt_around(look % 2 == 0 ? centre : near_to(*problem_, centre, look / 2), stream, stop);
        } else {
            tree = cheaper(*problem_, tree_, {}, stream, options_.threads, stop);
        }
        if (!tree) return 0;
        const double gain = problem_->cost(tree_) - problem_->cost(*tree);
        tree_ = *tree;
        return gain;
    } catch (const Interrupted&) {
        return 0;
    }
}

double WindowRebuilding::rebuild_level(const std::vector<TreeWindow>& windows, const std::vector<std::size_t>& level,
                                       const std::vector<std::vector<Vertex>>& joining,
                                       const std::vector<Vertex>& roots, const StopToken& stop) {
    const HangingTree hanging(*problem_, tree_, roots);
    const BelowWindows below(*problem_, hanging, windows);

    struct Result {
        std::vector<Vertex> members;  // without the top
        std::vector<Edge> edges;      // parent first
        double gain = 0;
    };
    std::vector<Result> results(level.size());
    const std::uint64_t first_stream = static_cast<std::uint64_t>(passes_) * index(problem_->size());
    parallel_for(options_.threads, level.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end && !stop.expired(); ++k) {
            const TreeWindow& window = windows[level[k]];
            if (window.members.size() + joining[level[k]].size() < 2) continue;
            if (problem_->spec().length && *problem_->spec().length <= hanging.way[index(window.top)]) continue;
            const WindowProblem part(*problem_, hanging, below, window, joining[level[k]]);
            std::optional<Tree> tree;
            try {
                tree = rebuilt(part, first_stream + level[k], stop);
            } catch (const Interrupted&) {
                return;
            }
            if (!tree) continue;
            results[k].gain = part.problem().cost(part.tree()) - part.problem().cost(*tree);
            results[k].members = window.members;
            const auto& joined = joining[level[k]];
            results[k].members.insert(results[k].members.end(), joined.begin(), joined.end());
            const Tree grown = grown_from(*tree, part.top(), part.problem().size());
            for (const auto& [u, v] : grown.edges) results[k].edges.push_back({part.whole(u), part.whole(v)});
        }
    });

    Parents parents(*problem_, hanging.rooted.parent);
    double gain = 0;
    for (const Result& result : results) {
        if (result.gain > 0 && parents.replace(result.members, result.edges)) gain += result.gain;
    }
    if (gain > 0) {
        tree_.edges = parents.edges();
        if (const auto centre = hanging.centre()) tree_.edges.push_back(*centre);
        tree_ = grown_from(tree_, hanging.rooted.order.front(), problem_->size());
    }
    return gain;
}

/// Large windows and small ones take turns: which are better differs from problem to problem. Where vertices may be
/// left out, a window has to hold those that might come in.
std::size_t WindowRebuilding::tree_vertices() const {
    constexpr std::size_t least = 8;
    if (looks_at_all()) return index(problem_->size());
    const std::size_t most = std::max(least, passes_ % 2 == 0 ? options_.size : options_.size / 2);
    if (!near_) return most;
    const double share = static_cast<double>(tree_.edges.size() + 1) / static_cast<double>(problem_->size());
    return std::clamp(static_cast<std::size_t>(share * static_cast<double>(most)), least, most);
}

std::vector<TreeWindow> WindowRebuilding::windows_of(const RootedTree& tree, const WindowCut& cut) const {
    if (!branch_window_size_ || looks_at_all()) return tree_windows(tree, cut);
    const auto size = static_cast<std::size_t>((0.5 + 0.5 * cut.turn) * static_cast<double>(*branch_window_size_));
    return branch_windows(*problem_, tree, size, Random(options_.seed, static_cast<std::uint64_t>(passes_)));
}

double WindowRebuilding::pass(const StopToken& stop) {
    const HangingTree hanging(*problem_, tree_);
    // Windows around the root of a bounded diameter keep the root near the centre; one look at all need not.
    const bool may_move_centre = looks_at_all() && problem_->spec().root && problem_->spec().diameter;
    const bool in_windows = has_parts(hanging) && !may_move_centre;
    const double gain = in_windows ? rebuild_windows(hanging, stop) : knows_whole() ? rebuild_whole(stop) : 0;
    ++passes_;
    passes_in_vain_ = gain == 0 && !looks_at_all() ? passes_in_vain_ + 1 : 0;
    return gain;
}

double WindowRebuilding::rebuild_windows(const HangingTree& hanging, const StopToken& stop) {
    const double place = golden_place(passes_, options_.seed);
    WindowCut cut;
    cut.most = tree_vertices();
    cut.usual = cut.most;
    if (passes_ > 0 && !looks_at_all())
        cut.usual = static_cast<std::size_t>((0.5 + 0.5 * place) * static_cast<double>(cut.most));
    cut.turn = place;
    cut.rank = rank_;
    const std::vector<TreeWindow> windows = windows_of(hanging.rooted, cut);
    const std::vector<std::vector<Vertex>> offered = joining(hanging, windows);
    // Depths below a window depend on what it does: then windows above each other take turns, the upper one first.
    const bool in_levels = counts_hops_or_lengths(problem_->spec());
    std::map<int, std::vector<std::size_t>> levels;
    for (std::size_t k = 0; k < windows.size(); ++k) levels[in_levels ? windows[k].level : 0].push_back(k);
    double gain = 0;
    for (const auto& [number, level] : levels) {
        if (stop.expired()) break;
        gain += rebuild_level(windows, level, offered, hanging.roots, stop);
    }
    return gain;
}

/// Where several limits bind, parts of a tree may have no other tree than they have. A look at all vertices takes
/// longer than their windows do, so these come first.
bool WindowRebuilding::looks_at_all() const {
    constexpr int most_in_vain = 6;
    return passes_in_vain_ >= most_in_vain && knows_whole();
}

/// Can one look see all vertices, and none that it may leave out?
bool WindowRebuilding::knows_whole() const {
    return !near_ && problem_->size() <= most_trained;
}

}  // namespace neuroprim
