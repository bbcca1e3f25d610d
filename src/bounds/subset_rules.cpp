#include "bounds/subset_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bounds/graph_distances.hpp"

namespace neuroprim {

namespace {

constexpr double no_edge = std::numeric_limits<double>::infinity();
constexpr double unknown_cost = std::numeric_limits<double>::quiet_NaN();
constexpr int without_limit = 1 << 20;
constexpr double kept_up_to = 1 + 2e-9;  // limits on sums; a little too much only relaxes

/// (n) the fewest edges from the root to each vertex.
std::vector<int> fewest_hops(const Weights& weights, Vertex root) {
    std::vector<int> hops(index(weights.size()), without_limit);
    std::vector<Vertex> open = {root};
    hops[index(root)] = 0;
    for (std::size_t next = 0; next < open.size(); ++next) {
        const Vertex u = open[next];
        weights.for_each_neighbour(u, [&](Vertex v, double) {
            if (hops[index(v)] != without_limit) return;
            hops[index(v)] = hops[index(u)] + 1;
            open.push_back(v);
        });
    }
    return hops;
}

}  // namespace

SubsetRules::SubsetRules(const Problem& problem)
    : n_(problem.size()),
      rooted_(problem.spec().root.has_value()),
      objective_(problem.spec().objective),
      spec_(problem.spec()),
      all_(static_cast<VertexSet>((std::uint64_t{1} << n_) - 1)),
      diameter_(problem.spec().diameter.value_or(without_limit)),
      counts_height_(problem.spec().hops || problem.spec().diameter),
      counts_reach_(problem.spec().length.has_value()),
      counts_children_(!problem.spec().degrees.empty()),
      capacity_(problem.spec().branch_capacity() * kept_up_to) {
    number_vertices(problem);
    measure_ways(problem);
    const TreeSpec& spec = spec_;
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> loads(n);
    std::vector<double> masses(n);
    std::vector<double> prizes(n);
    group_sets_.resize(static_cast<std::size_t>(spec.group_count()));
    double least_load = no_edge;
    for (std::size_t v = 0; v < n; ++v) {
        const Vertex at = order_[v];
        const bool is_root = spec.root == at;
        loads[v] = is_root ? 0 : spec.demand(at);
        if (!is_root) least_load = std::min(least_load, loads[v]);
        masses[v] = spec.mass(at);
        prizes[v] = spec.prize(at);
        degrees_.push_back(spec.degrees.empty() ? without_limit : spec.degrees[index(at)]);
        if (problem.required(at)) required_ |= set_of(static_cast<int>(v));
        if (spec.coverage == Coverage::groups && spec.group(at) >= 0) {
            group_sets_[static_cast<std::size_t>(spec.group(at))] |= set_of(static_cast<int>(v));
        }
    }
    if (spec.coverage != Coverage::groups) group_sets_.clear();
    loads_ = SetSums(loads);
    if (rooted_) {
        std::vector<double> flows(n);
        for (std::size_t v = 0; v < n; ++v) flows[v] = loads[v] == 0 ? 0 : loads[v] * distances_[v];
        flows_ = SetSums(flows);
    }
    masses_ = SetSums(masses);
    prizes_ = prizes;
    if (objective_ == Objective::communication) {
        for (std::size_t v = 0; v < n; ++v) {
            std::vector<double> row(n, 0);
            for (std::size_t u = 0; u < n; ++u) {
                if (u != v) row[u] = problem.instance().requirements[pair_index(order_[v], order_[u])];
            }
            requirements_.emplace_back(row);
        }
    }
    least_price_ = objective_ == Objective::length   ? 1
                   : objective_ == Objective::cables ? spec.cable_price(least_load * (1 - 1e-9))
                                                     : 0;
    if (must_hold_all()) {
        if (least_price_ > 0) spanning_.assign(sets(), unknown_cost);
        price_lines_ = {{least_price_, 0}};
        if (objective_ == Objective::cables) price_lines_ = price_lines(spec_.cables, least_price_);
        return;
    }
    std::vector<double> entries(n, 0);
    const bool chooses = repeats_group(all_);
    for (std::size_t v = 0; v < n; ++v) {
        if (spec.root == order_[v] || chooses) continue;
        entries[v] = least_price_ * *std::min_element(&weights_[v * n], &weights_[v * n] + n);
        if (!holds(required_, static_cast<int>(v))) entries[v] = std::min(entries[v], prizes[v]);
        if (!rooted_) most_entry_ = std::max(most_entry_, entries[v]);
    }
    least_entries_ = SetSums(entries);
}

/// Far vertices first: what they cost is known early.
void SubsetRules::number_vertices(const Problem& problem) {
    const Weights& weights = problem.weights();
    order_.resize(static_cast<std::size_t>(n_));
    std::iota(order_.begin(), order_.end(), 0);
    if (rooted_) {
        std::vector<double> distance;
        distances_from(weights, *spec_.root, distance);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](Vertex a, Vertex b) { return distance[index(a)] > distance[index(b)]; });
        std::erase(order_, *spec_.root);
        order_.push_back(*spec_.root);
    }
    const auto n = static_cast<std::size_t>(n_);
    std::vector<std::size_t> number(n);
    for (std::size_t v = 0; v < n; ++v) number[index(order_[v])] = v;
    weights_.assign(n * n, no_edge);
    for (const auto& [u, v, weight] : weights.edges()) {
        const std::size_t a = number[index(u)];
        const std::size_t b = number[index(v)];
        weights_[a * n + b] = weights_[b * n + a] = weight;
    }
    for (const Edge& edge : spec_.included_edges) {
        included_.push_back({static_cast<Vertex>(number[index(edge.u)]), static_cast<Vertex>(number[index(edge.v)])});
    }
}

