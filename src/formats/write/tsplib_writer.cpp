#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

std::optional<std::string_view> edge_weight_type(Metric metric) {
    switch (metric) {
        case Metric::euc_2d:
            return "EUC_2D";
        case Metric::ceil_2d:
            return "CEIL_2D";
        case Metric::man_2d:
            return "MAN_2D";
        case Metric::max_2d:
            return "MAX_2D";
        case Metric::att:
            return "ATT";
        case Metric::geo:
            return "GEO";
        case Metric::euclidean:
        case Metric::manhattan:
        case Metric::maximum:
        case Metric::great_circle:
            break;
    }
    return std::nullopt;
}

void append_coordinates(std::string& out, std::span<const Point> points) {
    for (std::size_t v = 0; v < points.size(); ++v) {
        fmt::format_to(std::back_inserter(out), "{} {} {}\n", v + 1, points[v].x, points[v].y);
    }
}

void append_points(std::string& out, const Weights& weights) {
    const auto type = edge_weight_type(weights.metric());
    if (!type) {
        throw InputError(
            fmt::format("TSPLIB has no edge weight type for the metric {}: write .json or .csv, or "
                        "measure the points by one of TSPLIB's metrics (euc_2d, ceil_2d, …)",
                        to_string(weights.metric())));
    }
    fmt::format_to(std::back_inserter(out), "EDGE_WEIGHT_TYPE : {}\nNODE_COORD_SECTION\n", *type);
    append_coordinates(out, weights.points());
}

void append_matrix(std::string& out, const Instance& instance) {
    const Weights& weights = instance.weights;
    if (!weights.is_complete()) {
        throw InputError("TSPLIB holds complete graphs only, and this one lacks edges: write .json or .stp");
    }
    out += "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : LOWER_DIAG_ROW\n";
    if (!instance.layout.empty()) out += "DISPLAY_DATA_TYPE : TWOD_DISPLAY\n";
    out += "EDGE_WEIGHT_SECTION\n";
    for (Vertex u = 0; u < weights.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) fmt::format_to(std::back_inserter(out), "{} ", weights(u, v));
        out += "0\n";
    }
    if (!instance.layout.empty()) {
        out += "DISPLAY_DATA_SECTION\n";
        append_coordinates(out, instance.layout);
    }
}

}  // namespace

std::string instance_to_tsplib(const Instance& instance) {
    refuse_loss(instance, "TSPLIB", {});
    std::string out;
    if (!instance.name.empty()) {
        std::string name = instance.name;
        std::replace(name.begin(), name.end(), '\n', ' ');
        out += fmt::format("NAME : {}\n", name);
    }
    out += fmt::format("TYPE : TSP\nDIMENSION : {}\n", instance.size());
    if (instance.weights.form() == Weights::Form::points) {
        append_points(out, instance.weights);
    } else {
        append_matrix(out, instance);
    }
    out += "EOF\n";
    return out;
}

}  // namespace neuroprim::formats
