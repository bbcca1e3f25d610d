#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

/// What a specification says of a tree, written out a second time: all from distances between all pairs.
class Definition {
public:
    Definition(const TreeSpec& spec, const Instance& instance, const Tree& tree)
        : spec_(spec), instance_(instance), tree_(tree), n_(index(instance.size())) {
        const double far = 1e18;
        hops_.assign(n_, std::vector<double>(n_, far));
        way_ = hops_;
        inside_.insert(tree.start);
        for (std::size_t v = 0; v < n_; ++v) hops_[v][v] = way_[v][v] = 0;
        for (const auto& [u, v] : tree.edges) {
            hops_[index(u)][index(v)] = hops_[index(v)][index(u)] = 1;
            way_[index(u)][index(v)] = way_[index(v)][index(u)] = instance.weights(u, v);
            inside_.insert({u, v});
        }
        for (std::size_t k = 0; k < n_; ++k) {
            for (std::size_t a = 0; a < n_; ++a) {
                for (std::size_t b = 0; b < n_; ++b) {
                    hops_[a][b] = std::min(hops_[a][b], hops_[a][k] + hops_[k][b]);
                    way_[a][b] = std::min(way_[a][b], way_[a][k] + way_[k][b]);
                }
            }
        }
    }

    [[nodiscard]] bool feasible() const {
        return covers() && keeps_edges() && keeps_degrees() && keeps_distances() && keeps_loads();
    }

    [[nodiscard]] double cost() const {
        double sum = 0;
        for (const auto& edge : tree_.edges) sum += instance_.weights(edge.u, edge.v) * price(edge);
        for (Vertex v = 0; v < instance_.size(); ++v) {
            if (!inside_.contains(v)) sum += spec_.prize(v);
        }
        return sum;
    }

private:
    /// Is `v` on the far side of the edge, seen from `from`?
    [[nodiscard]] bool behind(const Edge& edge, Vertex from, Vertex v) const {
        const auto far_end = hops_[index(from)][index(edge.u)] < hops_[index(from)][index(edge.v)] ? edge.v : edge.u;
        const auto near_end = far_end == edge.u ? edge.v : edge.u;
        return inside_.contains(v) && hops_[index(v)][index(far_end)] < hops_[index(v)][index(near_end)];
    }

    [[nodiscard]] double load(const Edge& edge, Vertex from) const {
        double sum = 0;
        for (Vertex v = 0; v < instance_.size(); ++v) sum += behind(edge, from, v) ? spec_.demand(v) : 0;
        return sum;
    }

    [[nodiscard]] double price(const Edge& edge) const {
        if (spec_.objective == Objective::length) return 1;
        if (spec_.objective == Objective::cables) {
            double best = 1e18;
            for (const auto& cable : spec_.cables) {
                if (load(edge, *spec_.root) <= cable.capacity) best = std::min(best, cable.price);
            }
            return best;
        }
        double pairs = 0;
        for (Vertex a = 0; a < instance_.size(); ++a) {
            for (Vertex b = 0; b < a; ++b) {
                if (behind(edge, edge.u, a) == behind(edge, edge.u, b)) continue;
                pairs += spec_.objective == Objective::routing_cost ? spec_.mass(a) * spec_.mass(b)
                                                                    : instance_.requirements[pair_index(a, b)];
            }
        }
        return pairs;
    }

    [[nodiscard]] bool covers() const {
        if (spec_.root && !inside_.contains(*spec_.root)) return false;
        for (const Vertex v : spec_.terminals) {
            if (!inside_.contains(v)) return false;
        }
        if (spec_.coverage == Coverage::all) return inside_.size() == n_;
        if (spec_.coverage != Coverage::groups) return true;
        for (int group = 0; group < spec_.group_count(); ++group) {
            const auto count =
                std::count_if(inside_.begin(), inside_.end(), [&](Vertex v) { return spec_.group(v) == group; });
            if (count != 1) return false;
        }
        return true;
    }

