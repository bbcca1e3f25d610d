#include "formats/write/graph_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "formats/pictures/layout.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// Names do as identifiers where no two nodes share one.
bool are_identifiers(const std::vector<std::string>& names) {
    std::unordered_set<std::string_view> taken;
    return !names.empty() && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return !name.empty() && taken.insert(name).second;
    });
}

bool is_in_degrees(const Instance& instance) {
    if (instance.map) return instance.map->is_on_earth;
    const Metric metric = instance.weights.metric();
    return instance.weights.form() == Weights::Form::points &&
           (metric == Metric::great_circle || metric == Metric::geo);
}

class TableMaker {
public:
    TableMaker(const Instance& instance, std::vector<Vertex> nodes) {
        table_.name = instance.name;
        table_.nodes = std::move(nodes);
        table_.place.assign(index(instance.size()), 0);
        for (std::size_t k = 0; k < table_.nodes.size(); ++k) table_.place[index(table_.nodes[k])] = k;
        if (are_identifiers(instance.names)) {
            for (const Vertex v : table_.nodes) table_.ids.push_back(instance.names[index(v)]);
        }
        const std::vector<Point> at = map_positions(instance);
        if (at.empty()) return;
        const bool degrees = is_in_degrees(instance);
        add(degrees ? "lon" : "x", "double", [&](std::size_t v) { return fmt::format("{}", at[v].x); });
        add(degrees ? "lat" : "y", "double", [&](std::size_t v) { return fmt::format("{}", at[v].y); });
    }

    template <class ValueOf>
    void add(std::string_view name, std::string_view type, ValueOf&& value_of) {
        GraphTable::Column column{name, type, {}};
        for (const Vertex v : table_.nodes) column.values.push_back(value_of(index(v)));
        table_.columns.push_back(std::move(column));
    }

    void add_flags(std::string_view name, const std::vector<bool>& flags) {
        add(name, "boolean", [&](std::size_t v) { return flags[v] ? "true" : "false"; });
    }

    template <class Value>
    void add_amounts(std::string_view name, std::string_view type, const std::vector<Value>& amounts) {
        if (!amounts.empty()) add(name, type, [&](std::size_t v) { return fmt::format("{}", amounts[v]); });
    }

    [[nodiscard]] GraphTable finish(std::vector<WeightedEdge> edges) && {
        table_.edges = std::move(edges);
        return std::move(table_);
    }

private:
    GraphTable table_;
};

}  // namespace

std::string GraphTable::id(std::size_t at) const {
    return ids.empty() ? std::to_string(nodes[at]) : ids[at];
}

void refuse_many_pairs(const Instance& instance, std::string_view format) {
    constexpr Vertex most = 5000;
    if (instance.weights.form() == Weights::Form::points && instance.size() > most) {
        throw InputError(
            fmt::format("{} lists every edge, and {} points have {} of them: write at most {} points so, "
                        "or .json or .csv",
                        format, instance.size(), instance.weights.edge_count(), most));
    }
}

GraphTable graph_table(const Instance& instance, std::string_view format) {
    refuse_many_pairs(instance, format);
    Holds holds = facts_of_vertices;
    holds.groups = false;
    refuse_loss(instance, format, holds);
    std::vector<Vertex> all(index(instance.size()));
    std::iota(all.begin(), all.end(), Vertex{0});
    TableMaker table(instance, std::move(all));
    if (!instance.terminals.empty()) table.add_flags("terminal", terminal_flags(instance));
    if (!instance.leaves.empty()) table.add_flags("leaf", leaf_flags(instance));
    if (instance.root) {
        std::vector<bool> roots(index(instance.size()));
        for (Vertex v = 0; v < instance.size(); ++v) roots[index(v)] = is_root(instance, v);
        table.add_flags("root", roots);
    }
    table.add_amounts("demand", "double", instance.demands);
    table.add_amounts("mass", "double", instance.masses);
    table.add_amounts("prize", "double", instance.prizes);
    table.add_amounts("degree_limit", "int", instance.degree_limits);
    return std::move(table).finish(instance.weights.edges());
}

GraphTable graph_table(const Instance& instance, const Solution& solution) {
    std::vector<bool> is_inside(index(instance.size()));
    std::vector<bool> is_start(index(instance.size()));
    for (const Vertex root : solution.roots()) is_inside[index(root)] = is_start[index(root)] = true;
    std::vector<WeightedEdge> edges;
    for (const auto& [u, v] : solution.tree.edges) {
        is_inside[index(u)] = is_inside[index(v)] = true;
        edges.push_back({u, v, instance.weights(u, v)});
    }
    std::vector<Vertex> nodes;
    for (Vertex v = 0; v < instance.size(); ++v) {
        if (is_inside[index(v)]) nodes.push_back(v);
    }
    TableMaker table(instance, std::move(nodes));
    if (!instance.terminals.empty()) table.add_flags("terminal", terminal_flags(instance));
    table.add_flags("root", is_start);
    return std::move(table).finish(std::move(edges));
}

}  // namespace neuroprim::formats
