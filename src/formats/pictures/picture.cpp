#include "neuroprim/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "formats/pictures/caption.hpp"
#include "formats/pictures/edges.hpp"
#include "formats/pictures/layout.hpp"
#include "formats/pictures/marks.hpp"
#include "formats/pictures/style.hpp"
#include "formats/write/writers.hpp"

namespace neuroprim {
using namespace formats;

namespace {

constexpr double picture_margin = 32;
constexpr std::size_t most_graph_edges = 100'000;

bool shows_graph(const Instance& instance, const PictureOptions& options) {
    const Weights& weights = instance.weights;
    if (!options.graph || instance.map) return false;  // streets are drawn by themselves
    return weights.form() == Weights::Form::sparse && weights.edge_count() <= most_graph_edges;
}

bool has(std::span<const Role> roles, Role role) {
    return std::find(roles.begin(), roles.end(), role) != roles.end();
}

std::vector<LegendEntry> legend_of(std::span<const Role> roles, const Sizes& sizes, bool has_trunks) {
    const double dot = std::clamp(sizes.dot, 2.5, 5.0);
    std::vector<LegendEntry> legend;
    const auto add = [&](Role role, double radius, std::string text) {
        if (role == Role::hidden || has(roles, role)) legend.push_back({role, radius, std::move(text)});
    };
    add(Role::start, 4.5, "start");
    add(Role::start_terminal, 4, "start, a terminal");
    add(Role::terminal, 4, "terminal");
    if (sizes.vertices) {
        add(Role::steiner, 3.5, "Steiner vertex");
        add(Role::outside, 3, "not in the tree");
    }
    if (sizes.titles) {
        const std::size_t before = legend.size();
        add(Role::degree_1, dot, "1");
        add(Role::degree_2, dot * 1.19, "2");
        add(Role::degree_3, dot * 1.33, "3");
        add(Role::hub, dot * 1.45, "4 and more");
        if (legend.size() > before) legend[before].text.insert(0, "degree ");
    }
    if (has_trunks) add(Role::hidden, 0, "wider lines join larger parts");
    return legend;
}

/// What widths and colours of edges mean.
void append_loads(std::vector<LegendEntry>& legend, const TreeSpec& spec) {
    for (std::size_t k = 0; k < spec.cables.size() && k < palette::cables.size(); ++k) {
        const bool stands_for_all = k + 1 == palette::cables.size() && spec.cables.size() > palette::cables.size();
        const std::string carries =
            stands_for_all ? "more" : fmt::format("up to {}", readable(spec.cables[k].capacity));
        legend.push_back({Role::hidden, 6, (k == 0 ? "cables for " : "") + carries, palette::cables[k]});
    }
    legend.push_back({Role::hidden, 0, "wider lines carry more"});
}

/// Where everything stands, in positions and in pixels.
struct Place {
    TreeLayout layout;
    bool is_schematic;
    Canvas canvas;
    std::vector<Point> pixels;       // (n)
    const StreetMap* map = nullptr;  // how edges run, in degrees
    double shrink = 1;               // of degrees of longitude

    Place(TreeLayout layout_, bool is_schematic_, double width)
        : layout(std::move(layout_)), is_schematic(is_schematic_), canvas(layout.at, width, picture_margin) {
        pixels.reserve(layout.at.size());
        for (const Point p : layout.at) pixels.push_back(canvas(p));
    }

