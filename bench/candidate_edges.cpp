// Does a policy know better than distances where a good tree's edges are, and does that help ruin and recreate?
//
//   candidate_edges model.safetensors [--n 50,100] [--instances 8] [--first 0] [--times 3,0.03,0.1,0.3] [--threads 2]
//                   [--kinds hops,capacity,…]
//
// Lists of candidate edges for each vertex: near ones first, or those first that the policy's trees use most. The
// first rows of a kind and size are how many percent of the edges of a good tree are among the first k of one of
// their ends. That tree is the search's after the first of the times. The other rows are percent above it for one
// worker of ruin and recreate with such lists after the other times, which do not count the policy's own time. Means
// over instances. The policy's trees are greedy ones under eight symmetries; edges of no tree come last, near ones
// first.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "limit_kinds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/random.hpp"
#include "search/local_search.hpp"
#include "search/rooted/rooted_worker.hpp"

using namespace neuroprim;
using namespace neuroprim::bench;

namespace {

constexpr std::array depths = {1, 2, 3, 4, 6, 8, 14};

using Uses = std::map<std::pair<Vertex, Vertex>, int>;  // of an edge, smaller end first
using Lists = std::vector<std::vector<Vertex>>;         // (n), best first

std::pair<Vertex, Vertex> key(Vertex u, Vertex v) {
    return {std::min(u, v), std::max(u, v)};
}

Uses uses_of(const std::vector<Tree>& trees) {
    Uses result;
    for (const Tree& tree : trees) {
        for (const auto& [u, v] : tree.edges) ++result[key(u, v)];
    }
    return result;
}

Uses uses_by(const Policy& policy, const Problem& problem) {
    NeuralOptions options{.augmentations = 8, .augmentations_per_start = 1};
    options.keep = 1'000;
    NeuralAnswer answer = solve_neurally(policy, problem, options);
    answer.others.push_back(std::move(answer.tree));
    return uses_of(answer.others);
}

/// All other vertices of each: those first that more trees join to it, then near ones.
Lists lists_by(const Problem& problem, const Uses& uses) {
    Lists result(index(problem.size()), std::vector<Vertex>(index(problem.size())));
    for (Vertex v = 0; v < problem.size(); ++v) {
        auto& list = result[index(v)];
        std::iota(list.begin(), list.end(), 0);
        std::erase(list, v);
        const auto rank = [&](Vertex u) {
            const auto found = uses.find(key(u, v));
            return std::tuple(found == uses.end() ? 0 : -found->second, problem.weights()(u, v), u);
        };
        std::sort(list.begin(), list.end(), [&](Vertex a, Vertex b) { return rank(a) < rank(b); });
    }
    return result;
}

/// Percent of the tree's edges that are among the first so many of one of their ends, for each of the depths.
std::vector<double> covered(const Tree& tree, const Lists& lists) {
    const auto place = [&](Vertex u, Vertex v) {
        return std::find(lists[index(u)].begin(), lists[index(u)].end(), v) - lists[index(u)].begin();
    };
    std::vector<double> result(depths.size());
    for (const auto& [u, v] : tree.edges) {
        const auto first = std::min(place(u, v), place(v, u));
        for (std::size_t k = 0; k < depths.size(); ++k) {
            if (first < depths[k]) result[k] += 100.0 / static_cast<double>(tree.edges.size());
        }
    }
    return result;
}

/// The first so many of each list, near ones first, as the search wants them.
Neighbours beginnings_of(Lists lists, const Problem& problem, std::size_t length) {
    std::vector<std::size_t> begin = {0};
    std::vector<Vertex> all;
    for (Vertex v = 0; v < problem.size(); ++v) {
        auto& list = lists[index(v)];
        list.resize(std::min(list.size(), length));
        std::sort(list.begin(), list.end(), [&](Vertex a, Vertex b) {
            return std::pair(problem.weights()(v, a), a) < std::pair(problem.weights()(v, b), b);
        });
        all.insert(all.end(), list.begin(), list.end());
        begin.push_back(all.size());
    }
    return {std::move(begin), std::move(all)};
}

/// Percent above `cost` after each of the times, but for the first.
std::vector<double> excess(const Problem& problem, const Tree& tree, const Neighbours& near, double cost,
                           const std::vector<double>& times, std::uint64_t seed) {
    std::vector<double> result;
    for (std::size_t k = 1; k < times.size(); ++k) {
        rooted::RootedWorker worker(problem, near, Random(seed, k));
        worker.adopt(tree);
        worker.use_clock(true);
        const auto time = std::chrono::duration<double>(times[k]);
        const StopToken stop(StopToken::Clock::now() + std::chrono::duration_cast<StopToken::Clock::duration>(time),
                             {});
        while (!stop.expired() && worker.run(1'000, stop) > 0) {
        }
        result.push_back(100 * (worker.cost() / cost - 1));
    }
    return result;
}

/// A row of means that grows.
class Row {
public:
    void add(const std::vector<double>& values) {
        sums_.resize(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) sums_[k] += values[k];
        ++count_;
    }
    void print(const std::string& title, int decimals) const {
        if (count_ == 0) return;
        fmt::print("| {} |", title);
        for (const double sum : sums_) fmt::print(" {:.{}f} |", sum / count_, decimals);
        fmt::print("\n");
    }

private:
    std::vector<double> sums_;
    int count_ = 0;
};

void print_rows(const Policy& policy, const Settings& settings, const Kind& kind, Vertex n) {
    constexpr std::array<std::size_t, 2> lengths = {8, 14};
    std::array<Row, 2> coverage;                            // near, used
    std::array<std::array<Row, lengths.size()>, 2> search;  // likewise
    for (int k = 0; k < settings.instances; ++k) {
        const std::uint64_t seed = settings.first + static_cast<std::uint64_t>(k);
        const Instance instance = instance_of(n, seed);
        const auto problem = make_problem(kind.preset, instance, kind.limits(n));
        const Solution best = searched(*problem, settings.times.at(0), settings.threads, seed);
        const Tree first = searched(*problem, 0.001, 1, seed).tree;
        const std::array<Lists, 2> lists = {lists_by(*problem, {}), lists_by(*problem, uses_by(policy, *problem))};
        for (std::size_t by = 0; by < lists.size(); ++by) {
            coverage[by].add(covered(best.tree, lists[by]));
            if (local_search_for(*problem).name != "rooted") continue;
            for (std::size_t j = 0; j < lengths.size(); ++j) {
                const Neighbours near = beginnings_of(lists[by], *problem, lengths[j]);
                search[by][j].add(excess(*problem, first, near, best.cost, settings.times, seed));
            }
        }
    }
    for (std::size_t by = 0; by < coverage.size(); ++by) {
        const auto title = fmt::format("{}, n = {}, {}", kind.name, n, by == 0 ? "near" : "used");
        coverage[by].print(title, 1);
        for (std::size_t j = 0; j < lengths.size(); ++j)
            search[by][j].print(fmt::format("{}: search with {}", title, lengths[j]), 2);
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) throw InputError("usage: candidate_edges model.safetensors [--n 50,100] [--instances 8] …");
    const Settings settings =
        settings_from(argc, argv, {.sizes = {50, 100}, .times = {3, 0.03, 0.1, 0.3}, .instances = 8});
    const Policy policy = Policy::load(argv[1]);
    fmt::print("| first of each list | {} |\n|{}|\n", fmt::join(depths, " | "), "---|---|---|---|---|---|---|---");
    for_each_case(settings, [&](const Kind& kind, Vertex n) { print_rows(policy, settings, kind, n); });
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "candidate_edges: {}\n", error.what());
    return 2;
}
