#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "formats/write/graph_table.hpp"
#include "formats/write/writers.hpp"

namespace neuroprim::formats {

namespace {

/// Both ends of the diagonal have the same entry, so that the lower triangle is enough.
std::string matrix_market_of(Vertex n, const std::vector<WeightedEdge>& edges) {
    std::string out = "%%MatrixMarket matrix coordinate real symmetric\n";
    out += fmt::format("{} {} {}\n", n, n, edges.size());
    for (const auto& [u, v, weight] : edges) {
        fmt::format_to(std::back_inserter(out), "{} {} {}\n", std::max(u, v) + 1, std::min(u, v) + 1, weight);
    }
    return out;
}

}  // namespace

std::string instance_to_matrix_market(const Instance& instance) {
    refuse_many_pairs(instance, "Matrix Market");
    refuse_loss(instance, "Matrix Market", {});
    return matrix_market_of(instance.size(), instance.weights.edges());
}

std::string solution_to_matrix_market(const Instance& instance, const Solution& solution) {
    return matrix_market_of(instance.size(), graph_table(instance, solution).edges);
}

}  // namespace neuroprim::formats
