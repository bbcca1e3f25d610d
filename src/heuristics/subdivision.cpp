#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/quick_paths.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

namespace {

/// The vertices that must be in a tree from `root`, which is among them. The vertex nearest to the root speaks for
/// each group that has none of them.
std::vector<Vertex> spanned_from(const Problem& problem, Vertex root) {
    const TreeSpec& spec = problem.spec();
    if (spec.coverage != Coverage::groups) return required_and(problem, root);
    const auto is_in = [&](Vertex v) { return v == root || problem.required(v); };
    std::vector<Vertex> result;
    std::vector<Vertex> speaker(static_cast<std::size_t>(spec.group_count()), no_vertex);
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (is_in(v)) result.push_back(v);
        if (spec.group(v) < 0) continue;
        Vertex& best = speaker[static_cast<std::size_t>(spec.group(v))];
        if (best != no_vertex && is_in(best)) continue;
        const bool is_nearer = best == no_vertex || problem.weights()(root, v) < problem.weights()(root, best);
        if (is_in(v) || is_nearer) best = v;
    }
    for (const Vertex v : speaker) {
        if (v != no_vertex && !is_in(v)) result.push_back(v);
    }
    return result;
}

/// Divides points again and again. The vertex of a part that is nearest to the one above becomes its top; the rest is
/// divided into a part for each child of it. Parts are sets: in which order or by how many threads they are divided
/// does not matter.
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
        if (spec_->length) most_length_ = *spec_->length * (1 + sum_tolerance);
        for (const Vertex v : spanned_from(problem, root)) {
            if (v != root) all_.push_back({weights_->points()[index(v)], v});
        }
        const auto has_one_child = [](int degree) { return degree <= 2; };
        if (spec_->has(Limit::capacity) || std::ranges::any_of(spec_->degrees, has_one_child)) order_along_curve();
    }

    /// A vertex has at least `fewest` children if the limits allow it: the more, the flatter the tree. Nothing where
    /// the limits are not kept.
    std::optional<Tree> tree(std::size_t fewest, int threads, const StopToken& stop) {
        fewest_ = fewest;
        placed_ = all_;
        edges_.resize(placed_.size());
        is_broken_ = false;
        std::vector<Part> parts = divided_around_root();
        // The first parts are few and large: each round divides all of them, side by side, till there are enough.
        constexpr std::size_t many = 64;
        while (!parts.empty() && parts.size() < many && !is_broken_) {
            std::vector<std::vector<Part>> smaller(parts.size());
            for_each_part(parts, threads, [&](std::size_t k) {
                stop.check();
                divide(parts[k], smaller[k]);
            });
            parts.clear();
            for (const auto& some : smaller) parts.insert(parts.end(), some.begin(), some.end());
        }
        for_each_part(parts, threads, [&](std::size_t k) { divide_to_the_end(parts[k], stop); });
        if (is_broken_) return std::nullopt;
        return Tree{root_, edges_};
    }

