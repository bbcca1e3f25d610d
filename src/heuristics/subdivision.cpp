#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/methods.hpp"
#include "heuristics/quick_paths.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

/// Divides points again and again. The vertex of a part that is nearest to the one above becomes its top; the rest is
/// divided into a part for each child of it.
class Subdivision {
public:
    Subdivision(const Problem& problem, Vertex root)
        : spec_(&problem.spec()), weights_(&problem.weights()), root_(root) {
        most_hops_ = static_cast<double>(problem.size());
        if (spec_->hops) most_hops_ = *spec_->hops;
        if (spec_->diameter) {
            const int radius = *spec_->diameter / 2;
            most_hops_ = std::min<double>(most_hops_, radius);
        }
        rank_.resize(index(problem.size()));
        const auto order = curve_order(weights_->points());
        for (std::size_t k = 0; k < order.size(); ++k) rank_[index(order[k])] = k;
        for (const Vertex v : required_and(problem, root)) {
            if (v != root) along_curve_.push_back(v);
        }
        std::sort(along_curve_.begin(), along_curve_.end(), [&](Vertex a, Vertex b) { return before(a, b); });
    }

    /// A vertex has at least `fewest` children if the limits allow it: the more, the flatter the tree. Nothing where
    /// the limits are not kept.
    std::optional<Tree> tree(std::size_t fewest, const StopToken& stop) {
        fewest_ = fewest;
        vertices_ = along_curve_;
        parts_.clear();
        Tree tree{root_, {}};
        tree.edges.reserve(vertices_.size());
        if (!divide_around_root()) return std::nullopt;
        constexpr std::size_t between_looks = 256;  // vertices
        for (std::size_t seen = between_looks; !parts_.empty();) {
            const Part part = parts_.back();
            parts_.pop_back();
            seen += part.vertices.size();
            if (seen >= between_looks) {
                stop.check();
                seen = 0;
            }
            if (part.hops_left < 1) return std::nullopt;
            if (!hang(part, tree)) return std::nullopt;
        }
        return tree;
    }

private:
    struct Part {
        std::span<Vertex> vertices;
        Vertex above;
        double hops_left;  // below `above`
    };

    [[nodiscard]] bool before(Vertex a, Vertex b) const { return rank_[index(a)] < rank_[index(b)]; }

    [[nodiscard]] std::size_t most_children(Vertex v) const {
        if (spec_->degrees.empty()) return weights_->points().size();
        return static_cast<std::size_t>(std::max(0, spec_->degrees[index(v)] - (v == root_ ? 0 : 1)));
    }

    /// How many children each vertex needs to hold `count` vertices below one within that many hops.
    [[nodiscard]] std::size_t children_for(std::size_t count, double hops_left) const {
        const auto holds = [&](std::size_t children) {
            double level = 1;
            double sum = 0;
            for (double hop = 0; hop < hops_left && sum < static_cast<double>(count); ++hop) {
                level *= static_cast<double>(children);
                sum += level;
            }
            return sum >= static_cast<double>(count);
        };
        std::size_t enough = std::min(fewest_, count);
        if (holds(enough)) return enough;
        std::size_t few = enough;
        while (!holds(enough) && enough < count) {
            few = enough;
            enough = std::min(2 * enough, count);
        }
        while (few + 1 < enough) {
            const std::size_t middle = (few + enough) / 2;
            (holds(middle) ? enough : few) = middle;
        }
        return enough;
    }

    /// Parts in the order of the curve, each as large as the capacity allows.
    bool divide_around_root() {
        if (vertices_.empty()) return true;
        const std::size_t wanted = children_for(vertices_.size(), most_hops_);
        if (!spec_->has(Limit::capacity)) {
            return divide(vertices_, std::min(wanted, most_children(root_)), root_, most_hops_);
        }
        const std::size_t most = (vertices_.size() + wanted - 1) / wanted;
        const double capacity = spec_->branch_capacity();
        std::size_t begin = 0;
        double load = 0;
        for (std::size_t k = 0; k <= vertices_.size(); ++k) {
            const double demand = k < vertices_.size() ? spec_->demand(vertices_[k]) : 0;
            if (k == vertices_.size() || k - begin == most || (k > begin && load + demand > capacity)) {
                parts_.push_back({std::span(vertices_).subspan(begin, k - begin), root_, most_hops_});
                begin = k;
                load = 0;
            }
            load += demand;
        }
        return parts_.size() <= most_children(root_);
    }

