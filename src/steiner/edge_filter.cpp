#include "steiner/edge_filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "steiner/special_distance.hpp"

namespace neuroprim::steiner {

namespace {

/// Where the vertices are on a line on which no two of them are farther apart than their edge is long (and `slack`,
/// for metrics that round). All at one place when there is no such line.
struct FilterLine {
    explicit FilterLine(const Weights& weights) : at(index(weights.size()), 0) {
        if (weights.form() != Weights::Form::points) return;
        switch (weights.metric()) {
            case Metric::euclidean:
            case Metric::manhattan:
            case Metric::maximum:
            case Metric::ceil_2d:
                break;
            case Metric::euc_2d:
            case Metric::man_2d:
            case Metric::max_2d:
                slack = 1;
                break;
            default:
                return;
        }
        for (std::size_t v = 0; v < at.size(); ++v) at[v] = weights.points()[v].x;
    }

    std::vector<double> at;  // (n)
    double slack = 0;
};

struct NearTerminal {
    Vertex terminal = no_vertex;  // its number among the terminals
    double distance = Weights::infinity;
};

class EdgeFilter {
public:
    EdgeFilter(const Weights& weights, const std::vector<Vertex>& terminals, const StopToken& stop)
        : weights_(weights),
          terminals_(terminals),
          stop_(stop),
          line_(weights),
          near_(index(weights.size())),
          bottlenecks_(static_cast<Vertex>(terminals.size())) {}

    /// False when the stop token expired.
    [[nodiscard]] bool prepare() { return join_terminals() && find_near_terminals(); }

    [[nodiscard]] std::optional<std::vector<WeightedEdge>> edges(std::size_t limit) const {
        // A longer edge is sifted out whatever its ends are.
        double longest = longest_;
        for (const auto& list : near_) longest = std::max(longest, list.front().distance);
        const double window = longest * (1 + 1e-12) + line_.slack;
        const std::vector<Vertex> order = sorted_by_place(index(weights_.size()), [](std::size_t v) { return v; });
        std::vector<WeightedEdge> result;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if ((i & 63) == 0 && stop_.expired()) return std::nullopt;
            for (std::size_t j = i + 1; j < order.size(); ++j) {
                if (line_.at[index(order[j])] - line_.at[index(order[i])] > window) break;
                const Vertex u = std::min(order[i], order[j]);
                const Vertex v = std::max(order[i], order[j]);
                const double weight = weights_(u, v);
                if (weight == Weights::infinity || sifts_out(u, v, weight)) continue;
                if (result.size() == limit) return std::nullopt;
                result.push_back({u, v, weight});
            }
        }
        std::sort(result.begin(), result.end(),
                  [](const WeightedEdge& a, const WeightedEdge& b) { return a.u != b.u ? a.u < b.u : a.v < b.v; });
        return result;
    }

private:
    static constexpr std::size_t near_kept = 4;

    template <class VertexOf>
    [[nodiscard]] std::vector<Vertex> sorted_by_place(std::size_t count, VertexOf vertex_of) const {
        std::vector<Vertex> order(count);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) {
            const double at_a = line_.at[static_cast<std::size_t>(vertex_of(index(a)))];
            const double at_b = line_.at[static_cast<std::size_t>(vertex_of(index(b)))];
            return at_a != at_b ? at_a < at_b : a < b;
        });
        return order;
    }

    /// Is there a special path strictly shorter than the edge uv?
    [[nodiscard]] bool sifts_out(Vertex u, Vertex v, double weight) const {
        for (const auto& a : near_[index(u)]) {
            if (a.distance >= weight) break;
            for (const auto& b : near_[index(v)]) {
                if (b.distance >= weight) break;
                if (longest_ < weight || bottlenecks_.between(a.terminal, b.terminal) < weight) return true;
            }
        }
        return false;
    }

    /// The minimum spanning tree of the terminals in order of weight (Prim); a forest where edges are missing.
    [[nodiscard]] bool join_terminals() {
        struct Joint {
            double weight;
            Vertex a, b;
        };
        const auto count = terminals_.size();
        std::vector<double> distance(count, Weights::infinity);
        std::vector<Vertex> from(count, no_vertex);
        std::vector<bool> inside(count, false);
        std::vector<Joint> joints;
        std::size_t next = 0;
        for (std::size_t step = 0; step < count; ++step) {
            if ((step & 63) == 0 && stop_.expired()) return false;
            inside[next] = true;
            std::size_t nearest = count;
            for (std::size_t k = 0; k < count; ++k) {
                if (inside[k]) continue;
                if (const double w = weights_(terminals_[next], terminals_[k]); w < distance[k]) {
                    distance[k] = w;
                    from[k] = static_cast<Vertex>(next);
                }
                if (nearest == count || distance[k] < distance[nearest]) nearest = k;
            }
            if (nearest == count) break;
            if (from[nearest] != no_vertex) {
                joints.push_back({distance[nearest], from[nearest], static_cast<Vertex>(nearest)});
            }
            longest_ = std::max(longest_, distance[nearest]);
            next = nearest;
        }
        std::sort(joints.begin(), joints.end(), [](const Joint& a, const Joint& b) { return a.weight < b.weight; });
        for (const Joint& joint : joints) bottlenecks_.join(joint.a, joint.b, joint.weight);
        return true;
    }

    [[nodiscard]] bool find_near_terminals() {
        const auto vertex_of = [&](std::size_t t) { return terminals_[t]; };
        const std::vector<Vertex> order = sorted_by_place(terminals_.size(), vertex_of);
        for (Vertex v = 0; v < weights_.size(); ++v) {
            if ((v & 63) == 0 && stop_.expired()) return false;
            const double here = line_.at[index(v)];
            const auto middle =
                static_cast<std::size_t>(std::lower_bound(order.begin(), order.end(), here,
                                                          [&](Vertex t, double place) {
                                                              return line_.at[index(terminals_[index(t)])] < place;
                                                          }) -
                                         order.begin());
            for (std::size_t k = middle; k < order.size() && offer(v, order[k]); ++k) {
            }
            for (std::size_t k = middle; k-- > 0 && offer(v, order[k]);) {
            }
        }
        return true;
    }

    /// False when this terminal, and so all that are farther along the line, is too far away.
    bool offer(Vertex v, Vertex t) {
        auto& list = near_[index(v)];
        const Vertex terminal = terminals_[index(t)];
        const double apart = std::abs(line_.at[index(terminal)] - line_.at[index(v)]);
        if (apart > list.back().distance * (1 + 1e-12) + line_.slack) return false;
        const double distance = v == terminal ? 0 : weights_(v, terminal);
        if (distance >= list.back().distance) return true;
        std::size_t k = near_kept - 1;
        for (; k > 0 && list[k - 1].distance > distance; --k) list[k] = list[k - 1];
        list[k] = {t, distance};
        return true;
    }

    const Weights& weights_;
    const std::vector<Vertex>& terminals_;
    const StopToken& stop_;
    FilterLine line_;
    std::vector<std::array<NearTerminal, near_kept>> near_;  // (n) nearest first, by single edges
    BottleneckForest bottlenecks_;                           // of the terminals
    double longest_ = 0;                                     // edge of their minimum spanning tree
};

}  // namespace

std::optional<std::vector<WeightedEdge>> sifted_edges(const Weights& weights, const std::vector<Vertex>& terminals,
                                                      std::size_t limit, const StopToken& stop) {
    EdgeFilter filter(weights, terminals, stop);
    if (!filter.prepare()) return std::nullopt;
    return filter.edges(limit);
}

}  // namespace neuroprim::steiner
