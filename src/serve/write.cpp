#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "formats/text/values.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/picture.hpp"
#include "serve/api.hpp"
#include "serve/parameter_fields.hpp"
#include "serve/request.hpp"

namespace neuroprim::serve {

namespace {

struct FileKind {
    std::string_view name;
    std::string_view type;
    std::string (*tree)(const Instance&, const Solution&);
    std::string (*instance)(const Instance&);
};

constexpr std::array file_kinds = {
    FileKind{"svg", "image/svg+xml", [](const Instance& i, const Solution& s) { return to_svg(draw_tree(i, s)); },
             [](const Instance& i) { return to_svg(draw_instance(i)); }},
    FileKind{"png", "image/png", [](const Instance& i, const Solution& s) { return to_png(draw_tree(i, s)); },
             [](const Instance& i) { return to_png(draw_instance(i)); }},
    FileKind{"json", "application/json", solution_to_json, formats::instance_to_json},
    FileKind{"geojson", "application/geo+json", formats::solution_to_geojson, formats::instance_to_geojson},
    FileKind{"csv", "text/csv; charset=utf-8", formats::solution_to_csv, formats::instance_to_csv},
};

const FileKind& file_kind(const std::string& name) {
    for (const auto& kind : file_kinds) {
        if (kind.name == name) return kind;
    }
    throw InputError(
        fmt::format("format: unknown format {}: expected svg, png, json, geojson or csv", formats::in_quotes(name)));
}

/// The tree of the request with the cost it really has.
Solution read_solution(const Fields& fields, const Problem& problem) {
    const Instance& instance = problem.instance();
    Solution solution;
    solution.instance = instance.name;
    solution.problem = problem.name();
    solution.spec = std::make_shared<const TreeSpec>(problem.spec());
    solution.n = instance.size();
    fields.with("edges", [&](formats::JsonCursor& cursor) {
        cursor.array([&] {
            const std::size_t at = cursor.at();
            Edge edge;
            int count = 0;
            cursor.array([&] {
                const Vertex v = formats::to_vertex(cursor.text(), cursor.number("a vertex"), instance.size(), 0);
                (count == 0 ? edge.u : edge.v) = v;
                ++count;
            });
            if (count != 2) {
                cursor.text().fail(at, fmt::format("expected an edge [u, v], found {} numbers", count));
            }
            solution.tree.edges.push_back(edge);
        });
    });
    solution.tree.start = problem.starts().front();
    solution.other_roots = problem.spec().other_roots;
    if (const auto reason = problem.violation(solution.tree)) {
        throw InputError(fmt::format("edges: not a tree for {}: {}", problem.name(), *reason));
    }
    solution.cost = problem.cost(solution.tree);
    solution.bound = fields.number("bound", 0, formats::largest_magnitude);
    solution.seconds = fields.number("seconds", 0, formats::largest_magnitude).value_or(0);
    solution.seed = static_cast<std::uint64_t>(fields.integer("seed", 0).value_or(0));
    solution.method = fields.string("method").value_or("");
    solution.found_by = fields.string("found_by").value_or("");
    return solution;
}

std::string file_name_for(const Instance& instance, std::string_view ending) {
    std::string name;
    for (const char c : instance.name) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
        name += plain ? c : '-';
    }
    constexpr std::size_t longest = 60;
    return fmt::format("{}.{}", name.empty() ? "neuroprim" : name.substr(0, longest), ending);
}

}  // namespace

// All routes that prepare work are handed the request for good.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Job::Work prepare_write(const Context& context, ApiRequest request) {
    const FileKind& kind = file_kind(request.parameter("format"));
    const formats::Text text = body_text(request.body);
    const Fields fields(text, request_keys({"edges", "cost", "bound", "gap_percent", "proven_optimal", "seconds",
                                            "found_by", "n", "specification", "iterations", "statistics"}));
    if (!fields.has("edges")) {
        auto instance = std::make_shared<const Instance>(read_instance(fields, context.settings.limits));
        return [instance, &kind](Job&) -> ApiResponse {
            return {200, std::string(kind.type), kind.instance(*instance), file_name_for(*instance, kind.name)};
        };
    }
    auto requested = std::make_shared<const RequestedProblem>(read_problem(fields, context.settings.limits));
    auto solution = std::make_shared<const Solution>(read_solution(fields, *requested->problem));
    return [requested, solution, &kind](Job&) -> ApiResponse {
        const Instance& instance = *requested->instance;
        return {200, std::string(kind.type), kind.tree(instance, *solution), file_name_for(instance, kind.name)};
    };
}

}  // namespace neuroprim::serve
