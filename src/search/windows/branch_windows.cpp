#include "search/windows/branch_windows.hpp"

#include <algorithm>

#include "search/branches/branch_partition.hpp"
#include "search/sectors/sector.hpp"
#include "search/sectors/sectors.hpp"

namespace neuroprim {

std::optional<std::size_t> branch_window_size(const Problem& problem, std::size_t most) {
    constexpr std::size_t usual = 60;
    constexpr double together = 3;
    if (!branches::BranchPartition::suits(problem) || !sectors::has_sectors(problem)) return std::nullopt;
    const double needed = together * sectors::vertices_per_branch(problem);
    if (needed > static_cast<double>(most)) return std::nullopt;
    return std::max(usual, static_cast<std::size_t>(needed));
}

std::vector<TreeWindow> branch_windows(const Problem& problem, const RootedTree& tree, std::size_t size,
                                       Random random) {
    const sectors::Sectors sectors = sectors::cut_sectors(problem, tree.parent, size, random);
    std::vector<TreeWindow> windows(sectors.count(), {*problem.spec().root, {}, 0});
    for (const Vertex v : tree.order) {
        if (tree.parent[index(v)] == no_vertex) continue;
        windows[index(sectors.sector[index(v)])].members.push_back(v);
    }
    return windows;
}

}  // namespace neuroprim
