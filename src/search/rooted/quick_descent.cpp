#include "search/rooted/quick_descent.hpp"

#include "graph/neighbours.hpp"
#include "neuroprim/error.hpp"
#include "search/rooted/resource_tree.hpp"
#include "search/rooted/vertex_exchange.hpp"

namespace neuroprim {

namespace {

class QuickDescent {
public:
    QuickDescent(const Problem& problem, const Neighbours& near) : problem_(&problem), near_(&near), tree_(problem) {}

    Tree run(const Tree& tree, const StopToken& stop) {
        constexpr Vertex worth_a_pass = 200;  // one change for so many vertices
        tree_.load(tree);
        PacedStopToken paced(stop, 64);
        try {
            while (changes_of_pass(paced) > problem_->size() / worth_a_pass) continue;
        } catch (const Interrupted&) {
            // Between two changes.
        }
        return tree_.tree();
    }

private:
    Vertex changes_of_pass(PacedStopToken& stop) {
        Vertex changes = 0;
        for (Vertex v = 0; v < problem_->size(); ++v) {
            stop.check();
            if (!tree_.may_detach(v)) continue;
            if (hangs_nearer(v)) ++changes;
            if (exchanges(v)) ++changes;
        }
        return changes;
    }

    /// Lists are sorted: the first vertex that takes it is the best one.
    bool hangs_nearer(Vertex v) {
        if (near_->of(v).empty() || near_->of(v).front() == tree_.parent(v)) return false;
        const double weight_above = tree_.weight_above(v);
        tree_.detach(v);
        for (const Vertex u : near_->of(v)) {
            const double weight = problem_->weights()(u, v);
            if (weight >= weight_above) break;
            const rooted::Place place = tree_.place(u);
            if (place.top != tree_.root() || !tree_.fits(place, u, v, weight)) continue;
            tree_.attach(u, v);
            tree_.commit();
            return true;
        }
        tree_.roll_back();
        return false;
    }

    bool exchanges(Vertex v) {
        for (const Vertex u : near_->of(v)) {
            if (rooted::exchange_cost(*problem_, tree_, v, u) >= -rooted::rounding * tree_.weight_above(v)) continue;
            if (rooted::exchange(tree_, v, u)) {
                tree_.commit();
                return true;
            }
            tree_.roll_back();
        }
        return false;
    }

    const Problem* problem_;
    const Neighbours* near_;
    rooted::ResourceTree tree_;
};

}  // namespace

bool suits_quick_descent(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return spec.objective == Objective::length && spec.coverage == Coverage::all && !spec.no_crossings &&
           problem.is_plain() && rooted::ResourceTree::supports(problem);
}

Tree quick_descent(const Problem& problem, const Tree& tree, int threads, const StopToken& stop) {
    constexpr std::size_t list_length = 14;
    try {
        const Neighbours near = nearest_neighbours(problem.weights(), list_length, threads, stop);
        return QuickDescent(problem, near).run(tree, stop);
    } catch (const Interrupted&) {
        return tree;
    }
}

}  // namespace neuroprim