private:
    struct Placed {
        Point at;
        Vertex v;
    };

    /// Vertices that hang from `above` as the subtrees of so many children.
    struct Part {
        std::span<Placed> vertices;
        std::size_t children;
        Vertex above;
        double hops_left;  // below `above`
        double length;     // from the root to `above`
    };

    void order_along_curve() {
        const auto order = curve_order(weights_->points());
        rank_.resize(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) rank_[index(order[k])] = k;
        std::ranges::sort(all_, {}, [&](const Placed& p) { return rank_[index(p.v)]; });
    }

    template <class Work>
    static void for_each_part(const std::vector<Part>& parts, int threads, Work&& work) {
        parallel_for(threads, parts.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) work(k);
        });
    }

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

    /// With a capacity in the order of the curve, each part as large as that allows.
    std::vector<Part> divided_around_root() {
        if (placed_.empty()) return {};
        const std::size_t wanted = children_for(placed_.size(), most_hops_);
        if (!spec_->has(Limit::capacity)) {
            return {{placed_, std::min(wanted, most_children(root_)), root_, most_hops_, 0}};
        }
        const std::size_t most = (placed_.size() + wanted - 1) / wanted;
        const double capacity = spec_->branch_capacity();
        std::vector<Part> parts;
        std::size_t begin = 0;
        double load = 0;
        for (std::size_t k = 0; k <= placed_.size(); ++k) {
            const double demand = k < placed_.size() ? spec_->demand(placed_[k].v) : 0;
            if (k == placed_.size() || k - begin == most || (k > begin && load + demand > capacity)) {
                parts.push_back({std::span(placed_).subspan(begin, k - begin), 1, root_, most_hops_, 0});
                begin = k;
                load = 0;
            }
            load += demand;
        }
        is_broken_ = parts.size() > most_children(root_);
        return parts;
    }

    void divide_to_the_end(const Part& whole, const StopToken& stop) {
        constexpr std::size_t between_looks = 256;  // vertices
        std::size_t seen = between_looks;
        std::vector<Part> open = {whole};
        while (!open.empty() && !is_broken_) {
            const Part part = open.back();
            open.pop_back();
            seen += part.vertices.size();
            if (seen >= between_looks) {
                stop.check();
                seen = 0;
            }
            divide(part, open);
        }
    }

    /// One step: halves, or a part for one child hangs its top.
    void divide(const Part& part, std::vector<Part>& smaller) {
        if (part.vertices.empty()) return;
        if (part.children == 0) {
            is_broken_ = true;
        } else if (part.children == 1) {
            hang(part, smaller);
        } else {
            halve(part, smaller);
        }
    }

    /// By the wider side of their box.
    static void halve(const Part& part, std::vector<Part>& smaller) {
        Point low = part.vertices.front().at;
        Point high = low;
        for (const auto& [at, v] : part.vertices) {
            low = {std::min(low.x, at.x), std::min(low.y, at.y)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        }
        const auto by = [](double Point::*side) {
            return [side](const Placed& a, const Placed& b) {
                return a.at.*side != b.at.*side ? a.at.*side < b.at.*side : a.v < b.v;
            };
        };
        const std::size_t children = part.children / 2;
        const std::size_t half = part.vertices.size() * children / part.children;
        const auto middle = part.vertices.begin() + static_cast<std::ptrdiff_t>(half);
        const bool by_x = high.x - low.x >= high.y - low.y;
        std::ranges::nth_element(part.vertices, middle, by(by_x ? &Point::x : &Point::y));
        Part one = part;
        one.vertices = part.vertices.first(half);
        one.children = children;
        Part other = part;
        other.vertices = part.vertices.subspan(half);
        other.children = part.children - children;
        smaller.push_back(one);
        smaller.push_back(other);
    }

    void hang(const Part& part, std::vector<Part>& smaller) {
        const std::size_t below = part.vertices.size() - 1;
        const std::size_t wanted = below == 0 ? 0 : children_for(below, part.hops_left - 1);
        const Point above = weights_->points()[index(part.above)];
        std::size_t top = 0;
        std::size_t children = 0;
        double nearest = Weights::infinity;
        for (std::size_t k = 0; k < part.vertices.size(); ++k) {
            const auto& [at, v] = part.vertices[k];
            const std::size_t here = std::min(wanted, most_children(v));
            if (here < children) continue;
            const double weight = distance(weights_->metric(), above, at);
            const bool is_nearer =
                weight < nearest || (weight == nearest && v < part.vertices[top].v) || here > children;
            if (!is_nearer) continue;
            top = k;
            children = here;
            nearest = weight;
        }
        std::swap(part.vertices[0], part.vertices[top]);
        const Vertex v = part.vertices[0].v;
        const Part rest{part.vertices.subspan(1), children, v, part.hops_left - 1, part.length + nearest};
        if (part.hops_left < 1 || rest.length > most_length_) {
            is_broken_ = true;
            return;
        }
        edge_of(part.vertices[0]) = {part.above, v};
        if (children == 1 && rest.vertices.size() > 1) {
            chain(rest);
        } else {
            smaller.push_back(rest);
        }
    }

    /// One child each: in the order of the curve.
    void chain(const Part& part) {
        is_broken_ = is_broken_ || static_cast<double>(part.vertices.size()) > part.hops_left;
        std::ranges::sort(part.vertices, {}, [&](const Placed& p) { return rank_[index(p.v)]; });
        Vertex above = part.above;
        double length = part.length;
        for (const Placed& next : part.vertices) {
            length += (*weights_)(above, next.v);
            if (length > most_length_) is_broken_ = true;
            edge_of(next) = {std::exchange(above, next.v), next.v};
        }
    }

    /// The edge above a vertex at the place of the vertex: a top comes before what hangs from it.
    Edge& edge_of(const Placed& placed) { return edges_[static_cast<std::size_t>(&placed - placed_.data())]; }

    const TreeSpec* spec_;
    const Weights* weights_;
    Vertex root_;
    std::size_t fewest_ = 2;
    double most_hops_ = 0;
    double most_length_ = Weights::infinity;
    std::vector<std::size_t> rank_;  // (n) along the curve, where that is asked for
    std::vector<Placed> all_;        // the vertices of the tree, without the root
    std::vector<Placed> placed_;     // the same, part by part
    std::vector<Edge> edges_;        // parallel to it
    std::atomic<bool> is_broken_ = false;
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
           spec.included_edges.empty();
}

Tree subdivision(const Problem& problem, const MethodOptions& options) {
    if (!subdivision_suits(problem)) {
        throw InputError("subdivision is for points, without edges that must be in");
    }
    const StopToken stop = stop_token_of(options);
    const bool has_centre = problem.spec().diameter && problem.starts().size() > 1 && options.start == no_vertex;
    const Vertex root = has_centre ? central_point(problem.weights().points()) : start_of(problem, options);
    Subdivision parts(problem, root);
    // The flatter, the shorter the ways from the root; the last tree is a star, if the limits allow it.
    for (std::size_t fewest = 2; fewest <= 4 * index(problem.size()); fewest *= 4) {
        auto tree = parts.tree(fewest, options.threads, stop);
        const bool is_good = tree && !(problem.spec().no_crossings && problem.violation(*tree));
        if (is_good) return grown_from_allowed_start(problem, std::move(*tree));
        if (!problem.spec().length) break;
    }
    give_up(problem, "subdivision found no parts that keep the limits");
}

}  // namespace neuroprim
