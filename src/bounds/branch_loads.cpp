#include "bounds/branch_loads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace neuroprim {

namespace {

constexpr std::int64_t most_table_entries = 30'000'000;  // n² · units, looked at once for each bound
constexpr int most_exact_units = 120;

/// How many of these unit numbers have a sum of `most` at most.
int longest_fit(std::vector<int> units, int most) {
    std::sort(units.begin(), units.end());
    int count = 0;
    for (const int unit : units) {
        if (unit > most) break;
        most -= unit;
        ++count;
    }
    return count;
}

}  // namespace

std::optional<BranchLoads> branch_loads(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const double given = spec.branch_capacity();
    if (!spec.root || !std::isfinite(given) || !(given > 0)) return std::nullopt;
    const auto n = index(problem.size());
    const auto root = index(*spec.root);
    BranchLoads loads;
    loads.capacity = given * (1 + 1e-9);
    bool are_whole = true;
    double sum = 0;
    for (Vertex v = 0; v < problem.size(); ++v) {
        loads.demand.push_back(v == *spec.root ? 0 : spec.demand(v));
        are_whole = are_whole && loads.demand.back() == std::floor(loads.demand.back());
        sum += loads.demand.back();
    }
    if (spec.objective == Objective::length && sum <= given) return std::nullopt;
    const auto affordable = most_table_entries / static_cast<std::int64_t>(n * n);
    if (affordable < 4) return std::nullopt;
    const int most = static_cast<int>(std::min<std::int64_t>(affordable, most_exact_units));
    const bool is_exact = are_whole && loads.capacity < most + 1;
    loads.most = is_exact ? static_cast<int>(loads.capacity) : std::min(most, 100);
    const double unit = is_exact ? 1 : loads.capacity / loads.most;  // of demand
    bool all_count = true;
    for (std::size_t v = 0; v < n; ++v) {
        loads.units.push_back(static_cast<int>(std::floor(loads.demand[v] / unit)));
        all_count = all_count && (v == root || loads.units[v] > 0);
    }
    int weightless = 0;  // units that stand for no demand, at most
    if (!all_count) {
        // Every vertex counts one more, and so may a branch for as many vertices as it can have.
        std::vector<int> others = loads.units;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(root));
        weightless = longest_fit(others, loads.most);
        if (loads.most + weightless > affordable) return std::nullopt;
        loads.most += weightless;
        for (std::size_t v = 0; v < n; ++v) loads.units[v] += v == root ? 0 : 1;
    }
    for (const int units : loads.units) loads.total += units;
    loads.price.assign(static_cast<std::size_t>(loads.most) + 1, 1);
    if (spec.objective == Objective::cables) {
        for (int units = 0; units <= loads.most; ++units) {
            const double load = std::min(std::max(0, units - weightless) * unit, given) * (1 - 1e-9);
            loads.price[static_cast<std::size_t>(units)] = spec.cable_price(load);
        }
    }
    return loads;
}

}  // namespace neuroprim
