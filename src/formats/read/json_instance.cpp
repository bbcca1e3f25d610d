#include "formats/read/json_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <unordered_set>

#include "formats/read/edge_list.hpp"
#include "formats/read/json_map.hpp"
#include "formats/read/json_triangle.hpp"
#include "formats/read/json_vertex_facts.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::array<std::string_view, 19> instance_keys = {
    "name",          "n",      "points",  "metric", "matrix",   "edges",  "terminals",
    "degree_limits", "leaves", "demands", "masses", "prizes",   "groups", "root",
    "requirements",  "names",  "layout",  "map",    "obstacles"};

/// Finds all members first and reads them then, so that they may come in any order.
class JsonInstance {
public:
    JsonInstance(JsonCursor& cursor, const JsonInstanceForm& form)
        : form_(form),
          text_{cursor.text().content, source_of(cursor, form), cursor.text().name, cursor.text().on_warning} {
        cursor.object([&](const std::string& key, std::size_t at) {
            if (std::find(instance_keys.begin(), instance_keys.end(), key) == instance_keys.end()) {
                text_.fail(
                    at, fmt::format("unknown key {}: expected {}", in_quotes(key), fmt::join(instance_keys, ", ")));
            }
            const std::string source = form.path.empty() ? text_.source : fmt::format("{}.{}", form.path, key);
            if (!members_.try_emplace(key, Text{text_.content, source, text_.name, text_.on_warning}, cursor.at())
                     .second) {
                text_.fail(at, fmt::format("key {} is given twice", in_quotes(key)));
            }
            cursor.skip();
        });
    }

    Instance read() {
        instance_.name = text_.name;
        with("name", [&](JsonCursor& cursor) { instance_.name = cursor.string(); });
        read_graph();
        with("n", [&](JsonCursor& cursor) {
            const std::size_t at = cursor.at();
            const Vertex n = to_vertex_count(cursor.text(), cursor.number());
            check_size(static_cast<std::size_t>(n), cursor.text(), at, "n");
        });
        with("terminals",
             [&](JsonCursor& cursor) { instance_.terminals = read_vertices(cursor, size(), "a terminal"); });
        with("leaves", [&](JsonCursor& cursor) { instance_.leaves = read_vertices(cursor, size(), "a leaf"); });
        with("root", [&](JsonCursor& cursor) {
            Roots roots = read_roots(cursor, size());
            instance_.root = roots.first;
            instance_.other_roots = std::move(roots.others);
        });
        with_list("demands", instance_.demands, [](JsonCursor& cursor) { return read_amounts(cursor, "a demand"); });
        with_list("masses", instance_.masses, [](JsonCursor& cursor) { return read_amounts(cursor, "a mass"); });
        with_list("prizes", instance_.prizes, [](JsonCursor& cursor) { return read_amounts(cursor, "a prize"); });
        with_list("groups", instance_.groups, read_groups);
        with("degree_limits", [&](JsonCursor& cursor) { read_degree_limits(cursor); });
        with("requirements", [&](JsonCursor& cursor) { read_requirements(cursor); });
        with("names", [&](JsonCursor& cursor) { read_names(cursor); });
        with("layout", [&](JsonCursor& cursor) { read_layout(cursor); });
        with("map", [&](JsonCursor& cursor) { instance_.map = read_json_map(cursor, instance_); });
        with("obstacles", [&](JsonCursor& cursor) { go_around(cursor); });
        return std::move(instance_);
    }

private:
    struct Member {
        Member(Text named, std::size_t begin) : text(std::move(named)), at(begin) {}

        Text text;  // the whole text, under the name that errors in this member give
        std::size_t at;
    };

    static std::string source_of(const JsonCursor& cursor, const JsonInstanceForm& form) {
        return form.path.empty() ? cursor.text().source : form.path;
    }

    template <class Read>
    void with(std::string_view key, Read&& read) {
        const auto member = members_.find(key);
        if (member == members_.end()) return;
        JsonCursor cursor(member->second.text, member->second.at);
        read(cursor);
    }

