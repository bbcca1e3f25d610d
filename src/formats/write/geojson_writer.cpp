#include <fmt/format.h>

#include <iterator>

#include "formats/pictures/layout.hpp"
#include "formats/write/json_object.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// A FeatureCollection, one feature a line.
class Features {
public:
    Features() : out_("{\"type\": \"FeatureCollection\", \"features\": [") {}

    template <class... Arguments>
    void add(fmt::format_string<Arguments...> feature, Arguments&&... arguments) {
        out_ += first_ ? "\n" : ",\n";
        first_ = false;
        fmt::format_to(std::back_inserter(out_), feature, std::forward<Arguments>(arguments)...);
    }

    [[nodiscard]] std::string finish() && { return std::move(out_) + "\n]}\n"; }

private:
    std::string out_;
    bool first_ = true;
};

std::string joined(const std::vector<std::string>& properties) {
    return fmt::format("{}", fmt::join(properties, ", "));
}

void add_point(Features& features, Point at, const std::vector<std::string>& properties) {
    features.add(
        R"({{"type": "Feature", "geometry": {{"type": "Point", "coordinates": [{}, {}]}}, "properties": {{{}}}}})",
        at.x, at.y, joined(properties));
}

}  // namespace

std::string solution_to_geojson(const Instance& instance, const Solution& solution) {
    if (instance.positions().empty()) {
        throw InputError(
            "GeoJSON needs positions, and this graph is given by its weights alone: write .json or .csv");
    }
    // Metres on a map when the points are places on Earth; otherwise the numbers of the file, as they are.
    const auto at = map_positions(instance);
    const auto degree = degrees(solution.tree, instance.size());
    const auto is_terminal = terminal_flags(instance);

    Features features;
    for (const auto [u, v] : solution.tree.edges) {
        const Point a = at[static_cast<std::size_t>(u)];
        const Point b = at[static_cast<std::size_t>(v)];
        features.add(
            R"({{"type": "Feature", "geometry": {{"type": "LineString", "coordinates": [[{}, {}], [{}, {}]]}},)"
            R"( "properties": {{"u": {}, "v": {}, "weight": {}}}}})",
            a.x, a.y, b.x, b.y, u, v, instance.weights(u, v));
    }
    for (std::size_t v = 0; v < at.size(); ++v) {
        add_point(features, at[v],
                  {fmt::format("\"vertex\": {}", v),
                   fmt::format("\"name\": {}", json_string(instance.label(static_cast<Vertex>(v)))),
                   fmt::format("\"terminal\": {}", static_cast<bool>(is_terminal[v])),
                   fmt::format("\"degree\": {}", degree[v])});
    }
    return std::move(features).finish();
}

std::string instance_to_geojson(const Instance& instance) {
    if (instance.weights.form() != Weights::Form::points || instance.weights.metric() != Metric::great_circle) {
        throw InputError(
            "GeoJSON holds points given by longitude and latitude (metric great-circle) only: write .json, which can "
            "hold every instance");
    }
    refuse_loss(instance, "GeoJSON", facts_of_vertices);

    const auto is_terminal = terminal_flags(instance);
    const auto is_leaf = leaf_flags(instance);
    const auto points = instance.weights.points();
    Features features;
    for (std::size_t v = 0; v < points.size(); ++v) {
        std::vector<std::string> properties;
        if (!instance.names.empty()) properties.push_back("\"name\": " + json_string(instance.names[v]));
        if (!instance.terminals.empty()) properties.push_back(fmt::format("\"terminal\": {}", bool{is_terminal[v]}));
        if (!instance.degree_limits.empty()) {
            properties.push_back(fmt::format("\"degree\": {}", instance.degree_limits[v]));
        }
        if (!instance.leaves.empty()) properties.push_back(fmt::format("\"leaf\": {}", bool{is_leaf[v]}));
        if (!instance.demands.empty()) properties.push_back(fmt::format("\"demand\": {}", instance.demands[v]));
        if (!instance.prizes.empty()) properties.push_back(fmt::format("\"prize\": {}", instance.prizes[v]));
        if (!instance.groups.empty()) properties.push_back(fmt::format("\"group\": {}", instance.groups[v]));
        if (is_root(instance, static_cast<Vertex>(v))) properties.emplace_back("\"root\": true");
        add_point(features, points[v], properties);
    }
    return std::move(features).finish();
}

}  // namespace neuroprim::formats
