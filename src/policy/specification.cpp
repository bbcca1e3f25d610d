#include "policy/specification.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace neuroprim::policy {

namespace {

double distance(Point a, Point b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

double mean_demand(const TreeSpec& spec) {
    if (spec.demands.empty()) return 1;
    const double total = std::accumulate(spec.demands.begin(), spec.demands.end(), 0.0);
    return total > 0 ? total / static_cast<double>(spec.demands.size()) : 1;
}

struct Group {
    Point centre{0, 0};
    double size = 0;
};

std::vector<Group> groups_of(const TreeSpec& spec, std::span<const Point> points) {
    std::vector<Group> groups(static_cast<std::size_t>(spec.group_count()));
    for (std::size_t v = 0; v < spec.groups.size(); ++v) {
        if (spec.groups[v] < 0) continue;
        Group& group = groups[static_cast<std::size_t>(spec.groups[v])];
        group.centre.x += points[v].x;
        group.centre.y += points[v].y;
        group.size += 1;
    }
    for (Group& group : groups) {
        group.centre.x /= group.size;
        group.centre.y /= group.size;
    }
    return groups;
}

/// A count as the network of rows sees it: how many are left, and whether it is the last or the last but one.
float* write_count(bool is_limited, int left, float* facts) {
    facts[0] = is_limited ? static_cast<float>(std::min(left, most_left)) / 4 : 0;
    facts[1] = is_limited && left == 1 ? 1 : 0;
    facts[2] = is_limited && left == 2 ? 1 : 0;
    return facts + 3;
}

void write_graph(const TreeSpec& spec, std::size_t n, double unit, float* facts) {
    const auto reciprocal = [](auto limit) { return limit ? 1 / static_cast<double>(*limit) : 0.0; };
    double degree = 0;
    for (const int limit : spec.degrees) degree += 1.0 / limit / static_cast<double>(n);
    const double values[graph_facts] = {
        spec.objective == Objective::routing_cost ? 1.0 : 0.0,
        spec.objective == Objective::communication ? 1.0 : 0.0,
        spec.objective == Objective::cables ? 1.0 : 0.0,
        spec.coverage == Coverage::terminals ? 1.0 : 0.0,
        spec.coverage == Coverage::groups ? 1.0 : 0.0,
        spec.coverage == Coverage::optional ? 1.0 : 0.0,
        reciprocal(spec.hops),
        spec.length ? 1 / std::max(1e-3, *spec.length * unit) : 0,
        spec.has(Limit::capacity) ? mean_demand(spec) / spec.branch_capacity() : 0,
        reciprocal(spec.diameter),
        degree,
        std::log(static_cast<double>(n)) / 5,
    };
    std::copy(std::begin(values), std::end(values), facts);
}

}  // namespace

double weight_unit(const Weights& weights, std::span<const Point> points) {
    const auto n = static_cast<Vertex>(points.size());
    double apart = 0;
    double weight = 0;
    const auto add = [&](Vertex u, Vertex v, double w) {
        apart += distance(points[index(u)], points[index(v)]);
        weight += w;
    };
    for (Vertex u = 0; u < n && n > 1; ++u) {
        if (weights.is_complete()) {
            const Vertex v = (u + 1) % n;
            add(u, v, weights(u, v));
        } else {
            bool is_first = true;
            weights.for_each_neighbour(u, [&](Vertex v, double w) {
                if (is_first) add(u, v, w);
                is_first = false;
            });
        }
    }
    return apart > 0 && weight > 0 ? apart / weight : 1;
}

std::vector<float> input_facts_of(const Problem& problem, std::span<const Point> points, double unit) {
    const TreeSpec& spec = problem.spec();
    const std::size_t n = points.size();
    const double steps = std::sqrt(static_cast<double>(n)) * unit;
    const std::vector<Group> groups = groups_of(spec, points);
    float of_graph[graph_facts];
    write_graph(spec, n, unit, of_graph);
    std::vector<float> result(n * input_facts, 0.0f);
    for (std::size_t k = 0; k < n; ++k) {
        const auto v = static_cast<Vertex>(k);
        float* facts = result.data() + k * input_facts;
        if (spec.root) {
            facts[0] = *spec.root == v ? 1 : 0;
            facts[1] = static_cast<float>(distance(points[k], points[index(*spec.root)]));
        }
        if (const int number = spec.group(v); number >= 0) {
            const Group& group = groups[static_cast<std::size_t>(number)];
            facts[2] = 1;
            facts[3] = static_cast<float>(group.centre.x - points[k].x);
            facts[4] = static_cast<float>(group.centre.y - points[k].y);
            facts[5] = static_cast<float>(1 / group.size);
        }
        facts[6] = static_cast<float>(std::log1p(steps * spec.prize(v)));
        if (spec.has(Limit::capacity)) facts[7] = static_cast<float>(spec.demand(v) / spec.branch_capacity());
        if (!spec.degrees.empty()) {
            facts[8] = 1.0f / static_cast<float>(spec.degrees[k]);
            facts[9] = spec.degrees[k] == 1 ? 1 : 0;
        }
        std::copy(std::begin(of_graph), std::end(of_graph), facts + vertex_facts);
    }
    return result;
}

RowFacts::RowFacts(const Problem& problem, double unit)
    : spec_(&problem.spec()), unit_(unit), mean_demand_(mean_demand(problem.spec())) {}

void RowFacts::write(const Construction& state, Vertex u, float* facts) const {
    const TreeSpec& spec = *spec_;
    float* next = write_count(spec.hops.has_value(), spec.hops.value_or(0) - state.depth(u), facts);
    next = write_count(spec.diameter.has_value(),
                       spec.diameter ? *spec.diameter - static_cast<int>(state.eccentricity(u)) : 0, next);
    const bool has_degrees = !spec.degrees.empty();
    next = write_count(has_degrees, has_degrees ? spec.degrees[index(u)] - state.degree(u) : 0, next);
    const double length_left = spec.length ? *spec.length - state.length(u) : 0;
    *next++ = static_cast<float>(length_left * unit_);
    *next++ = spec.length && *spec.length > 0 ? static_cast<float>(length_left / *spec.length) : 0;
    const bool is_loaded = spec.has(Limit::capacity);
    const double load_left = is_loaded ? spec.branch_capacity() - state.branch_load(u) : 0;
    *next++ = is_loaded ? static_cast<float>(load_left / spec.branch_capacity()) : 0;
    *next++ = static_cast<float>(std::min<double>(load_left / mean_demand_, most_left) / 4);
    *next = spec.root && *spec.root == u ? 1 : 0;
}

bool is_grown(const Construction& state) {
    return state.must_stop();
}

}  // namespace neuroprim::policy