    /// A list with an element for each vertex.
    template <class T, class Read>
    void with_list(std::string_view key, std::vector<T>& list, Read&& read) {
        with(key, [&](JsonCursor& cursor) {
            const std::size_t at = cursor.at();
            list = read(cursor);
            check_size(list.size(), cursor.text(), at, key);
        });
    }

    [[nodiscard]] bool has(std::string_view key) const { return members_.find(key) != members_.end(); }
    [[nodiscard]] Vertex size() const { return instance_.size(); }

    void check_size(std::size_t found, const Text& text, std::size_t at, std::string_view key) const {
        if (found == static_cast<std::size_t>(size())) return;
        text.fail(at, fmt::format("\"{}\" tells of {} vertices, but there are {}", key, found, size()));
    }

    void refuse_more_than(Vertex most, std::size_t n, const Text& text, std::string_view what) const {
        if (n > static_cast<std::size_t>(most)) {
            throw TooLarge(text.source, 0, fmt::format("at most {} {} are taken", most, what));
        }
    }

    void read_graph() {
        const int graphs = int{has("points")} + int{has("matrix")} + int{has("edges")};
        if (graphs != 1) text_.fail(R"(expected one of the keys "points", "matrix" and "edges")");
        if (!has("points")) {
            with("metric", [](JsonCursor& cursor) {
                const std::size_t at = cursor.at();
                cursor.text().fail(at, R"("metric" needs "points")");
            });
        }
        if (has("edges") && !has("n")) text_.fail(R"("edges" needs "n", the number of vertices)");
        with("points", [&](JsonCursor& cursor) { read_measured_points(cursor); });
        with("matrix", [&](JsonCursor& cursor) {
            const Triangle triangle = read_pairs(cursor, "a weight", Weights::infinity);
            instance_.weights = Weights::from_lower_triangle(triangle.n, triangle.lower);
        });
        with("edges", [&](JsonCursor& cursor) { read_edges(cursor); });
    }

    void read_measured_points(JsonCursor& cursor) {
        const Metric metric = read_metric();
        auto points = read_points(cursor, metric);
        checked_size(cursor.text(), points.size());
        instance_.weights = Weights::from_points(std::move(points), metric);
    }

    void read_layout(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        instance_.layout = read_points(cursor, Metric::euclidean);
        check_size(instance_.layout.size(), cursor.text(), at, "layout");
    }

    [[nodiscard]] Triangle read_pairs(const JsonCursor& cursor, std::string_view what,
                                      std::optional<double> missing) const {
        JsonCursor rows = cursor;
        std::size_t n = 0;
        rows.array([&] {
            refuse_more_than(std::min(form_.most_for_pairs, form_.most_vertices), ++n, rows.text(),
                             "vertices with a number for each pair");
            rows.skip();
        });
        return read_triangle(cursor, what, missing);
    }

    Metric read_metric() {
        Metric metric = Metric::euclidean;
        with("metric", [&](JsonCursor& cursor) {
            const std::size_t at = cursor.at();
            const std::string name = cursor.string();
            const auto found = metric_from_string(name);
            if (!found) {
                std::vector<std::string_view> known;
                for (const Metric each : all_metrics()) known.push_back(to_string(each));
                cursor.text().fail(
                    at, fmt::format("unknown metric {}: expected {}", in_quotes(name), fmt::join(known, ", ")));
            }
            metric = *found;
        });
        return metric;
    }

    std::vector<Point> read_points(JsonCursor& cursor, Metric metric) const {
        std::vector<Point> points;
        cursor.array([&] {
            const std::size_t at = cursor.at();
            std::array<double, 2> xy{};
            std::size_t count = 0;
            cursor.array([&] {
                const double value = to_number(cursor.text(), cursor.number("a coordinate"));
                if (count < xy.size()) xy[count] = value;
                ++count;
            });
            if (count != 2) cursor.text().fail(at, fmt::format("expected a point [x, y], found {} numbers", count));
            check_position(cursor.text(), at, {xy[0], xy[1]}, metric);
            refuse_more_than(form_.most_vertices, points.size() + 1, cursor.text(), "vertices");
            points.push_back({xy[0], xy[1]});
        });
        return points;
    }

