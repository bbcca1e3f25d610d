#include "problems/judging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "neuroprim/tree_spec.hpp"
#include "problems/crossings.hpp"
#include "problems/required.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

namespace {

using Reason = std::optional<std::string>;

/// Of equals the one with the smallest number, so that messages do not depend on how a tree is listed.
Vertex deepest(const RootedTree& rooted) {
    return static_cast<Vertex>(std::max_element(rooted.depth.begin(), rooted.depth.end()) - rooted.depth.begin());
}

/// Hangs a tree from its start in the order of its edges, which is several times faster than `hang`; nothing where
/// they are not listed as it grew.
std::optional<RootedTree> hang_as_listed(const Tree& tree, Vertex n) {
    RootedTree result;
    result.parent.assign(index(n), no_vertex);
    result.depth.assign(index(n), -1);
    result.depth[index(tree.start)] = 0;
    result.order.reserve(tree.edges.size() + 1);
    result.order.push_back(tree.start);
    for (const auto& [u, v] : tree.edges) {
        if (result.depth[index(u)] < 0 || result.depth[index(v)] >= 0) return std::nullopt;
        result.depth[index(v)] = result.depth[index(u)] + 1;
        result.parent[index(v)] = u;
        result.order.push_back(v);
    }
    return result;
}

/// A tree beside the specification that it should keep: one question per limit, each written from its definition.
class Judge {
public:
    Judge(const TreeSpec& spec, const Instance& instance, const Tree& tree, const std::vector<bool>& required)
        : spec_(spec),
          instance_(instance),
          tree_(tree),
          required_(required),
          degree_(degrees(tree, instance.size())),
          counts_from_root_(spec.counts_from_root() || spec.diameter) {
        if (counts_from_root_ && (!spec.root || contains(*spec.root))) {
            std::optional<RootedTree> rooted;
            if (spec.other_roots.empty() && spec.root.value_or(tree.start) == tree.start) {
                rooted = hang_as_listed(tree, instance.size());
            }
            rooted_ = rooted ? std::move(*rooted)
                             : hang(tree, spec.root ? spec.roots() : std::vector{tree.start}, instance.size());
        }
    }

