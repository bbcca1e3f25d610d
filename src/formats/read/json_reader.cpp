#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "formats/read/json_triangle.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/json_cursor.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::array<std::string_view, 11> keys = {"name",         "n",     "points",    "metric",
                                                   "matrix",       "edges", "terminals", "degree_limits",
                                                   "requirements", "names", "layout"};

/// GeoJSON is asked first, so that whatever else is an object is ours.
Match recognises_json(const Clues& clues) {
    return clues.first_line.value.starts_with('{') ? Match::certain : Match::no;
}

/// Finds all members first and reads them then, so that they may come in any order.
class JsonInstance {
public:
    explicit JsonInstance(const Text& text) : text_(text) {
        JsonCursor cursor(text);
        cursor.object([&](const std::string& key, std::size_t at) {
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
                text.fail(at, fmt::format("unknown key {}: expected {}", in_quotes(key), fmt::join(keys, ", ")));
            }
            if (!members_.emplace(key, cursor).second) {
                text.fail(at, fmt::format("key {} is given twice", in_quotes(key)));
            }
            cursor.skip();
        });
        cursor.finish();
    }

    Instance read() {
        instance_.name = text_.name;
        with("name", [&](JsonCursor& cursor) { instance_.name = cursor.string(); });
        read_graph();
        with("n", [&](JsonCursor& cursor) { check_size(to_vertex_count(text_, cursor.number()), cursor.at(), "n"); });
        with("terminals", [&](JsonCursor& cursor) { read_terminals(cursor); });
        with("degree_limits", [&](JsonCursor& cursor) { read_degree_limits(cursor); });
        with("requirements", [&](JsonCursor& cursor) { read_requirements(cursor); });
        with("names", [&](JsonCursor& cursor) { read_names(cursor); });
        with("layout", [&](JsonCursor& cursor) {
            const std::size_t at = cursor.at();
            instance_.layout = read_points(cursor, Metric::euclidean);
            check_size(instance_.layout.size(), at, "layout");
        });
        return std::move(instance_);
    }

private:
    template <class Read>
    void with(std::string_view key, Read&& read) {
        const auto member = members_.find(key);
        if (member == members_.end()) return;
        JsonCursor cursor = member->second;
        read(cursor);
    }

    [[nodiscard]] bool has(std::string_view key) const { return members_.find(key) != members_.end(); }
    [[nodiscard]] Vertex size() const { return instance_.size(); }

    void check_size(std::size_t found, std::size_t at, std::string_view key) const {
        if (found == static_cast<std::size_t>(size())) return;
        text_.fail(at, fmt::format("\"{}\" tells of {} vertices, but there are {}", key, found, size()));
    }
    void check_size(Vertex found, std::size_t at, std::string_view key) const {
        check_size(static_cast<std::size_t>(found), at, key);
    }

    void read_graph() {
        const int graphs = int{has("points")} + int{has("matrix")} + int{has("edges")};
        if (graphs != 1) text_.fail("expected one of the keys \"points\", \"matrix\" and \"edges\"");
        if (has("metric") && !has("points")) {
            with("metric", [&](JsonCursor& cursor) { text_.fail(cursor.at(), "\"metric\" needs \"points\""); });
        }
        if (has("edges") && !has("n")) text_.fail("\"edges\" needs \"n\", the number of vertices");
        with("points", [&](JsonCursor& cursor) {
            const Metric metric = read_metric();
            auto points = read_points(cursor, metric);
            checked_size(text_, points.size());
            instance_.weights = Weights::from_points(std::move(points), metric);
        });
        with("matrix", [&](JsonCursor& cursor) {
            const Triangle triangle = read_triangle(cursor, "a weight", Weights::infinity);
            instance_.weights = Weights::from_lower_triangle(triangle.n, triangle.lower);
        });
        with("edges", [&](JsonCursor& cursor) { read_edges(cursor); });
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
                text_.fail(at,
                           fmt::format("unknown metric {}: expected {}", in_quotes(name), fmt::join(known, ", ")));
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
                const double value = to_number(text_, cursor.number("a coordinate"));
                if (count < xy.size()) xy[count] = value;
                ++count;
            });
            if (count != 2) text_.fail(at, fmt::format("expected a point [x, y], found {} numbers", count));
            check_position(text_, at, {xy[0], xy[1]}, metric);
            points.push_back({xy[0], xy[1]});
        });
        return points;
    }

    void read_edges(JsonCursor& cursor) {
        Vertex n = 0;
        std::size_t n_at = 0;
        with("n", [&](JsonCursor& n_cursor) {
            n_at = n_cursor.at();
            n = to_vertex_count(text_, n_cursor.number());
        });
        std::vector<WeightedEdge> edges;
        cursor.array([&] {
            const std::size_t at = cursor.at();
            WeightedEdge edge;
            int count = 0;
            cursor.array([&] {
                const Token number = cursor.number();
                if (count == 0) edge.u = to_vertex(text_, number, n, 0);
                if (count == 1) edge.v = to_vertex(text_, number, n, 0);
                if (count == 2) edge.weight = to_weight(text_, number);
                ++count;
            });
            if (count != 3) text_.fail(at, fmt::format("expected an edge [u, v, weight], found {} numbers", count));
            check_no_loop(text_, at, edge.u, edge.v, 0);
            edges.push_back(edge);
        });
        check_plausible_size(text_, n_at, n, edges.size());
        instance_.weights = Weights::from_edges(n, std::move(edges));
    }

    void read_terminals(JsonCursor& cursor) {
        Terminals terminals;
        cursor.array([&] {
            const Token number = cursor.number("a vertex");
            terminals.add(text_, number.at, to_vertex(text_, number, size(), 0), 0);
        });
        instance_.terminals = std::move(terminals).sorted();
    }

    void read_degree_limits(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        cursor.array(
            [&] { instance_.degree_limits.push_back(to_degree_limit(text_, cursor.number("a degree limit"))); });
        check_size(instance_.degree_limits.size(), at, "degree_limits");
    }

    void read_requirements(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        Triangle triangle = read_triangle(cursor, "a requirement", std::nullopt);
        check_size(triangle.n, at, "requirements");
        instance_.requirements = std::move(triangle.lower);
    }

    void read_names(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        cursor.array([&] { instance_.names.push_back(cursor.string("a name")); });
        check_size(instance_.names.size(), at, "names");
    }

    const Text& text_;
    std::map<std::string, JsonCursor, std::less<>> members_;
    Instance instance_;
};

std::vector<Instance> read_json(const Text& text) {
    return just(JsonInstance(text).read());
}

}  // namespace

extern const Reader json_reader = {"json", "NeuroPrim's own JSON", recognises_json, read_json};

}  // namespace neuroprim::formats
