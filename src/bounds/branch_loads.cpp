#include "bounds/branch_loads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace neuroprim {

namespace {

constexpr std::int64_t most_table_entries = 30'000'000;  // n² · units, looked at once for each bound
/// Units of a branch: up to so many are counted as they are, more are rounded to so many.
constexpr std::int64_t most_exact_units = 120;
constexpr std::int64_t rounded_units = 100;

}  // namespace

std::optional<BranchLoads> branch_loads(const Problem& problem, std::int64_t fineness) {
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
    const std::int64_t most = std::min(affordable, most_exact_units * fineness);
    loads.is_exact = are_whole && loads.capacity < static_cast<double>(most + 1);
    loads.most = static_cast<int>(loads.is_exact ? static_cast<std::int64_t>(loads.capacity)
                                                 : std::min(most, rounded_units * fineness));
    const double unit = loads.is_exact ? 1 : loads.capacity / loads.most;  // of demand
    int weightless = 0;  // units of a branch that stand for no demand, at most
    for (std::size_t v = 0; v < n; ++v) {
        loads.units.push_back(static_cast<int>(std::floor(loads.demand[v] / unit)));
        weightless += v != root && loads.units[v] == 0 ? 1 : 0;
    }
    // Every vertex has to count: those without a unit get one each, and a branch may carry as many more.
    if (loads.most + weightless > affordable) return std::nullopt;
    loads.most += weightless;
    for (std::size_t v = 0; v < n; ++v) {
        if (v != root && loads.units[v] == 0) loads.units[v] = 1;
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
