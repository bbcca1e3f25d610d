#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "formats/pictures/layout.hpp"
#include "formats/write/json_object.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/tree_facts.hpp"

namespace neuroprim::formats {

namespace {

/// A FeatureCollection, one feature a line.
class Features {
public:
    Features() : out_("{\"type\": \"FeatureCollection\",") {}

    /// A member of the collection beside its features, which other programs pass over.
    void add_member(std::string_view key, std::string_view json) {
        fmt::format_to(std::back_inserter(out_), "\n\"{}\": {},", key, json);
    }

    void add_point(Point at, JsonObject properties) {
        begin("Point");
        append(at);
        end(std::move(properties));
    }

    void add_line(std::span<const Point> path, JsonObject properties) {
        begin("LineString");
        out_ += '[';
        for (std::size_t i = 0; i < path.size(); ++i) {
            if (i > 0) out_ += ", ";
            append(path[i]);
        }
        out_ += ']';
        end(std::move(properties));
    }

    [[nodiscard]] std::string finish() && {
        if (first_) out_ += " \"features\": [";
        return std::move(out_) + "\n]}\n";
    }

private:
    void begin(std::string_view type) {
        out_ += first_ ? " \"features\": [\n" : ",\n";
        first_ = false;
        fmt::format_to(std::back_inserter(out_),
                       R"({{"type": "Feature", "geometry": {{"type": "{}", "coordinates": )", type);
    }

    void append(Point p) { fmt::format_to(std::back_inserter(out_), "[{}, {}]", p.x, p.y); }

    void end(JsonObject properties) {
        fmt::format_to(std::back_inserter(out_), R"(}}, "properties": {}}})", std::move(properties).finish());
    }

    std::string out_;
    bool first_ = true;
};

JsonObject new_properties() {
    return JsonObject(JsonObject::Layout::line);
}

/// What the tree was solved for, or as much of it as the instance says.
TreeSpec spec_for(const Instance& instance, const Solution& solution) {
    if (solution.spec) return *solution.spec;
    TreeSpec spec;
    spec.root = solution.tree.start;
    spec.other_roots = solution.other_roots;
    spec.demands = instance.demands;
    spec.prizes = instance.prizes;
    spec.terminals = instance.terminals;
    return spec;
}

std::string pairs(std::span<const Edge> edges) {
    std::vector<std::string> texts;
    for (const auto [u, v] : edges) texts.push_back(fmt::format("[{},{}]", u, v));
    return fmt::format("[{}]", fmt::join(texts, ","));
}

/// All that a judge of the tree needs beside its lines and points.
std::string summary(const Instance& instance, const Solution& solution, const TreeSpec& spec,
                    const std::vector<Vertex>& roots) {
    JsonObject object = new_properties();
    object.text_or_null("instance", solution.instance.empty() ? instance.name : solution.instance);
    object.text_or_null("problem", solution.problem);
    if (!solution.specification.empty()) object.text("specification", solution.specification);
    object.text_or_null("method", solution.method);
    object.number("cost", solution.cost);
    object.number("bound", solution.bound);
    object.integer("root", roots.front());
    if (roots.size() > 1) object.list("roots", roots);
    JsonObject limits = new_properties();
    if (spec.hops) limits.integer("hops", *spec.hops);
    if (spec.length) limits.number("length", *spec.length);
    if (spec.capacity) limits.number("capacity", *spec.capacity);
    if (spec.diameter) limits.integer("diameter", *spec.diameter);
    if (!spec.degrees.empty()) {
        const auto [least, most] = std::minmax_element(spec.degrees.begin(), spec.degrees.end());
        if (*least == *most) limits.integer("degree", *most);
    }
    if (spec.no_crossings) limits.flag("no_crossings", true);
    if (!spec.included_edges.empty()) limits.raw("include_edges", pairs(spec.included_edges));
    if (!spec.excluded_edges.empty()) limits.raw("exclude_edges", pairs(spec.excluded_edges));
    object.raw("limits", std::move(limits).finish());
    if (!spec.cables.empty()) {
        std::vector<std::string> cables;
        for (const Cable& cable : spec.cables) {
            cables.push_back(fmt::format(R"({{"capacity":{},"price":{}}})", cable.capacity, cable.price));
        }
        object.raw("cables", fmt::format("[{}]", fmt::join(cables, ",")));
    }
    return std::move(object).finish();
}

/// The tree on a map: how its edges run, and what limits are about for each of them and for each vertex.
class MappedTree {
public:
    MappedTree(const Instance& instance, const Solution& solution)
        : instance_(instance),
          tree_(solution.tree),
          spec_(spec_for(instance, solution)),
          facts_(facts_of(spec_, instance, solution.tree)),
          at_(map_positions(instance)),
          degree_(degrees(solution.tree, instance.size())),
          is_terminal_(terminal_flags(instance)),
          tells_facts_(solution.spec || instance.map) {
        if (tells_facts_) features_.add_member("neuroprim", summary(instance, solution, spec_, facts_.roots));
    }