void SubsetRules::measure_ways(const Problem& problem) {
    const auto n = static_cast<std::size_t>(n_);
    most_height_.assign(n, spec_.diameter.value_or(without_limit));
    most_reach_.assign(n, no_edge);
    if (spec_.hops && rooted_) {
        const auto hops = fewest_hops(problem.weights(), *spec_.root);
        for (std::size_t v = 0; v < n; ++v) {
            most_height_[v] = std::min(most_height_[v], *spec_.hops - hops[index(order_[v])]);
        }
    }
    if (!rooted_) return;
    std::vector<double> distance;
    distances_from(problem.weights(), *spec_.root, distance);
    for (std::size_t v = 0; v < n; ++v) {
        distances_.push_back(distance[index(order_[v])]);
        if (spec_.length) most_reach_[v] = *spec_.length * kept_up_to - distances_[v];
    }
}

double SubsetRules::price(VertexSet below) const {
    switch (objective_) {
        case Objective::length:
            return 1;
        case Objective::routing_cost:
            return masses_(below) * masses_(all_ & ~below);
        case Objective::cables:
            return spec_.cable_price(loads_(below) * (1 - 1e-9));
        case Objective::communication:
            break;
    }
    double sum = 0;
    for_each_vertex(below, [&](int v) { sum += requirements_[static_cast<std::size_t>(v)](all_ & ~below); });
    return sum;
}

SubsetRules::Crossing SubsetRules::crossing(VertexSet below) const {
    Crossing result;
    for (const auto& [u, v] : included_) {
        if (holds(below, u) == holds(below, v)) continue;
        ++result.count;
        result.inside = holds(below, u) ? u : v;
        result.outside = holds(below, u) ? v : u;
    }
    return result;
}

bool SubsetRules::may_skip(int v, VertexSet open) const {
    if (holds(required_, v)) return false;
    return std::ranges::all_of(group_sets_,
                               [&](VertexSet group) { return !holds(group, v) || (group & open & ~set_of(v)) != 0; });
}

bool SubsetRules::repeats_group(VertexSet set) const {
    return std::ranges::any_of(group_sets_, [&](VertexSet group) { return size_of(group & set) > 1; });
}

double SubsetRules::cost_outside(VertexSet below, int top) {
    const VertexSet rest = all_ & ~below;
    if (!must_hold_all()) return std::max(0.0, least_entries_(rest) - most_entry_);
    if (spanning_.empty()) return 0;
    double& known = spanning_[rest & (sets() - 1)];
    if (std::isnan(known)) known = spanning_tree(rest);
    const double flow = rooted_ ? flows_(rest) + loads_(below) * distances_[static_cast<std::size_t>(top)] : 0;
    double least = 0;
    for (const PriceLine& line : price_lines_) {
        least = std::max(least, line.at_nothing * known + (line.slope == 0 ? 0 : line.slope * flow));
    }
    return least;
}

/// Prim's algorithm.
double SubsetRules::spanning_tree(VertexSet set) const {
    double key[32];
    const int start = lowest(set);
    VertexSet outside = set & ~set_of(start);
    for_each_vertex(outside, [&](int v) { key[v] = weight(start, v); });
    double sum = 0;
    while (outside != 0) {
        int best = lowest(outside);
        for_each_vertex(outside, [&](int v) { best = key[v] < key[best] ? v : best; });
        sum += key[best];
        outside &= ~set_of(best);
        for_each_vertex(outside, [&](int v) { key[v] = std::min(key[v], weight(best, v)); });
    }
    return sum;
}

}  // namespace neuroprim
