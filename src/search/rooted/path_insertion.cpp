#include "search/rooted/path_insertion.hpp"

#include <algorithm>
#include <functional>

#include "graph/shortest_ways.hpp"
#include "problems/required.hpp"

namespace neuroprim::rooted {

namespace {

/// A path may begin at any of so many vertices of a floating subtree; a larger one stays as it hangs.
constexpr std::size_t most_sources = 60;

}  // namespace

PathInsertion::PathInsertion(const Problem& problem, const Neighbours& near, ResourceTree& tree)
    : problem_(&problem),
      spec_(&problem.spec()),
      near_(&near),
      tree_(&tree),
      complete_(problem.weights().is_complete()),
      first_(near.of(0).data()),
      label_(index(problem.size())),
      source_(index(problem.size()), 0),
      above_(index(problem.size())) {
    for (Vertex v = 0; v < problem.size(); ++v) {
        for (const Vertex u : near.of(v)) weight_.push_back(problem.weights()(u, v));
        hops_matter_ =
            hops_matter_ || (is_expendable(problem, v) && spec_->has(Limit::capacity) && spec_->demand(v) > 0);
    }
    for (const double weight : weight_) mean_weight_ += weight / static_cast<double>(weight_.size());
    hops_matter_ = hops_matter_ || spec_->hops || spec_->diameter;
    if (spec_->length && !complete_) root_length_ = shortest_ways(problem.weights(), *spec_->root).length;
    if (spec_->hops && !complete_) {
        root_hops_.assign(label_.size(), static_cast<int>(label_.size()));
        root_hops_[index(*spec_->root)] = 0;
        std::vector<Vertex> queue = {*spec_->root};
        for (std::size_t k = 0; k < queue.size(); ++k) {
            const int hops = root_hops_[index(queue[k])] + 1;
            for (const Vertex v : near.of(queue[k])) {
                if (root_hops_[index(v)] <= hops) continue;
                root_hops_[index(v)] = hops;
                queue.push_back(v);
            }
        }
    }
}

/// An outside vertex may be on the way if it may have two edges; one of the tree, if it can be cut out of it.
bool PathInsertion::may_pass(Vertex v) const {
    return (spec_->degrees.empty() || spec_->degrees[index(v)] > 1) && (!tree_->inside(v) || tree_->may_detach(v));
}

bool PathInsertion::join(Vertex top, const PathTaste& taste, Random& random) {
    ++stamp_;
    heap_.clear();
    ejected_.clear();
    bereft_.clear();
    taken_in_.clear();
    best_cost_ = taste.dearest;
    best_to_ = no_vertex;
    unit_price_ = tree_->unit_price(tree_->burden_of(top).load);
    add_sources(top);
    std::size_t settled = 0;
    while (!heap_.empty() && settled < taste.most_settled) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        const auto [cost, x] = heap_.back();
        heap_.pop_back();
        if (cost >= best_cost_) break;
        if (label_[index(x)].settled || cost > label_[index(x)].cost) continue;
        label_[index(x)].settled = true;
        ++settled;
        const auto near = near_->of(x);
        const double* weight = weight_.data() + (near.data() - first_);
        for (std::size_t k = 0; k < near.size(); ++k) relax(x, near[k], weight[k], taste, random);
        if (complete_) relax(x, tree_->root(), problem_->weights()(x, tree_->root()), taste, random);
    }
    return best_to_ != no_vertex && build(top);
}

/// The whole subtree, or its top alone if it is large. What hangs from another vertex of it once that is the top
/// follows from its neighbours, from the top down.
void PathInsertion::add_sources(Vertex top) {
    subtree_.assign(1, top);
    const auto add = [&](Vertex v, const Burden& burden) {
        source_[index(v)] = stamp_;
        label_[index(v)] = {0, burden, no_vertex, stamp_, false};
        if (!spec_->degrees.empty() && tree_->degree(v) >= spec_->degrees[index(v)]) return;
        heap_.emplace_back(0, v);
    };
    add(top, tree_->burden_of(top));
    for (std::size_t k = 0; k < subtree_.size() && subtree_.size() <= most_sources; ++k) {
        for (Vertex v = tree_->first_child(subtree_[k]); v != no_vertex; v = tree_->next_sibling(v)) {
            subtree_.push_back(v);
        }
    }
    if (subtree_.size() > most_sources) return;
    for (const Vertex u : subtree_) {
        for (Vertex v = tree_->first_child(u); v != no_vertex; v = tree_->next_sibling(v)) {
            // What hangs from u without v, seen from v.
            Burden beside{0, 0, tree_->burden_of(top).load};
            const auto reach_through = [&](Vertex x, double weight, const Burden& burden) {
                if (x == v) return;
                beside.hops = std::max(beside.hops, burden.hops + 1);
                beside.length = std::max(beside.length, burden.length + weight);
            };
            for (Vertex x = tree_->first_child(u); x != no_vertex; x = tree_->next_sibling(x)) {
                reach_through(x, tree_->weight_above(x), tree_->burden_of(x));
            }
            if (u != top) {
                const Burden& above = above_[index(u)];
                beside.hops = std::max(beside.hops, above.hops);
                beside.length = std::max(beside.length, above.length);
            }
            above_[index(v)] = {beside.hops + 1, beside.length + tree_->weight_above(v), beside.load};
            const Burden below = tree_->burden_of(v);
            add(v, {std::max(below.hops, above_[index(v)].hops), std::max(below.length, above_[index(v)].length),
                    beside.load});
        }
    }
}