    [[nodiscard]] std::string text() && {
        for (const auto [u, v] : tree_.edges) add_edge(u, v);
        for (Vertex v = 0; v < instance_.size(); ++v) {
            if (is_shown(v)) add_vertex(v);
        }
        return std::move(features_).finish();
    }

private:
    void add_edge(Vertex u, Vertex v) {
        std::vector<Point> path = {at_[index(u)]};
        if (instance_.map) instance_.map->append_between(path, u, v);
        path.push_back(at_[index(v)]);
        const double weight = instance_.weights(u, v);
        JsonObject properties = new_properties();
        properties.integer("u", u);
        properties.integer("v", v);
        properties.number("weight", weight);
        if (tells_facts_) {
            const Vertex below = facts_.parent[index(v)] == u ? v : u;
            const int cable = facts_.cable[index(below)];
            const double price = cable < 0 ? 1 : spec_.cables[static_cast<std::size_t>(cable)].price;
            properties.number("cost", weight * price);
            properties.number("load", facts_.load[index(below)]);
            if (cable >= 0) {
                properties.integer("cable", cable);
                properties.number("cable_capacity", spec_.cables[static_cast<std::size_t>(cable)].capacity);
                properties.number("cable_price", price);
            }
        }
        if (instance_.map) {
            properties.number("length", length_of(path));
            if (const auto* line = instance_.map->has_streets ? instance_.map->line(u, v) : nullptr) {
                properties.integer("feature", line->feature);
            }
        }
        features_.add_line(path, std::move(properties));
    }

    [[nodiscard]] double length_of(std::span<const Point> path) const {
        if (instance_.map->is_on_earth) return path_length(path);
        double sum = 0;
        for (std::size_t i = 1; i < path.size(); ++i) sum += distance(Metric::euclidean, path[i - 1], path[i]);
        return sum;
    }

    /// Of a graph of streets only what the tree holds and what was asked for.
    [[nodiscard]] bool is_shown(Vertex v) const {
        if (!instance_.map || !instance_.map->has_streets) return true;
        return facts_.contains(v) || is_terminal_[index(v)] || spec_.prize(v) > 0 ||
               !instance_.map->addresses_at(v).empty();
    }

    void add_vertex(Vertex v) {
        JsonObject properties = new_properties();
        properties.integer("vertex", v);
        properties.text("name", instance_.label(v));
        properties.flag("terminal", is_terminal_[index(v)]);
        properties.integer("degree", degree_[index(v)]);
        if (tells_facts_) add_facts(properties, v);
        if (instance_.map) {
            std::vector<std::int64_t> features;
            double metres = 0;
            for (const auto& address : instance_.map->addresses_at(v)) {
                features.push_back(address.feature);
                metres = std::max(metres, address.metres);
            }
            if (!features.empty()) {
                properties.list("features", features);
                properties.number("metres_to_street", metres);
            }
        }
        features_.add_point(at_[index(v)], std::move(properties));
    }

    void add_facts(JsonObject& properties, Vertex v) const {
        const bool inside = facts_.contains(v);
        properties.flag("in_tree", inside);
        properties.number("demand", facts_.demand[index(v)]);
        if (!spec_.prizes.empty()) properties.number("prize", spec_.prize(v));
        if (!spec_.groups.empty()) properties.integer("group", spec_.group(v));
        if (!spec_.degrees.empty()) properties.integer("degree_limit", spec_.degrees[index(v)]);
        if (!inside) return;
        properties.integer("depth", facts_.depth[index(v)]);
        properties.number("distance", facts_.distance[index(v)]);
        properties.number("load", facts_.load[index(v)]);
        if (facts_.depth[index(v)] == 0) properties.flag("root", true);
    }