    /// Halves, by the wider side of their box, as often as it takes.
    bool divide(std::span<Vertex> vertices, std::size_t count, Vertex above, double hops_left) {
        if (vertices.empty()) return true;
        if (count == 0) return false;
        if (count == 1) {
            parts_.push_back({vertices, above, hops_left});
            return true;
        }
        const auto points = weights_->points();
        Point low = points[index(vertices.front())];
        Point high = low;
        for (const Vertex v : vertices) {
            const Point& p = points[index(v)];
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const bool by_x = high.x - low.x >= high.y - low.y;
        const std::size_t half = vertices.size() * (count / 2) / count;
        std::nth_element(vertices.begin(), vertices.begin() + static_cast<std::ptrdiff_t>(half), vertices.end(),
                         [&](Vertex a, Vertex b) {
                             const double x = by_x ? points[index(a)].x : points[index(a)].y;
                             const double y = by_x ? points[index(b)].x : points[index(b)].y;
                             return x != y ? x < y : a < b;
                         });
        return divide(vertices.first(half), count / 2, above, hops_left) &&
               divide(vertices.subspan(half), count - count / 2, above, hops_left);
    }

    bool hang(const Part& part, Tree& tree) {
        const std::size_t below = part.vertices.size() - 1;
        const std::size_t wanted = below == 0 ? 0 : children_for(below, part.hops_left - 1);
        std::size_t top = 0;
        std::size_t children = 0;
        double distance = Weights::infinity;
        for (std::size_t k = 0; k < part.vertices.size(); ++k) {
            const std::size_t here = std::min(wanted, most_children(part.vertices[k]));
            const double weight = (*weights_)(part.above, part.vertices[k]);
            if (here < children || (here == children && weight >= distance)) continue;
            top = k;
            children = here;
            distance = weight;
        }
        std::swap(part.vertices[0], part.vertices[top]);
        const Vertex v = part.vertices[0];
        tree.edges.push_back({part.above, v});
        const auto rest = part.vertices.subspan(1);
        if (children == 1 && rest.size() > 1) return chain(v, rest, part.hops_left - 1, tree);
        return divide(rest, children, v, part.hops_left - 1);
    }

    /// One child each: in the order of the curve.
    bool chain(Vertex above, std::span<Vertex> vertices, double hops_left, Tree& tree) {
        if (static_cast<double>(vertices.size()) > hops_left) return false;
        std::sort(vertices.begin(), vertices.end(), [&](Vertex a, Vertex b) { return before(a, b); });
        for (const Vertex v : vertices) tree.edges.push_back({std::exchange(above, v), v});
        return true;
    }

    const TreeSpec* spec_;
    const Weights* weights_;
    Vertex root_;
    std::size_t fewest_ = 2;
    double most_hops_ = 0;
    std::vector<std::size_t> rank_;    // (n) along the curve
    std::vector<Vertex> along_curve_;  // the vertices of the tree, without the root
    std::vector<Vertex> vertices_;     // the same, part by part
    std::vector<Part> parts_;          // still to hang
};

/// The point nearest to the middle of all.
Vertex central_point(std::span<const Point> points) {
    Point mean{0, 0};
    for (const Point& p : points) {
        mean.x += p.x / static_cast<double>(points.size());
        mean.y += p.y / static_cast<double>(points.size());
    }
    const auto far = [&](const Point& p) { return std::hypot(p.x - mean.x, p.y - mean.y); };
    const auto best = std::min_element(points.begin(), points.end(),
                                       [&](const Point& a, const Point& b) { return far(a) < far(b); });
    return static_cast<Vertex>(best - points.begin());
}

}  // namespace

bool subdivision_suits(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return problem.is_plain() && problem.weights().is_complete() && !problem.weights().points().empty() &&
           spec.coverage != Coverage::groups && spec.included_edges.empty();
}

Tree subdivision(const Problem& problem, const MethodOptions& options) {
    if (!subdivision_suits(problem)) {
        throw InputError("subdivision is for points, without groups and without edges that must be in");
    }
    const StopToken stop = stop_token_of(options);
    const bool has_centre = problem.spec().diameter && problem.starts().size() > 1 && options.start == no_vertex;
    const Vertex root = has_centre ? central_point(problem.weights().points()) : start_of(problem, options);
    // The flatter, the shorter the ways from the root; the last tree is a star, if the limits allow it.
    Subdivision parts(problem, root);
    for (std::size_t fewest = 2;; fewest *= 4) {
        auto tree = parts.tree(fewest, stop);
        if (tree && !problem.violation(*tree)) return grown_from_allowed_start(problem, std::move(*tree));
        if (!tree || !problem.spec().length || fewest > index(problem.size())) break;
    }
    give_up(problem, "subdivision found no parts that keep the limits");
}

}  // namespace neuroprim