    [[nodiscard]] Reason missing_vertex() const {
        if (spec_.root && !contains(*spec_.root)) return fmt::format("root {} is missing", label(*spec_.root));
        for (Vertex v = 0; v < instance_.size(); ++v) {
            if (!required_[index(v)] || contains(v)) continue;
            if (std::binary_search(spec_.terminals.begin(), spec_.terminals.end(), v)) {
                return fmt::format("terminal {} is missing", label(v));
            }
            return fmt::format("not connected: vertex {} is not in the tree", label(v));
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason wrong_group() const {
        if (spec_.coverage != Coverage::groups) return std::nullopt;
        std::vector<Vertex> member(static_cast<std::size_t>(spec_.group_count()), no_vertex);
        for (Vertex v = 0; v < instance_.size(); ++v) {
            if (spec_.group(v) < 0 || !contains(v)) continue;
            Vertex& first = member[static_cast<std::size_t>(spec_.group(v))];
            if (first != no_vertex) {
                return fmt::format("group {} has two vertices in the tree, {} and {}", spec_.group(v), label(first),
                                   label(v));
            }
            first = v;
        }
        const auto none = std::find(member.begin(), member.end(), no_vertex);
        if (none == member.end()) return std::nullopt;
        return fmt::format("group {} has no vertex in the tree", none - member.begin());
    }

    [[nodiscard]] Reason wrong_edge() const {
        if (spec_.included_edges.empty() && spec_.excluded_edges.empty()) return std::nullopt;
        std::set<std::pair<Vertex, Vertex>> inside;
        for (const auto& [u, v] : tree_.edges) inside.insert(std::minmax(u, v));
        for (const auto& [u, v] : spec_.included_edges) {
            if (!inside.contains(std::minmax(u, v))) {
                return fmt::format("edge {}-{} must be in the tree and is not", label(u), label(v));
            }
        }
        for (const auto& [u, v] : spec_.excluded_edges) {
            if (inside.contains(std::minmax(u, v))) {
                return fmt::format("edge {}-{} must not be in the tree and is", label(u), label(v));
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason too_many_edges() const {
        for (std::size_t v = 0; v < spec_.degrees.size(); ++v) {
            if (degree_[v] <= spec_.degrees[v]) continue;
            return fmt::format("degree {} > {} at vertex {}", degree_[v], spec_.degrees[v],
                               label(static_cast<Vertex>(v)));
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason too_many_hops() const {
        if (!spec_.hops) return std::nullopt;
        const Vertex last = deepest(rooted_);
        if (rooted_.depth[index(last)] <= *spec_.hops) return std::nullopt;
        return fmt::format("vertex {} is {} hops from root {}, the limit is {}", label(last),
                           rooted_.depth[index(last)], label(root_of(last)), *spec_.hops);
    }

    [[nodiscard]] Reason too_far() const {
        if (!spec_.length) return std::nullopt;
        std::vector<double> length(index(instance_.size()), 0);
        for (const Vertex v : rooted_.order) {
            const Vertex u = rooted_.parent[index(v)];
            if (u == no_vertex) continue;
            length[index(v)] = length[index(u)] + instance_.weights(u, v);
            if (length[index(v)] <= *spec_.length * (1 + sum_tolerance)) continue;
            return fmt::format("vertex {} is {:g} from root {}, the limit is {:g}", label(v), length[index(v)],
                               label(root_of(v)), *spec_.length);
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason too_much_load() const {
        const double most = spec_.branch_capacity();
        if (!spec_.has(Limit::capacity)) return std::nullopt;
        std::vector<double> load(index(instance_.size()), 0);
        for (auto v = rooted_.order.rbegin(); v != rooted_.order.rend(); ++v) {
            const Vertex u = rooted_.parent[index(*v)];
            if (u == no_vertex) continue;
            load[index(*v)] += spec_.demand(*v);
            load[index(u)] += load[index(*v)];
            if (rooted_.parent[index(u)] != no_vertex || load[index(*v)] <= most * (1 + sum_tolerance)) continue;
            return fmt::format("the branch through vertex {} has load {:g}, the {} {:g}", label(*v), load[index(*v)],
                               spec_.capacity == most ? "capacity is" : "largest cable carries", most);
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason crossed() const {
        if (!spec_.no_crossings) return std::nullopt;
        const auto pair = found_crossing();
        if (!pair) return std::nullopt;
        const auto& [one, other] = *pair;
        return fmt::format("edges {}-{} and {}-{} cross", label(one.u), label(one.v), label(other.u), label(other.v));
    }

    [[nodiscard]] Reason too_wide() const {
        if (!spec_.diameter) return std::nullopt;
        const Vertex one_end = deepest(rooted_);
        const RootedTree from_there = hang(tree_, one_end, instance_.size());
        const Vertex other_end = deepest(from_there);
        const Vertex diameter = from_there.depth[index(other_end)];
        if (diameter <= *spec_.diameter) return std::nullopt;
        return fmt::format("vertices {} and {} are {} hops apart, the diameter is limited to {}", label(one_end),
                           label(other_end), diameter, *spec_.diameter);
    }

private:
    /// The first pair of a small tree or of a forest, any pair of a large tree.
    [[nodiscard]] std::optional<std::pair<Edge, Edge>> found_crossing() const {
        constexpr std::size_t many = 1000;
        if (tree_.edges.size() > many && spec_.other_roots.empty()) return some_crossing(instance_, tree_);
        const auto pairs = crossings(instance_, tree_);
        if (pairs.empty()) return std::nullopt;
        return pairs.front();
    }

    [[nodiscard]] bool contains(Vertex v) const {
        if (degree_[index(v)] > 0 || (tree_.edges.empty() && v == tree_.start)) return true;
        if (spec_.other_roots.empty()) return false;  // in a forest a root alone is a tree
        return v == spec_.root || std::binary_search(spec_.other_roots.begin(), spec_.other_roots.end(), v);
    }
    [[nodiscard]] Vertex root_of(Vertex v) const {
        while (rooted_.parent[index(v)] != no_vertex) v = rooted_.parent[index(v)];
        return v;
    }
    [[nodiscard]] std::string label(Vertex v) const { return instance_.label(v); }

    const TreeSpec& spec_;
    const Instance& instance_;
    const Tree& tree_;
    const std::vector<bool>& required_;  // (n)
    std::vector<int> degree_;            // (n)
    bool counts_from_root_;
    RootedTree rooted_;  // from the root, or from where it grew, where something is counted from there
};

}  // namespace

std::optional<std::string> violation_beside(const TreeSpec& spec, const Instance& instance, const Tree& tree,
                                            const std::vector<bool>& required) {
    const bool is_forest = !spec.other_roots.empty();
    if (auto reason = is_forest ? structural_violation(tree, instance.weights, spec.roots())
                                : structural_violation(tree, instance.weights)) {
        return reason;
    }
    const Judge judge(spec, instance, tree, required);
    for (const auto question :
         {&Judge::missing_vertex, &Judge::wrong_group, &Judge::wrong_edge, &Judge::too_many_edges,
          &Judge::too_many_hops, &Judge::too_far, &Judge::too_much_load, &Judge::too_wide, &Judge::crossed}) {
        if (auto reason = (judge.*question)()) return reason;
    }
    return std::nullopt;
}

std::optional<std::string> violation(const TreeSpec& spec, const Instance& instance, const Tree& tree) {
    return violation_beside(spec, instance, tree, required_by(spec, instance.size()));
}

}  // namespace neuroprim