    const Instance& instance_;
    const Tree& tree_;
    TreeSpec spec_;
    TreeFacts facts_;
    std::vector<Point> at_;
    std::vector<int> degree_;
    std::vector<bool> is_terminal_;
    bool tells_facts_;
    Features features_;
};

/// What the instance says about a vertex.
JsonObject facts_about(const Instance& instance, Vertex vertex, bool is_terminal, bool is_leaf) {
    const std::size_t v = index(vertex);
    JsonObject properties = new_properties();
    if (!instance.names.empty()) properties.text("name", instance.names[v]);
    if (!instance.terminals.empty()) properties.flag("terminal", is_terminal);
    if (!instance.degree_limits.empty()) properties.integer("degree", instance.degree_limits[v]);
    if (!instance.leaves.empty()) properties.flag("leaf", is_leaf);
    if (!instance.demands.empty()) properties.number("demand", instance.demands[v]);
    if (!instance.masses.empty()) properties.number("mass", instance.masses[v]);
    if (!instance.prizes.empty()) properties.number("prize", instance.prizes[v]);
    if (!instance.groups.empty()) properties.integer("group", instance.groups[v]);
    if (is_root(instance, vertex)) properties.flag("root", true);
    return properties;
}

void add_streets(Features& features, const Instance& instance) {
    std::vector<Point> path;
    for (const auto& [u, v, weight] : instance.weights.edges()) {
        path.assign(1, instance.layout[index(u)]);
        instance.map->append_between(path, u, v);
        path.push_back(instance.layout[index(v)]);
        JsonObject properties = new_properties();
        properties.number("weight", weight);
        features.add_line(path, std::move(properties));
    }
}

/// Says a vertex of a street graph more than where it is? Others come with the lines.
bool is_worth_a_point(const Instance& instance, Vertex v, bool is_terminal, bool is_leaf) {
    const auto of = [v](const auto& values) { return values.empty() ? 0 : values[index(v)]; };
    return is_terminal || is_leaf || of(instance.demands) > 0 || of(instance.masses) > 0 || of(instance.prizes) > 0 ||
           is_root(instance, v) || (!instance.groups.empty() && of(instance.groups) >= 0) ||
           (!instance.degree_limits.empty() && of(instance.degree_limits) < instance.size() - 1) ||
           !instance.map->addresses_at(v).empty();
}

}  // namespace

void check_trees_have_positions(const Instance& instance) {
    if (instance.positions().empty()) {
        throw InputError(
            "GeoJSON needs positions, and this graph is given by its weights alone: write .json or .csv");
    }
}

std::string solution_to_geojson(const Instance& instance, const Solution& solution) {
    check_trees_have_positions(instance);
    return MappedTree(instance, solution).text();
}

std::string instance_to_geojson(const Instance& instance) {
    const bool has_places =
        instance.weights.form() == Weights::Form::points && instance.weights.metric() == Metric::great_circle;
    if (!has_places && !instance.map) {
        throw InputError(
            "GeoJSON holds streets, and points given by longitude and latitude (metric great-circle), only: write "
            ".json, which can hold every instance");
    }
    if (instance.map && !instance.map->has_streets) {
        throw InputError("GeoJSON cannot hold edges that go around obstacles: write .json, which can");
    }
    refuse_loss(instance, "GeoJSON", facts_of_vertices);

    const auto is_terminal = terminal_flags(instance);
    const auto is_leaf = leaf_flags(instance);
    const auto points = instance.positions();
    Features features;
    if (instance.map) add_streets(features, instance);
    for (Vertex v = 0; v < instance.size(); ++v) {
        if (instance.map && !is_worth_a_point(instance, v, is_terminal[index(v)], is_leaf[index(v)])) continue;
        features.add_point(points[index(v)], facts_about(instance, v, is_terminal[index(v)], is_leaf[index(v)]));
    }
    return std::move(features).finish();
}

}  // namespace neuroprim::formats
