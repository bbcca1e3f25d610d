#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "neuroprim/random.hpp"
#include "search/levels/cooling.hpp"
#include "search/levels/level_annealing.hpp"
#include "search/levels/level_tree.hpp"
#include "search/levels/placed_points.hpp"
#include "search/levels/point_level_reach.hpp"
#include "search/rooted/window_cells.hpp"

namespace neuroprim::levels {

/// What windows are part of: read by many of them at the same time.
template <std::size_t Dim>
struct LevelWindowSetting {
    const PlacedPoints<Dim>* graph;
    const LevelTree* tree;
    const rooted::WindowCells* cells;
    const std::vector<Vertex>* hubs;  ///< those of the first levels, which reach far
    int hops;
    Vertex fixed_level;  ///< stays on its level; or `no_vertex`
};

/// How long a window is annealed, and from where to where.
struct LevelEffort {
    std::int64_t steps = 0;
    double hot = 0;
    double cold = 0;
};

/// What a window did.
struct LevelChange {
    std::vector<std::pair<Vertex, int>> levels;  ///< new ones
    std::int64_t steps = 0;                      ///< done
};

/// The vertices of one cell, with those around them that could hang from them or they from. Levels change in the cell
/// only; what hangs around it may hang elsewhere, and counts. Windows side by side do not see what the others do, so
/// the cost of all is known when every vertex hangs anew.
template <std::size_t Dim, class Norm>
class LevelWindow {
public:
    LevelWindow(const LevelWindowSetting<Dim>& setting, std::size_t cell)
        : whole_(setting.tree),
          vertices_(vertices_of(setting, cell)),
          weights_(weights_of(setting)),
          graph_(weights_, positions_of(setting)),
          tree_(graph_.size()),
          reach_(graph_, tree_, setting.hops),
          annealing_(tree_, reach_, setting.hops, movable(setting, cell)) {
        for (Vertex p = 0; p < graph_.size(); ++p) {
            const Vertex v = whole_name(p);
            tree_.set_level(p, whole_->level(v));
            if (v != whole_->root()) tree_.hang(p, number_of(whole_->parent(v)), whole_->weight(v));
        }
        tree_.set_root(number_of(whole_->root()));
        if (whole_->twin() != no_vertex) tree_.set_twin(number_of(whole_->twin()));
        reach_.levels_changed();
    }

    /// `moves` proposals make a step.
    [[nodiscard]] LevelChange anneal(const LevelEffort& effort, int moves, Random random, const StopToken& stop) {
        LevelChange result;
        const Cooling cooling{effort.hot, effort.cold};
        for (; result.steps < effort.steps && !stop.expired(); ++result.steps) {
            const double over = static_cast<double>(result.steps) / static_cast<double>(effort.steps);
            const double temperature = cooling.at(over);
            for (int k = 0; k < moves; ++k) annealing_.step(temperature, random);
        }
        for (Vertex p = 0; p < graph_.size(); ++p) {
            const Vertex v = whole_name(p);
            if (tree_.level(p) != whole_->level(v)) result.levels.emplace_back(v, tree_.level(p));
        }
        return result;
    }

private:
    /// How far around its box a window looks, in parts of the longer side.
    static constexpr double margin = 0.1;

    using Box = typename KdTree<Dim>::Node;

    [[nodiscard]] Vertex whole_name(Vertex p) const { return vertices_[index(graph_.name(p))]; }

    [[nodiscard]] Vertex number_of(Vertex v) const {
        const auto found = std::lower_bound(vertices_.begin(), vertices_.end(), v);
        return graph_.number(static_cast<Vertex>(found - vertices_.begin()));
    }

    /// Increasing: the cell, all points around it, hubs, children that lie farther off, and all that is above these.
    [[nodiscard]] static std::vector<Vertex> vertices_of(const LevelWindowSetting<Dim>& setting, std::size_t cell) {
        const LevelTree& tree = *setting.tree;
        const auto inner = setting.cells->of(cell);
        std::vector<char> is_taken(index(tree.size()), 0);
        std::vector<Vertex> result;
        const auto take = [&](Vertex v) {
            for (; v != no_vertex && !is_taken[index(v)]; v = tree.parent(v)) {
                is_taken[index(v)] = 1;
                result.push_back(v);
            }
        };
        take(tree.root());
        take(tree.twin());
        for (const Vertex v : inner) {
            take(v);
            for (Vertex x = tree.first_child(v); x != no_vertex; x = tree.next_sibling(x)) take(x);
        }
        for (const Vertex v : *setting.hubs) take(v);
        const auto& kd_tree = setting.graph->kd_tree();
        Box box{kd_tree.position(index(inner.front())), kd_tree.position(index(inner.front())), 0, 0, 0};
        for (const Vertex v : inner) {
            for (std::size_t k = 0; k < Dim; ++k) {
                box.low[k] = std::min(box.low[k], kd_tree.position(index(v))[k]);
                box.high[k] = std::max(box.high[k], kd_tree.position(index(v))[k]);
            }
        }
        double side = 0;
        for (std::size_t k = 0; k < Dim; ++k) side = std::max(side, box.high[k] - box.low[k]);
        for (std::size_t k = 0; k < Dim; ++k) {
            box.low[k] -= margin * side;
            box.high[k] += margin * side;
        }
        std::vector<std::size_t> waiting = {0};
        while (!waiting.empty()) {
            const std::size_t k = waiting.back();
            waiting.pop_back();
            const Box& node = kd_tree.nodes()[k];
            bool meets = true;
            for (std::size_t d = 0; d < Dim; ++d) {
                meets = meets && node.low[d] <= box.high[d] && node.high[d] >= box.low[d];
            }
            if (!meets) continue;
            if (node.right != 0) {
                waiting.push_back(node.right);
                waiting.push_back(k + 1);
                continue;
            }
            for (std::size_t p = node.begin; p < node.end; ++p) take(static_cast<Vertex>(p));
        }
        std::sort(result.begin(), result.end());
        return result;
    }

    [[nodiscard]] Weights weights_of(const LevelWindowSetting<Dim>& setting) const {
        std::vector<Point> points;
        points.reserve(vertices_.size());
        const Weights& all = setting.graph->weights();
        for (const Vertex v : vertices_) points.push_back(all.points()[index(v)]);
        return Weights::from_points(std::move(points), all.metric());
    }

    [[nodiscard]] std::vector<Position<Dim>> positions_of(const LevelWindowSetting<Dim>& setting) const {
        std::vector<Position<Dim>> positions;
        positions.reserve(vertices_.size());
        for (const Vertex v : vertices_) positions.push_back(setting.graph->kd_tree().position(index(v)));
        return positions;
    }

    [[nodiscard]] std::vector<Vertex> movable(const LevelWindowSetting<Dim>& setting, std::size_t cell) const {
        std::vector<Vertex> result;
        for (const Vertex v : setting.cells->of(cell)) {
            if (whole_->level(v) > 0 && v != setting.fixed_level) result.push_back(number_of(v));
        }
        return result;
    }

    const LevelTree* whole_;
    std::vector<Vertex> vertices_;  // of the whole tree, increasing
    Weights weights_;
    PlacedPoints<Dim> graph_;
    LevelTree tree_;
    PointLevelReach<Dim, Norm> reach_;
    LevelAnnealing<PointLevelReach<Dim, Norm>> annealing_;
};

}  // namespace neuroprim::levels
