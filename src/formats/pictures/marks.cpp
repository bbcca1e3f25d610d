#include "formats/pictures/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "formats/write/writers.hpp"

namespace neuroprim::formats {

namespace {

bool is_start(Role role) {
    return role == Role::start || role == Role::start_terminal;
}

bool is_terminal(Role role) {
    return role == Role::terminal || role == Role::start_terminal;
}

Paint paint_of(Role role) {
    switch (role) {
        case Role::hidden:
            return {};
        case Role::outside:
            return {.fill = palette::pale};
        case Role::degree_1:
            return {.fill = palette::light_slate};
        case Role::degree_2:
            return {.fill = palette::slate};
        case Role::degree_3:
            return {.fill = palette::dark_slate};
        case Role::hub:
            return {.fill = palette::ink};
        case Role::steiner:
            return {.fill = palette::white, .stroke = palette::slate};
        case Role::terminal:
            return {.fill = palette::blue};
        case Role::start:
        case Role::start_terminal:
            return {.fill = palette::red};
    }
    return {};
}

std::string title(const Marks& marks, std::size_t v) {
    const Role role = marks.role[v];
    const auto& names = marks.instance.names;
    std::string text = names.empty() ? fmt::format("vertex {}", v) : names[v];
    if (!marks.degree.empty()) {
        text += role == Role::outside ? ", not in the tree" : fmt::format(", degree {}", marks.degree[v]);
    }
    if (is_terminal(role)) text += ", terminal";
    if (is_start(role)) text += ", start";
    return text;
}

double radius(const Marks& marks, std::size_t v) {
    const Role role = marks.role[v];
    const Sizes& sizes = marks.sizes;
    const int degree = marks.degree.empty() ? 1 : marks.degree[v];
    if (is_start(role)) return std::max(3.0, (sizes.numbers ? 1.0 : 1.35) * sizes.radius(degree));
    if (is_terminal(role)) return std::max(1.2, (sizes.numbers ? 0.95 : 1.3) * sizes.radius(degree));
    if (role == Role::steiner && !sizes.numbers) return 0.85 * sizes.radius(degree);
    if (role == Role::outside && !sizes.numbers) return 0.7 * sizes.dot;
    return sizes.radius(degree);
}

/// How far, as an angle, the direction keeps from all edges at the vertex.
double clearance(const Marks& marks, std::size_t v, Point direction) {
    double smallest = std::numbers::pi;
    for (const auto [a, b] : marks.edges) {
        const auto u = static_cast<std::size_t>(a);
        const auto w = static_cast<std::size_t>(b);
        if (u != v && w != v) continue;
        const Point other = marks.pixels[u == v ? w : u];
        const double dx = other.x - marks.pixels[v].x;
        const double dy = other.y - marks.pixels[v].y;
        const double cosine = (dx * direction.x + dy * direction.y) / std::max(1e-9, std::hypot(dx, dy));
        smallest = std::min(smallest, std::acos(std::clamp(cosine, -1.0, 1.0)));
    }
    return smallest;
}

/// Right of the mark, left of it, above or below, wherever edges leave most room.
Label name_at(const Marks& marks, std::size_t v) {
    const std::string& name = marks.instance.names[v];
    const Point at = marks.pixels[v];
    const double gap = radius(marks, v) + 4;
    constexpr double size = 11;
    const double width = 0.6 * size * static_cast<double>(name.size());
    struct Side {
        Point direction;
        Point offset;
        Anchor anchor;
        double bonus;  // what the side is worth by itself: names read best on the right
    };
    const std::array<Side, 4> sides = {{
        {{1, 0}, {gap, 4}, Anchor::left, 0.3},
        {{-1, 0}, {-gap, 4}, Anchor::right, 0.2},
        {{0, -1}, {0, -gap - 1}, Anchor::centre, 0},
        {{0, 1}, {0, gap + size - 2}, Anchor::centre, 0},
    }};
    const Side* best = &sides.front();
    double best_worth = -10;
    for (const Side& side : sides) {
        const double reach = side.anchor == Anchor::centre ? width / 2 : gap + width;
        const bool sticks_out = (side.anchor != Anchor::right && at.x + reach > marks.canvas.width() - 4) ||
                                (side.anchor != Anchor::left && at.x - reach < 4);
        const double worth = std::min(clearance(marks, v, side.direction), 1.2) + side.bonus - (sticks_out ? 5 : 0);
        if (worth > best_worth) {
            best = &side;
            best_worth = worth;
        }
    }
    return {{at.x + best->offset.x, at.y + best->offset.y},
            name,
            {.size = size,
             .colour = marks.role[v] == Role::outside ? palette::light_slate : palette::dark_slate,
             .anchor = best->anchor,
             .halo = true}};
}

Label number_inside(const Marks& marks, std::size_t v) {
    const Role role = marks.role[v];
    const bool on_light = role == Role::steiner || role == Role::outside;
    const Point at = marks.pixels[v];
    return {
        {at.x, at.y + 3.1},
        std::to_string(v),
        {.size = 8.5, .colour = on_light ? palette::slate : palette::white, .anchor = Anchor::centre, .bold = true}};
}

/// All vertices of one role as dots of one size: a single shape.
Lines dots(const Marks& marks, Role role, std::span<const std::size_t> vertices) {
    Lines lines;
    lines.paint = {.stroke = paint_of(role).stroke ? paint_of(role).stroke : paint_of(role).fill,
                   .stroke_width = 2 * radius(marks, vertices.front())};
    for (const std::size_t v : vertices) lines.segments.push_back({marks.pixels[v], marks.pixels[v]});
    return lines;
}

void append_role(std::vector<Shape>& shapes, const Marks& marks, Role role) {
    std::vector<std::size_t> vertices;
    for (std::size_t v = 0; v < marks.role.size(); ++v) {
        if (marks.role[v] == role) vertices.push_back(v);
    }
    if (vertices.empty()) return;
    if (!marks.sizes.titles && !is_start(role)) {
        shapes.emplace_back(dots(marks, role, vertices));
        return;
    }
    for (const std::size_t v : vertices) {
        append_mark(shapes, role, marks.pixels[v], radius(marks, v), title(marks, v));
    }
}

}  // namespace

std::vector<Role> tree_roles(const Instance& instance, std::span<const int> degree, std::span<const Vertex> starts) {
    const auto terminal = terminal_flags(instance);
    const bool has_terminals = !instance.terminals.empty();
    std::vector<Role> role(degree.size());
    for (std::size_t v = 0; v < role.size(); ++v) {
        const bool is_start = std::find(starts.begin(), starts.end(), static_cast<Vertex>(v)) != starts.end();
        if (is_start || terminal[v]) {
            role[v] = !terminal[v] ? Role::start : is_start ? Role::start_terminal : Role::terminal;
        } else if (degree[v] == 0) {
            role[v] = Role::outside;
        } else if (has_terminals) {
            role[v] = Role::steiner;
        } else {
            role[v] = static_cast<Role>(static_cast<int>(Role::degree_1) + std::min(degree[v], 4) - 1);
        }
    }
    return role;
}

void append_mark(std::vector<Shape>& shapes, Role role, Point at, double radius, std::string title) {
    Paint paint = paint_of(role);
    paint.stroke_width = std::clamp(0.35 * radius, 0.5, 1.8);
    if (is_terminal(role)) {
        shapes.emplace_back(Box{at, 2 * radius, 2 * radius, 0.3 * radius, paint, std::move(title)});
    } else {
        shapes.emplace_back(Circle{at, radius, paint, std::move(title)});
    }
}

void append_plain_marks(std::vector<Shape>& shapes, const Marks& marks) {
    if (!marks.sizes.vertices) return;
    for (const Role role :
         {Role::outside, Role::degree_1, Role::degree_2, Role::degree_3, Role::hub, Role::steiner}) {
        append_role(shapes, marks, role);
    }
}

void append_important_marks(std::vector<Shape>& shapes, const Marks& marks) {
    for (const Role role : {Role::terminal, Role::start, Role::start_terminal}) append_role(shapes, marks, role);
}

void append_labels(std::vector<Shape>& shapes, const Marks& marks) {
    const bool has_names = !marks.instance.names.empty();
    if (!marks.sizes.numbers && !(has_names && marks.sizes.names)) return;
    for (std::size_t v = 0; v < marks.role.size(); ++v) {
        if (marks.role[v] == Role::hidden) continue;
        shapes.emplace_back(has_names ? name_at(marks, v) : number_inside(marks, v));
    }
}

}  // namespace neuroprim::formats
