#include <fmt/format.h>

#include "formats/write/json_object.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "serve/api.hpp"
#include "serve/request.hpp"

namespace neuroprim::serve {

// NOLINTNEXTLINE(performance-unnecessary-value-param): all routes have one signature
Job::Work prepare_generate(const Context& context, ApiRequest request) {
    constexpr double largest_scale = 1e9;
    constexpr double largest_degree = 100;
    const Limits& limits = context.settings.limits;
    const formats::Text text = body_text(request.body);
    const Fields fields(text,
                        {"n", "kind", "seed", "terminals", "scale", "integers", "average_degree", "requirements"});
    GenerateOptions options;
    const std::string kind = fields.string("kind").value_or("uniform");
    const auto shape = shape_from_string(kind);
    if (!shape) {
        throw InputError(fmt::format("kind: unknown kind {}: expected uniform, clustered, grid, matrix or sparse",
                                     formats::in_quotes(kind)));
    }
    options.shape = *shape;
    options.requirements = fields.boolean("requirements").value_or(false);
    const bool pairs = options.shape == GenerateOptions::Shape::matrix || options.requirements;
    const Vertex most = pairs ? limits.matrix_vertices : limits.vertices;
    options.n = static_cast<Vertex>(fields.integer("n", 1, most).value_or(options.n));
    options.terminals = static_cast<Vertex>(fields.integer("terminals", 0, options.n).value_or(0));
    options.seed = static_cast<std::uint64_t>(fields.integer("seed", 0).value_or(0));
    options.scale = fields.number("scale", 1e-9, largest_scale).value_or(options.scale);
    options.integers = fields.boolean("integers").value_or(false);
    options.average_degree = fields.number("average_degree", 0, largest_degree).value_or(options.average_degree);
    return [options](Job&) -> ApiResponse {
        return {200, "application/json", formats::instance_to_json_line(generate(options)) + "\n"};
    };
}

}  // namespace neuroprim::serve
