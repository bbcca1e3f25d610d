#include "search/rooted/path_growth.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/shortest_ways.hpp"
#include "neuroprim/random.hpp"
#include "search/rooted/path_lists.hpp"
#include "search/rooted/path_recreate.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim {

namespace {

/// Tries to bring a missing vertex in before the construction gives up.
constexpr std::int64_t least_tries = 3000;
constexpr std::int64_t tries_per_vertex = 3;

class PathGrowth {
public:
    PathGrowth(const Problem& problem, const Neighbours& near, Vertex root, const StopToken& stop)
        : problem_(problem),
          stop_(stop),
          root_(root),
          random_(1),
          tree_(problem),
          step_(problem, near, tree_),
          penalty_(index(problem.size()), 1) {}

    std::optional<Tree> run() {
        tree_.load(Tree{root_, {}});
        insert_all();
        const std::int64_t tries = least_tries + tries_per_vertex * problem_.size();
        for (std::int64_t k = 0; k < tries && !missing_.empty(); ++k) {
            stop_.check();
            improve();
        }
        if (!missing_.empty()) return std::nullopt;
        return problem_.pruned(tree_.tree());
    }

private:
    void insert_all() {
        const ShortestWays ways = shortest_ways(problem_.weights(), root_, stop_);
        for (Vertex v = 0; v < problem_.size(); ++v) {
            if (problem_.required(v) && v != root_) missing_.push_back(v);
        }
        std::stable_sort(missing_.begin(), missing_.end(),
                         [&](Vertex a, Vertex b) { return ways.length[index(a)] < ways.length[index(b)]; });
        std::erase_if(missing_, [&](Vertex v) {
            stop_.check();
            return step_.insert(v, random_);
        });
        tree_.commit();
    }

    /// Brings one missing vertex in. What has to leave for it may be missing then, if that was easier to place so
    /// far: a vertex that fails gets harder to refuse each time.
    void improve() {
        const Vertex v = missing_[random_.below(missing_.size())];
        if (tree_.inside(v)) return drop_placed();
        const std::uint64_t choice = random_.below(3);
        const bool came = choice == 0   ? step_.insert(v, random_)
                          : choice == 1 ? step_.force(v, random_)
                                        : step_.make_way(v, 2 + random_.below(12), random_);
        double lost = 0;
        for (const Vertex u : step_.left_out()) lost += penalty_[index(u)];
        if (!came || (lost > penalty_[index(v)] && random_.uniform() > 0.01)) {
            tree_.roll_back();
            ++penalty_[index(v)];
            return;
        }
        tree_.commit();
        missing_.insert(missing_.end(), step_.left_out().begin(), step_.left_out().end());
        drop_placed();
    }

    void drop_placed() {
        std::erase_if(missing_, [&](Vertex v) { return tree_.inside(v); });
    }

    const Problem& problem_;
    const StopToken& stop_;
    Vertex root_;
    Random random_;
    rooted::ResourceTree tree_;
    rooted::PathRecreate step_;
    std::vector<Vertex> missing_;
    std::vector<double> penalty_;  // (n) tries that failed, and one
};

}  // namespace

bool grows_by_paths(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return rooted::ResourceTree::supports(problem) && spec.coverage != Coverage::groups && !spec.diameter &&
           !spec.no_crossings && spec.included_edges.empty();
}

std::optional<Tree> grow_by_paths(const Problem& problem, int threads, const StopToken& stop) {
    const Neighbours near = rooted::lists_for_paths(problem, threads, stop);
    const std::vector<Vertex> starts = problem.starts();
    if (starts.empty()) return std::nullopt;
    return PathGrowth(problem, near, starts.front(), stop).run();
}

}  // namespace neuroprim
