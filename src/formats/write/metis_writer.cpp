#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <optional>

#include "formats/write/graph_table.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// METIS takes whole weights above 0 only.
bool fits(double weight) {
    constexpr double exact_integers = 9007199254740992.0;  // 2⁵³
    return weight >= 1 && weight == std::floor(weight) && weight <= exact_integers;
}

[[noreturn]] void refuse(const WeightedEdge& edge) {
    throw InputError(
        fmt::format("METIS has whole weights above 0, and edge {}-{} weighs {}: write .mtx or .graphml, which hold "
                    "any weight",
                    edge.u, edge.v, edge.weight));
}

std::string metis_of(Vertex n, const std::vector<WeightedEdge>& edges) {
    struct End {
        Vertex to;
        double weight;
    };
    std::vector<std::vector<End>> ends(index(n));
    for (const auto& [u, v, weight] : edges) {
        if (!fits(weight)) refuse({u, v, weight});
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

/// Every tree has an edge at a vertex that it must hold. So none can be written if no edge of that one fits.
void check_trees_fit_metis(const Instance& instance) {
    const bool may_leave_out = !instance.prizes.empty() || !instance.groups.empty();
    const bool is_alone = instance.size() == 1 || instance.terminals.size() == 1;
    if (may_leave_out || is_alone) return;
    const Vertex held = instance.terminals.empty() ? 0 : instance.terminals.front();
    bool one_fits = false;
    std::optional<WeightedEdge> misfit;
    instance.weights.for_each_neighbour(held, [&](Vertex v, double weight) {
        one_fits = one_fits || fits(weight);
        if (!misfit) misfit = {held, v, weight};
    });
    if (!one_fits && misfit) refuse(*misfit);
}

std::string solution_to_metis(const Instance& instance, const Solution& solution) {
    return metis_of(instance.size(), graph_table(instance, solution).edges);
}

}  // namespace neuroprim::formats
