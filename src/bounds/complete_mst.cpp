#include "bounds/complete_mst.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "graph/disjoint_sets.hpp"
#include "graph/kd_components.hpp"
#include "graph/kd_tree.hpp"
#include "graph/positions.hpp"

namespace neuroprim {

namespace {

/// A number in a table is looked at in a nanosecond; a box, a point or an edge in the memory takes some ten.
constexpr std::int64_t looks_per_box = 10;

constexpr std::size_t no_place = std::numeric_limits<std::size_t>::max();

/// The least weight that points can have whose positions differ by so much in the norm.
template <class Norm>
double least_weight(Metric metric, double norm) {
    if constexpr (std::is_same_v<Norm, SquaredEuclidean>) {
        norm = std::sqrt(metric == Metric::att ? norm / 10 : norm);
    }
    const bool rounded = metric == Metric::euc_2d || metric == Metric::man_2d || metric == Metric::max_2d;
    return rounded ? norm - 0.5 : norm;
}

template <class Norm>
class PlaneMst final : public CompleteMst {
public:
    PlaneMst(const Weights& weights, const StopToken& stop)
        : weights_(&weights),
          tree_(plane_positions(weights.points()), stop),
          place_(tree_.size()),
          penalty_(tree_.size()),
          least_penalty_(tree_.nodes().size()),
          components_(tree_),
          nearest_(tree_.size()),
          best_(tree_.size()),
          sets_(0) {
        for (std::size_t p = 0; p < tree_.size(); ++p) place_[index(tree_.vertex(p))] = p;
    }

    void begin(std::span<const double> penalties, std::span<const WeightedEdge> known) override {
        known_ = known;
        for (std::size_t p = 0; p < tree_.size(); ++p) penalty_[p] = penalties[index(tree_.vertex(p))];
        find_least_penalties();
        std::fill(nearest_.begin(), nearest_.end(), Nearest{});
        sets_ = DisjointSets(static_cast<Vertex>(tree_.size()));
        edges_.clear();
        discovered_.clear();
        begin_round();
    }

    bool advance(std::int64_t& looks, const StopToken& stop) override {
        constexpr std::size_t points_between_looks = 1000;
        while (edges_.size() + 1 < tree_.size()) {
            for (; next_ < tree_.size(); ++next_) {
                if (looks <= 0) return false;
                if (next_ % points_between_looks == 0 && stop.expired()) return false;
                look_from(next_, looks);
            }
            join_along_best_edges();
            looks -= looks_per_box * (std::ssize(known_) + static_cast<std::int64_t>(tree_.size()));
            if (edges_.size() + 1 < tree_.size()) begin_round();
        }
        return true;
    }

    [[nodiscard]] std::span<const WeightedEdge> edges() const override { return edges_; }
    [[nodiscard]] std::span<const WeightedEdge> discovered() const override { return discovered_; }

private:
    static constexpr double infinity = Weights::infinity;

    /// The cheapest way out of a point's component, the point's own penalty left out. Without a place: how far was
    /// searched in vain.
    struct Nearest {
        double cost = -infinity;
        std::size_t place = no_place;
    };
    /// The cheapest edge out of a component; of several the one that came first. Whichever of equal edges components
    /// choose, those that close no cycle are part of one minimum spanning tree.
    struct Best {
        double cost = infinity;
        Vertex u = no_vertex;
        Vertex v = no_vertex;
        bool is_known = false;
    };

    void find_least_penalties() {
        const auto nodes = tree_.nodes();
        for (std::size_t k = nodes.size(); k-- > 0;) {
            const auto& node = nodes[k];
            least_penalty_[k] = node.right != 0
                                    ? std::min(least_penalty_[k + 1], least_penalty_[node.right])
                                    : *std::min_element(penalty_.begin() + static_cast<std::ptrdiff_t>(node.begin),
                                                        penalty_.begin() + static_cast<std::ptrdiff_t>(node.end));
        }
    }

    void begin_round() {
        next_ = 0;
        components_.update(tree_, sets_);
        std::fill(best_.begin(), best_.end(), Best{});
        for (const auto& [u, v, weight] : known_) offer(place_[index(u)], place_[index(v)], weight, true);
    }