void PathInsertion::relax(Vertex x, Vertex y, double weight, const PathTaste& taste, Random& random) {
    if (x == y || weight == Weights::infinity || is_source(y)) return;
    const Label& from = label_[index(x)];
    double cost = from.cost + unit_price_ * (weight + taste.hop_price);
    if (cost >= best_cost_) return;
    if (taste.noise > 0) cost += unit_price_ * weight * taste.noise * random.uniform();
    Burden burden{from.burden.hops + 1, from.burden.length + weight, from.burden.load};
    if (tree_->inside(y)) {
        offer_end(x, y, cost, burden);
        cost += taste.ejection_price;
        if (y == tree_->root() || cost >= best_cost_) return;
    } else {
        // A prize on the way pays, but never for more than the edge before it.
        cost = std::max(from.cost, cost - spec_->prize(y));
    }
    Label& label = label_[index(y)];
    if (label.stamp == stamp_ && (label.settled || label.cost <= cost)) return;
    if (!may_pass(y)) return;
    burden.load += tree_->own_load(y);
    Burden least = burden;  // what it is on the best way on from there
    if (!root_hops_.empty()) least.hops += root_hops_[index(y)];
    if (!root_length_.empty()) least.length += root_length_[index(y)];
    if (!tree_->fits_alone(least)) return;
    label = {cost, burden, x, stamp_, false};
    heap_.emplace_back(cost, y);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

/// The path may end here, at a vertex that hangs below the root.
void PathInsertion::offer_end(Vertex x, Vertex y, double cost, const Burden& burden) {
    if (cost >= best_cost_) return;
    const Place place = tree_->place(y);
    if (place.top != tree_->root() || !tree_->fits(place, y, burden)) return;
    cost += tree_->price_of_load_above(y, burden.load);
    if (cost >= best_cost_) return;
    best_cost_ = cost;
    best_from_ = x;
    best_to_ = y;
}

bool PathInsertion::build(Vertex top) {
    const std::size_t before = tree_->changes();
    path_.clear();
    for (Vertex v = best_from_; v != no_vertex; v = label_[index(v)].before) path_.push_back(v);
    // Whoever is passed leaves the tree; the end of the path must still hang below the root then.
    for (const Vertex v : path_) {
        if (!tree_->inside(v) || is_source(v)) continue;
        for (Vertex child = tree_->first_child(v); child != no_vertex;) {
            const Vertex next = tree_->next_sibling(child);
            if (!is_source(child) && !tree_->may_detach(child)) {
                tree_->roll_back(before);
                return false;
            }
            tree_->detach(child);
            ejected_.push_back(child);
            child = next;
        }
        if (tree_->parent(v) == no_vertex) continue;
        bereft_.push_back(tree_->parent(v));
        tree_->detach(v);
    }
    std::erase_if(ejected_, [&](Vertex v) { return std::find(path_.begin(), path_.end(), v) != path_.end(); });
    const Vertex source = path_.back();
    if (source != top) tree_->turn(source);
    for (std::size_t k = path_.size() - 1; k-- > 0;) {
        if (!tree_->inside(path_[k])) {
            tree_->take_in(path_[k]);
            taken_in_.push_back(path_[k]);
        }
        tree_->attach(path_[k], path_[k + 1]);
    }
    const Place place = tree_->place(best_to_);
    if (place.top != tree_->root() || !tree_->fits(place, best_to_, best_from_)) {
        tree_->roll_back(before);
        return false;
    }
    tree_->attach(best_to_, best_from_);
    return true;
}

}  // namespace neuroprim::rooted
