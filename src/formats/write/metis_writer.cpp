#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "formats/write/graph_table.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// METIS takes whole weights above 0 only.
std::string metis_of(Vertex n, const std::vector<WeightedEdge>& edges) {
    constexpr double exact_integers = 9007199254740992.0;  // 2⁵³
    struct End {
        Vertex to;
        double weight;
    };
    std::vector<std::vector<End>> ends(index(n));
    for (const auto& [u, v, weight] : edges) {
        if (!(weight >= 1) || weight != std::floor(weight) || weight > exact_integers) {
            throw InputError(
                fmt::format("METIS has whole weights above 0, and edge {}-{} weighs {}: write .mtx or "
                            ".graphml, which hold any weight",
                            u, v, weight));
        }
        ends[index(u)].push_back({v, weight});
        ends[index(v)].push_back({u, weight});
    }
    std::string out = fmt::format("{} {} 001\n", n, edges.size());
    for (const auto& list : ends) {
        const char* before = "";
        for (const auto& [to, weight] : list) {
            fmt::format_to(std::back_inserter(out), "{}{} {:.0f}", before, to + 1, weight);
            before = " ";
        }
        out += '\n';
    }
    return out;
}

}  // namespace

std::string instance_to_metis(const Instance& instance) {
    refuse_many_pairs(instance, "METIS");
    refuse_loss(instance, "METIS", {});
    return metis_of(instance.size(), instance.weights.edges());
}

std::string solution_to_metis(const Instance& instance, const Solution& solution) {
    return metis_of(instance.size(), graph_table(instance, solution).edges);
}

}  // namespace neuroprim::formats