    /// An edge between two components is a way out of both.
    void offer(std::size_t p, std::size_t q, double weight, bool is_known) {
        if (components_.of_place(p) == components_.of_place(q)) return;
        const double cost = weight + (penalty_[p] + penalty_[q]);  // the same from either side
        for (const std::size_t end : {p, q}) {
            Best& best = best_[index(components_.of_place(end))];
            if (cost < best.cost) best = {cost, tree_.vertex(p), tree_.vertex(q), is_known};
        }
    }

    void look_from(std::size_t p, std::int64_t& looks) {
        looks -= looks_per_box;
        Nearest& nearest = nearest_[p];
        const double limit = best_[index(components_.of_place(p))].cost - penalty_[p];
        const bool is_lost =
            nearest.place == no_place || components_.of_place(nearest.place) == components_.of_place(p);
        // Ways out get fewer, so none is cheaper than the cheapest that was found or looked for before.
        if (nearest.cost >= limit) return;
        if (is_lost) nearest = cheapest_way_out(p, limit, looks);
        if (nearest.place != no_place) {
            offer(p, nearest.place, (*weights_)(tree_.vertex(p), tree_.vertex(nearest.place)), false);
        }
    }

    Nearest cheapest_way_out(std::size_t p, double limit, std::int64_t& looks) const {
        struct Pending {
            double cost;
            std::size_t node;
        };
        std::array<Pending, 128> stack;  // the tree is balanced: its height stays below 64
        std::size_t height = 0;
        Nearest best{limit, no_place};
        const auto& centre = tree_.position(p);
        const Vertex home = components_.of_place(p);
        const auto nodes = tree_.nodes();
        const auto pending = [&](std::size_t node) {
            const double norm = KdTree<2>::template distance<Norm>(centre, nodes[node]);
            return Pending{least_weight<Norm>(weights_->metric(), norm) + least_penalty_[node], node};
        };
        const auto push = [&](const Pending& next) {
            if (components_.of_node(next.node) != home && next.cost < best.cost) stack[height++] = next;
        };
        push(pending(0));
        while (height > 0) {
            const Pending top = stack[--height];
            looks -= looks_per_box;
            if (top.cost >= best.cost) continue;
            const auto& node = nodes[top.node];
            if (node.right == 0) {
                for (std::size_t q = node.begin; q < node.end; ++q) {
                    if (components_.of_place(q) == home) continue;
                    const double cost = (*weights_)(tree_.vertex(p), tree_.vertex(q)) + penalty_[q];
                    if (cost < best.cost) best = {cost, q};
                }
                continue;
            }
            // The cheaper child is searched first, so it is pushed last.
            const Pending left = pending(top.node + 1);
            const Pending right = pending(node.right);
            push(left.cost <= right.cost ? right : left);
            push(left.cost <= right.cost ? left : right);
        }
        return best;
    }

    void join_along_best_edges() {
        for (const Best& best : best_) {
            if (best.u == no_vertex) continue;
            if (!sets_.join(static_cast<Vertex>(place_[index(best.u)]), static_cast<Vertex>(place_[index(best.v)]))) {
                continue;
            }
            edges_.push_back({best.u, best.v, (*weights_)(best.u, best.v)});
            if (!best.is_known) discovered_.push_back(edges_.back());
        }
    }

    const Weights* weights_;
    KdTree<2> tree_;
    std::vector<std::size_t> place_;     // (n) by vertex
    std::vector<double> penalty_;        // by place
    std::vector<double> least_penalty_;  // by node
    std::span<const WeightedEdge> known_;
    KdComponents components_;
    std::vector<Nearest> nearest_;  // by place
    std::vector<Best> best_;        // by component
    DisjointSets sets_;             // of places
    std::size_t next_ = 0;          // place that looks next
    std::vector<WeightedEdge> edges_;
    std::vector<WeightedEdge> discovered_;
};

}  // namespace

bool complete_mst_takes(const Weights& weights) {
    return weights.form() == Weights::Form::points && weights.metric() != Metric::geo &&
           weights.metric() != Metric::great_circle;
}

std::unique_ptr<CompleteMst> make_complete_mst(const Weights& weights, const StopToken& stop) {
    switch (weights.metric()) {
        case Metric::manhattan:
        case Metric::man_2d:
            return std::make_unique<PlaneMst<Manhattan>>(weights, stop);
        case Metric::maximum:
        case Metric::max_2d:
            return std::make_unique<PlaneMst<Maximum>>(weights, stop);
        default:
            return std::make_unique<PlaneMst<SquaredEuclidean>>(weights, stop);
    }
}

}  // namespace neuroprim