    void read_edges(JsonCursor& cursor) {
        Vertex n = 0;
        std::size_t n_at = 0;
        with("n", [&](JsonCursor& n_cursor) {
            n_at = n_cursor.at();
            n = to_vertex_count(n_cursor.text(), n_cursor.number());
            refuse_more_than(form_.most_vertices, static_cast<std::size_t>(n), n_cursor.text(), "vertices");
        });
        std::vector<WeightedEdge> edges;
        cursor.array([&] {
            const std::size_t at = cursor.at();
            WeightedEdge edge;
            int count = 0;
            cursor.array([&] {
                const Token number = cursor.number();
                if (count == 0) edge.u = to_vertex(cursor.text(), number, n, 0);
                if (count == 1) edge.v = to_vertex(cursor.text(), number, n, 0);
                if (count == 2) edge.weight = to_weight(cursor.text(), number);
                ++count;
            });
            if (count != 3)
                cursor.text().fail(at, fmt::format("expected an edge [u, v, weight], found {} numbers", count));
            check_no_loop(cursor.text(), at, edge.u, edge.v, 0);
            edges.push_back(edge);
        });
        check_plausible_size(cursor.text(), n_at, n, edges.size());
        instance_.weights = graph_of(cursor.text(), n, std::move(edges), 0);
    }

    /// Areas as in the coordinates of a GeoJSON MultiPolygon.
    void go_around(JsonCursor& cursor) {
        const std::size_t begin = cursor.at();
        refuse_more_than(form_.most_for_pairs, index(size()), cursor.text(), "points with obstacles");
        std::vector<Obstacle> obstacles;
        cursor.array([&] {
            Obstacle& obstacle = obstacles.emplace_back();
            obstacle.called = fmt::format("obstacles[{}]", obstacles.size() - 1);
            cursor.array([&] {
                const std::size_t at = cursor.at();
                obstacle.rings.push_back(read_points(cursor, instance_.weights.metric()));
                if (obstacle.rings.back().size() < 3) cursor.text().fail(at, "a ring needs three points or more");
            });
        });
        try {
            instance_ = around_obstacles(std::move(instance_), obstacles);
        } catch (const InputError& error) {
            cursor.text().fail(begin, error.what());
        }
    }

    void read_degree_limits(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        cursor.array([&] {
            instance_.degree_limits.push_back(to_degree_limit(cursor.text(), cursor.number("a degree limit")));
        });
        check_size(instance_.degree_limits.size(), cursor.text(), at, "degree_limits");
    }

    void read_requirements(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        Triangle triangle = read_pairs(cursor, "a requirement", std::nullopt);
        check_size(static_cast<std::size_t>(triangle.n), cursor.text(), at, "requirements");
        instance_.requirements = std::move(triangle.lower);
    }

    void read_names(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        std::unordered_set<std::string> taken;
        cursor.array([&] {
            const std::size_t name_at = cursor.at();
            const std::string& name = instance_.names.emplace_back(cursor.string("a name"));
            if (!name.empty() && !taken.insert(name).second) {
                cursor.text().fail(name_at, fmt::format("two vertices are named {}", in_quotes(name)));
            }
        });
        check_size(instance_.names.size(), cursor.text(), at, "names");
    }

    const JsonInstanceForm& form_;
    Text text_;
    std::map<std::string, Member, std::less<>> members_;
    Instance instance_;
};

}  // namespace

Instance read_json_instance(JsonCursor& cursor, const JsonInstanceForm& form) {
    return JsonInstance(cursor, form).read();
}

}  // namespace neuroprim::formats