    [[nodiscard]] bool has(const Edge& wanted) const {
        return std::any_of(tree_.edges.begin(), tree_.edges.end(), [&](const Edge& edge) {
            return std::set{edge.u, edge.v} == std::set{wanted.u, wanted.v};
        });
    }

    [[nodiscard]] bool keeps_edges() const {
        const auto is_in = [&](const Edge& edge) { return has(edge); };
        return std::all_of(spec_.included_edges.begin(), spec_.included_edges.end(), is_in) &&
               std::none_of(spec_.excluded_edges.begin(), spec_.excluded_edges.end(), is_in);
    }

    [[nodiscard]] bool keeps_degrees() const {
        for (std::size_t v = 0; v < spec_.degrees.size(); ++v) {
            const auto degree = std::count(hops_[v].begin(), hops_[v].end(), 1.0);
            if (degree > spec_.degrees[v]) return false;
        }
        return true;
    }

    [[nodiscard]] bool keeps_distances() const {
        for (const Vertex a : inside_) {
            if (spec_.hops && hops_[index(*spec_.root)][index(a)] > *spec_.hops) return false;
            if (spec_.length && way_[index(*spec_.root)][index(a)] > *spec_.length) return false;
            for (const Vertex b : inside_) {
                if (spec_.diameter && hops_[index(a)][index(b)] > *spec_.diameter) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool keeps_loads() const {
        for (const auto& edge : tree_.edges) {
            if (!spec_.capacity && spec_.objective != Objective::cables) break;
            const double amount = load(edge, *spec_.root);
            if (spec_.capacity && (edge.u == *spec_.root || edge.v == *spec_.root) && amount > *spec_.capacity)
                return false;
            if (spec_.objective == Objective::cables && amount > spec_.cables.back().capacity) return false;
        }
        return true;
    }

    const TreeSpec& spec_;
    const Instance& instance_;
    const Tree& tree_;
    std::size_t n_;
    std::vector<std::vector<double>> hops_;  // (n, n)
    std::vector<std::vector<double>> way_;   // (n, n)
    std::set<Vertex> inside_;
};

template <class Value>
Value one_of(Random& random, std::initializer_list<Value> values) {
    return values.begin()[random.below(values.size())];
}

/// A random objective and coverage and two to four limits, none of them empty talk.
TreeSpec random_spec(Random& random, const Instance& instance) {
    const Vertex n = instance.size();
    TreeSpec spec;
    const auto per_vertex = [&](double least, double most) {
        std::vector<double> values(index(n));
        for (double& value : values) value = std::floor(least + (most - least) * random.uniform());
        return values;
    };
    const auto vertex = [&] { return static_cast<Vertex>(random.below(index(n))); };
    spec.objective = one_of(random, {Objective::length, Objective::length, Objective::routing_cost,
                                     Objective::communication, Objective::cables});
    const bool pairs = spec.objective == Objective::routing_cost || spec.objective == Objective::communication;
    if (spec.objective == Objective::cables) spec.cables = {{3, 1}, {6, 1.5}, {40, 4}};
    if (spec.objective == Objective::routing_cost && random.below(2) == 0) spec.masses = per_vertex(1, 4);
    if (!pairs) {
        spec.coverage = one_of(random, {Coverage::all, Coverage::terminals, Coverage::groups, Coverage::optional});
    }
    if (spec.coverage == Coverage::terminals) spec.terminals = {1, 3};
    if (spec.coverage == Coverage::groups) spec.groups = {0, 1, 2, 0, 1, -1, 2};
    spec.groups.resize(spec.groups.empty() ? 0 : index(n));
    if (spec.coverage == Coverage::optional) {
        spec.prizes = per_vertex(0, 3);
        for (double& prize : spec.prizes) prize *= 0.2;
    }
    if (spec.objective == Objective::cables || random.below(2) == 0) spec.root = vertex();
    const int limits = 2 + static_cast<int>(random.below(3));
    for (int k = 0; k < limits; ++k) {
        const std::size_t kind = random.below(spec.root ? 7 : 3);
        if (kind == 0) {
            spec.degrees.clear();
            for (Vertex v = 0; v < n; ++v) spec.degrees.push_back(1 + static_cast<int>(random.below(4)));
        }
        if (kind == 1) spec.diameter = 2 + static_cast<int>(random.below(4));
        if (kind == 2) {
            spec.included_edges = {{0, 2}};
            spec.excluded_edges = {{1, 2}, {0, 4}};
        }
        if (kind == 3) spec.hops = 1 + static_cast<int>(random.below(4));
        if (kind == 4) spec.length = 0.5 + random.uniform();
        if (kind >= 5) {
            spec.capacity = 2 + static_cast<double>(random.below(5));
            if (kind == 6) spec.demands = per_vertex(0, 3);
        }
    }
    return spec;
}

/// Legal edges at random till the tree may stop; nothing in a dead end.
std::optional<Tree> grown_at_random(const Problem& problem, Random& random) {
    const auto starts = problem.starts();
    Construction state(problem, starts[random.below(starts.size())]);
    while (!state.may_stop()) {
        std::vector<Edge> legal;
        for (const Vertex u : state.open()) {
            for (const Vertex v : state.outside()) {
                if (state.allows(u, v)) legal.push_back({u, v});
            }
        }
        if (legal.empty()) return std::nullopt;
        const Edge edge = legal[random.below(legal.size())];
        state.add(edge.u, edge.v);
    }
    return state.tree();
}

/// Can the tree be grown edge by edge from where the problem may start?
bool can_be_grown(const Problem& problem, const Tree& tree) {
    const RootedTree inside = hang(tree, tree.start, problem.size());
    for (const Vertex start : problem.starts()) {
        if (!inside.contains(start)) continue;
        const RootedTree rooted = hang(tree, start, problem.size());
        Construction state(problem, start);
        const bool grows = std::all_of(rooted.order.begin() + 1, rooted.order.end(), [&](Vertex v) {
            const Vertex u = rooted.parent[index(v)];
            if (!state.allows(u, v)) return false;
            state.add(u, v);
            return true;
        });
        if (grows && state.may_stop()) return true;
    }
    return false;
}

bool has_a_start(const Problem& problem, const Tree& tree) {
    const RootedTree inside = hang(tree, tree.start, problem.size());
    const auto starts = problem.starts();
    return std::any_of(starts.begin(), starts.end(), [&](Vertex v) { return inside.contains(v); });
}

class RandomSpecifications : public ::testing::TestWithParam<int> {};

TEST_P(RandomSpecifications, GrowingJudgingAndSolvingAgreeWithTheDefinition) {
    Random random(77, static_cast<std::uint64_t>(GetParam()));
    int feasible_ones = 0;
    int missed = 0;  // the optimum, by a search that knows no specification in particular
    for (int round = 0; round < 20; ++round) {
        const Vertex n = round % 5 == 0 ? 7 : 6;
        const Instance instance =
            generate({.n = n, .requirements = true, .seed = static_cast<std::uint64_t>(100 * GetParam() + round)});
        const TreeSpec spec = random_spec(random, instance);
        std::optional<Problem> made;
        try {
            made.emplace(instance, spec);
        } catch (const InputError&) {
            continue;  // such as a demand beyond the capacity
        }
        const Problem& problem = *made;
        const std::string what = describe(spec, instance);

        std::optional<double> least;
        testing::for_each_candidate(problem, [&](const Tree& tree) {
            const Definition definition(spec, instance, tree);
            const auto reason = problem.violation(tree);
            ASSERT_EQ(!reason, definition.feasible()) << what << ": " << reason.value_or("feasible");
            if (reason) return;
            ASSERT_NEAR(problem.cost(tree), definition.cost(), 1e-9) << what;
            if (!least || definition.cost() < *least) least = definition.cost();
            ASSERT_TRUE(!has_a_start(problem, tree) || can_be_grown(problem, tree)) << what;
        });
        if (least) {
            ++feasible_ones;
            EXPECT_EQ(problem.infeasibility_certificate(), std::nullopt) << what;
        }
        for (int k = 0; k < 20; ++k) {
            const auto tree = grown_at_random(problem, random);
            ASSERT_TRUE(!tree || !problem.violation(problem.pruned(*tree))) << what;
        }
        for (const Method& method : methods()) {
            try {
                const Tree tree = problem.pruned(method.construct(problem, {}));
                const bool feasible = !problem.violation(tree);
                EXPECT_TRUE(!feasible || problem.cost(tree) >= least.value_or(1e18) - 1e-9) << method.name;
            } catch (const std::runtime_error&) {
                // made for other problems, or in a dead end
            }
        }
        try {
            const Solution solution = solve(problem, {.max_iterations = 200});
            ASSERT_TRUE(least) << what;
            EXPECT_EQ(problem.violation(solution.tree), std::nullopt) << what;
            EXPECT_GE(solution.cost, *least - 1e-9) << what;
            if (solution.cost > *least + 1e-9) ++missed;
            EXPECT_LE(solution.bound.value_or(0), *least + 1e-9) << what;
        } catch (const Infeasible& reason) {
            EXPECT_FALSE(least) << what << ": " << reason.what();
        }
    }
    EXPECT_GT(feasible_ones, 4);
    EXPECT_LE(3 * missed, feasible_ones);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSpecifications, ::testing::Range(0, 10));

TEST(Infeasibility, KnowsThatRoundedDetoursCanBeShorter) {
    // 0.4 + 0.4 rounds to 0 by way of the middle, 0.8 to 1 straight on.
    Instance instance;
    instance.weights = Weights::from_points({{0, 0}, {0.4, 0}, {0.8, 0}}, Metric::euc_2d);
    TreeSpec spec;
    spec.root = 0;
    spec.length = 0;
    EXPECT_EQ(infeasibility(spec, instance), std::nullopt);
    instance.weights = instance.weights.with_metric(Metric::euclidean);
    EXPECT_EQ(infeasibility(spec, instance), "vertex 2 is 0.8 from root 0 on the shortest way, the limit is 0");
}

TEST(TreeSpec, SaysWhatContradictsWhat) {
    const Instance instance = generate({.n = 8, .seed = 1});
    const auto complaint = [&](const TreeSpec& spec) {
        try {
            check(spec, instance);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_EQ(complaint({.root = 0, .capacity = 5, .demands = {1, 1, 1, 1, 1, 1, 1, 9}}),
              "capacity 5, but vertex 7 has demand 9");
    EXPECT_EQ(complaint({.hops = 3}), "hops are counted from a root: give one (--root V) with --hops");
    EXPECT_EQ(complaint({.degrees = {1, 2}}), "2 degree limits for 8 vertices: expected one each");
    EXPECT_EQ(complaint({.degrees = std::vector<int>(8, 1), .included_edges = {{0, 1}, {1, 2}}}),
              "degree limit 1 at vertex 1, but 2 included edges");
    EXPECT_EQ(complaint({.objective = Objective::cables, .root = 0, .cables = {{2, 3}, {5, 1}}}),
              "cable 2: expected more capacity than cable 1, and no lower price");
    EXPECT_EQ(complaint({.objective = Objective::routing_cost, .coverage = Coverage::terminals, .terminals = {1}}),
              "sums over pairs need every vertex in the tree: no terminals, groups or prizes with them");
    EXPECT_EQ(complaint({.coverage = Coverage::optional, .prizes = std::vector<double>(8, 1)}), "nothing");
}

}  // namespace
}  // namespace neuroprim
