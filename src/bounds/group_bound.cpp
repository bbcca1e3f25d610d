#include "bounds/group_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "steiner/branching.hpp"
#include "steiner/postsolve.hpp"

namespace neuroprim {

namespace {

constexpr std::size_t most_edges_with_groups = 200'000;

class GroupBound final : public BoundProcess {
public:
    explicit GroupBound(const Problem& problem) : problem_(problem) {}

    bool advance(double upper, const StopToken& stop) override {
        if (finished_) return false;
        if (branching_ == nullptr) {
            if (problem_.weights().edge_count() > most_edges_with_groups) {
                finished_ = true;
                return false;
            }
            build(upper);
        }
        finished_ = !branching_->advance(upper + surplus_, steiner::Branching::short_work, stop);
        return !finished_;
    }

    [[nodiscard]] double value() const override {
        return branching_ == nullptr ? 0 : std::max(0.0, branching_->bound() - surplus_);
    }

    [[nodiscard]] std::optional<Tree> tree() const override {
        if (branching_ == nullptr || branching_->cost() == std::numeric_limits<double>::infinity()) {
            return std::nullopt;
        }
        std::vector<Edge> edges;
        Vertex start = no_vertex;
        for (const Edge& edge : branching_->edges()) {
            if (edge.v < problem_.size()) {
                edges.push_back(edge);
            } else {
                start = edge.u;  // it speaks for a group
            }
        }
        return start == no_vertex ? std::nullopt : std::optional(steiner::tree_of(problem_, edges, start));
    }

private:
    /// A group's edges weigh so much that a group is a leaf of every tree of interest.
    void build(double upper) {
        const TreeSpec& spec = problem_.spec();
        const Vertex n = problem_.size();
        auto origins = std::make_shared<steiner::Origins>();
        steiner::Graph graph(n + spec.group_count(), origins);
        bool whole = true;
        double all = 0;
        for (const auto& [u, v, weight] : problem_.weights().edges()) {
            if (spec.group(u) >= 0 && spec.group(u) == spec.group(v)) continue;
            graph.add_new(u, v, weight, origins->input(u, v));
            whole = whole && weight == std::floor(weight) && weight < 1e15;
            all += weight;
        }
        const double detour = 1 + std::ceil(std::min(upper, all));
        std::vector<int> group(index(n + spec.group_count()), -1);
        std::vector<char> is_spoken_for(static_cast<std::size_t>(spec.group_count()), 0);
        for (Vertex v = 0; v < n; ++v) {
            if (!problem_.required(v)) continue;
            graph.make_terminal(v);
            if (spec.group(v) >= 0) is_spoken_for[static_cast<std::size_t>(spec.group(v))] = 1;
        }
        for (Vertex v = 0; v < n; ++v) {
            group[index(v)] = spec.group(v);
            if (spec.group(v) < 0) continue;
            if (is_spoken_for[static_cast<std::size_t>(spec.group(v))] != 0) {
                if (!problem_.required(v)) graph.remove_vertex(v);
            } else {
                graph.add_new(v, n + spec.group(v), detour, origins->input(v, n + spec.group(v)));
            }
        }
        for (int g = 0; g < spec.group_count(); ++g) {
            if (is_spoken_for[static_cast<std::size_t>(g)] != 0) continue;
            graph.make_terminal(n + g);
            surplus_ += detour;
        }
        branching_ = std::make_unique<steiner::Branching>(std::move(graph), whole, std::move(group));
    }

    const Problem& problem_;
    std::unique_ptr<steiner::Branching> branching_;
    double surplus_ = 0;  // of the edges to groups
    bool finished_ = false;
};

}  // namespace

bool group_bound_suits(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return problem.is_plain() && spec.objective == Objective::length && spec.coverage == Coverage::groups;
}

std::unique_ptr<BoundProcess> make_group_bound(const Problem& problem) {
    return std::make_unique<GroupBound>(problem);
}

}  // namespace neuroprim
