#include "search/branches/shortest_branches.hpp"

#include <utility>
#include <vector>

#include "search/branches/branch_partition.hpp"
#include "search/branches/branch_tree.hpp"
#include "search/branches/weight_table.hpp"

namespace neuroprim {

Tree with_shortest_branches(const Problem& problem, Tree tree) {
    if (!branches::BranchPartition::suits(problem)) return tree;
    const Vertex root = *problem.spec().root;
    const RootedTree rooted = hang(tree, root, problem.size());
    std::vector<std::size_t> number(index(problem.size()), 0);
    std::vector<branches::BranchTree> all;
    for (const Vertex v : rooted.order) {
        const Vertex parent = rooted.parent[index(v)];
        if (v == root || parent == no_vertex) continue;
        if (parent == root) {
            number[index(v)] = all.size();
            all.emplace_back();
        } else {
            number[index(v)] = number[index(parent)];
        }
        all[number[index(v)]].members.push_back(v);
    }
    const branches::WeightTable weights(problem.weights());
    Tree result{root, {}};
    for (branches::BranchTree& branch : all) {
        branch.span(weights, root);
        for (std::size_t k = 0; k < branch.members.size(); ++k) {
            const int above = branch.above[k];
            result.edges.push_back(
                {above < 0 ? root : branch.members[static_cast<std::size_t>(above)], branch.members[k]});
        }
    }
    return result;
}

}  // namespace neuroprim