    void find_path(std::vector<Point>& path, Vertex u, Vertex v) const {
        path.assign(1, layout.at[static_cast<std::size_t>(u)]);
        append_bends(path, layout, u, v);
        if (map != nullptr) {
            map->append_between(path, u, v);
            for (std::size_t i = 1; i < path.size(); ++i) path[i].x *= shrink;
        }
        path.push_back(layout.at[static_cast<std::size_t>(v)]);
        for (auto& p : path) p = canvas(p);
    }
};

Place place(const Instance& instance, const Tree& tree, double width) {
    auto given = planar_positions(instance);
    if (!given.empty() || instance.size() == 0) {
        Place result{TreeLayout{std::move(given), {}}, false, width};
        result.map = instance.map.get();
        result.shrink = planar_shrink(instance);
        return result;
    }
    return {radial_layout(tree, instance.size()), true, width};
}

/// Corners of streets are seen by their lines; only places that the map marks have marks of their own.
void hide_corners(std::vector<Role>& role, const Instance& instance) {
    for (Vertex v = 0; v < instance.size(); ++v) {
        Role& mark = role[index(v)];
        if (mark >= Role::terminal) continue;
        const bool has_prize = !instance.prizes.empty() && instance.prizes[index(v)] > 0;
        if (!has_prize) mark = Role::hidden;
    }
}

bool has_streets(const Instance& instance) {
    return instance.map && instance.map->has_streets;
}

/// All streets of the map and the outlines of its forbidden areas, to lie behind a tree.
void append_backdrop(std::vector<Shape>& shapes, const Place& where, const Instance& instance, double width) {
    Lines streets;
    streets.paint = {.stroke = palette::pale, .stroke_width = width};
    std::vector<Point> path;
    for (Vertex u = 0; u < instance.size() && instance.map->has_streets; ++u) {
        instance.weights.for_each_neighbour(u, [&](Vertex v, double) {
            if (u >= v) return;
            where.find_path(path, u, v);
            for (std::size_t i = 1; i < path.size(); ++i) streets.segments.push_back({path[i - 1], path[i]});
        });
    }
    const auto append = [&](Lines& lines, std::span<const Point> points) {
        const auto pixel = [&](Point p) { return where.canvas({p.x * where.shrink, p.y}); };
        for (std::size_t i = 1; i < points.size(); ++i) {
            lines.segments.push_back({pixel(points[i - 1]), pixel(points[i])});
        }
    };
    for (const auto& line : instance.map->backdrop) append(streets, line);
    if (!streets.segments.empty()) shapes.emplace_back(std::move(streets));
    Lines areas;
    areas.paint = {.stroke = palette::red, .stroke_width = width, .opacity = 0.5, .dash = 4};
    for (const auto& ring : instance.map->areas) append(areas, ring);
    if (!areas.segments.empty()) shapes.emplace_back(std::move(areas));
}

/// A crowd counts only those who are seen.
Sizes sizes_for(const Place& place, std::span<const Role> role, const Instance& instance) {
    std::vector<Point> seen;
    for (std::size_t v = 0; v < role.size(); ++v) {
        if (role[v] != Role::hidden) seen.push_back(place.pixels[v]);
    }
    return {seen, place.canvas, !instance.names.empty()};
}

/// Of a forest the tree that one virtual edge to each further root makes of it, to be laid out in one piece.
Tree joined_at_roots(const Solution& solution) {
    Tree tree = solution.tree;
    for (const Vertex root : solution.other_roots) tree.edges.push_back({tree.start, root});
    return tree;
}

}  // namespace

Picture draw_tree(const Instance& instance, const Solution& solution, const PictureOptions& options) {
    const Tree& tree = solution.tree;
    const Vertex n = instance.size();
    const std::vector<Vertex> roots = solution.roots();
    const Place where = place(instance, joined_at_roots(solution), options.width);
    const auto degree = degrees(tree, n);
    auto role = tree_roles(instance, degree, roots);
    if (where.is_schematic) std::replace(role.begin(), role.end(), Role::outside, Role::hidden);
    if (has_streets(instance)) hide_corners(role, instance);
    const Sizes sizes = sizes_for(where, role, instance);
    const Marks marks{instance, role, degree, where.pixels, tree.edges, sizes, where.canvas};

    Picture picture{where.canvas.width(), where.canvas.height(), instance.name, {}};
    auto& shapes = picture.shapes;
    if (instance.map && options.graph) append_backdrop(shapes, where, instance, sizes.line);
    if (!where.is_schematic && shows_graph(instance, options)) {
        shapes.emplace_back(graph_lines(instance.weights, where.pixels, sizes.line));
    }
    // Dots must not cut wide lines into beads.
    const bool has_trunks = tree.edges.size() + 1 >= trunks_from;
    if (has_trunks) append_plain_marks(shapes, marks);
    const auto find_path = [&](std::vector<Point>& path, Vertex u, Vertex v) { where.find_path(path, u, v); };
    const bool shows_loads = solution.spec && solution.spec->has(Limit::capacity) && !tree.edges.empty();
    auto edges = shows_loads ? loaded_lines(tree, facts_of(*solution.spec, instance, tree), find_path, sizes.line)
                             : tree_lines(tree, roots, n, find_path, sizes.line);
    for (auto& lines : edges) {
        if (!lines.segments.empty()) shapes.emplace_back(std::move(lines));
    }
    if (!has_trunks) append_plain_marks(shapes, marks);
    append_important_marks(shapes, marks);
    append_labels(shapes, marks);

    std::vector<LegendEntry> legend;
    if (options.legend) legend = legend_of(role, sizes, has_trunks && !shows_loads);
    if (options.legend && shows_loads) append_loads(legend, *solution.spec);
    std::vector<std::string> facts;
    if (options.caption) facts = tree_facts(instance, solution);
    if (options.caption && where.is_schematic) facts.emplace_back("positions are schematic");
    append_footer(picture, legend, facts);
    return picture;
}

Picture draw_instance(const Instance& instance, const PictureOptions& options) {
    const Place where =
        place(instance, instance.positions().empty() ? search_tree(instance.weights) : Tree{}, options.width);
    const Role plain = instance.terminals.empty() ? Role::degree_2 : Role::outside;
    std::vector<Role> role(static_cast<std::size_t>(instance.size()), plain);
    for (const Vertex v : instance.terminals) role[static_cast<std::size_t>(v)] = Role::terminal;
    if (has_streets(instance)) hide_corners(role, instance);
    const Sizes sizes = sizes_for(where, role, instance);
    const Marks marks{instance, role, {}, where.pixels, {}, sizes, where.canvas};

    Picture picture{where.canvas.width(), where.canvas.height(), instance.name, {}};
    if (instance.map && options.graph) append_backdrop(picture.shapes, where, instance, sizes.line);
    if (shows_graph(instance, options)) {
        picture.shapes.emplace_back(graph_lines(instance.weights, where.pixels, sizes.line));
    }
    append_plain_marks(picture.shapes, marks);
    append_important_marks(picture.shapes, marks);
    append_labels(picture.shapes, marks);

    std::vector<LegendEntry> legend;
    if (options.legend && !instance.terminals.empty()) {
        legend = {{Role::terminal, 4, "terminal"}, {Role::outside, 3, "other vertex"}};
    }
    std::vector<std::string> facts;
    if (options.caption) facts = instance_facts(instance);
    if (options.caption && where.is_schematic) facts.emplace_back("positions are schematic");
    append_footer(picture, legend, facts);
    return picture;
}

}  // namespace neuroprim
