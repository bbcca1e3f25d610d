#include "search/branches/branch_partition.hpp"

#include <algorithm>
#include <utility>

#include "problems/tolerance.hpp"

namespace neuroprim::branches {

bool BranchPartition::suits(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return problem.is_plain() && spec.objective == Objective::length && spec.coverage == Coverage::all &&
           spec.capacity && spec.has_only({Limit::capacity});
}

BranchPartition::BranchPartition(const Problem& problem, const WeightTable& weights)
    : problem_(&problem),
      spec_(&problem.spec()),
      weights_(&weights),
      root_(*problem.spec().root),
      capacity_(*problem.spec().capacity * (1 + sum_tolerance)),
      branch_(index(problem.size()), -1),
      parent_(index(problem.size()), no_vertex),
      place_(index(problem.size()), -1),
      mark_(index(problem.size()), 0) {}

void BranchPartition::load(const Tree& tree) {
    branches_.clear();
    free_.clear();
    cost_ = 0;
    overloaded_ = 0;
    const RootedTree rooted = hang(tree, root_, problem_->size());
    std::vector<std::vector<Vertex>> members;
    std::vector<std::size_t> part(index(problem_->size()));
    for (const Vertex v : rooted.order) {
        if (v == root_) continue;
        const Vertex u = rooted.parent[index(v)];
        if (u == root_) members.emplace_back();
        part[index(v)] = u == root_ ? members.size() - 1 : part[index(u)];
        members[part[index(v)]].push_back(v);
    }
    Spanning spanning;
    for (auto& branch : members) {
        spanning.tree.members = std::move(branch);
        span(spanning);
        add(spanning);
    }
}

void BranchPartition::add_subtree(Vertex v, std::vector<Vertex>& vertices) {
    const std::size_t first = vertices.size();
    const BranchTree& branch = branches_[at(branch_[index(v)])].tree;
    for (std::size_t k = at(place_[index(v)]); k < branch.members.size(); ++k) {
        const Vertex u = branch.members[k];
        if (u != v && (branch.above[k] < 0 || !mark_[index(branch.members[at(branch.above[k])])])) continue;
        mark_[index(u)] = 1;
        vertices.push_back(u);
    }
    for (std::size_t k = first; k < vertices.size(); ++k) mark_[index(vertices[k])] = 0;
}

double BranchPartition::overload_added(std::span<const Part> parts) const {
    const auto demand = [&](std::span<const Vertex> vertices) {
        double sum = 0;
        for (const Vertex v : vertices) sum += spec_->demand(v);
        return sum;
    };
    double added = 0;
    double in = demand(parts.back().out);
    for (const Part& part : parts) {
        const double out = demand(part.out);
        const double load = part.branch < 0 ? 0 : branches_[at(part.branch)].load;
        added += overload_of(load + in - out) - overload_of(load);
        in = out;
    }
    return added;
}

double BranchPartition::most_saved(std::span<const Part> parts) const {
    double saved = 0;
    for (const Part& part : parts) saved += part.branch < 0 ? 0 : branches_[at(part.branch)].tree.cost;
    return saved;
}

void BranchPartition::span(Spanning& spanning) const {
    auto& [tree, tops, loads, overload] = spanning;
    tree.span(*weights_, root_);
    const std::size_t count = tree.members.size();
    tops.resize(count);
    loads.assign(count, 0);
    overload = 0;
    for (std::size_t k = 0; k < count; ++k) {
        tops[k] = tree.above[k] < 0 ? static_cast<int>(k) : tops[at(tree.above[k])];
        loads[at(tops[k])] += spec_->demand(tree.members[k]);
    }
    for (const double load : loads) overload += overload_of(load);
}

void BranchPartition::gather(int branch, std::span<const Vertex> out, std::span<const Vertex> in,
                             std::vector<Vertex>& members) {
    members.assign(in.begin(), in.end());
    if (branch < 0) return;
    for (const Vertex v : out) mark_[index(v)] = 1;
    for (const Vertex v : branches_[at(branch)].tree.members) {
        if (!mark_[index(v)]) members.push_back(v);
    }
    for (const Vertex v : out) mark_[index(v)] = 0;
}

double BranchPartition::cost_added(std::span<const Part> parts) {
    double added = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        added += cost_after(parts[k].branch, parts[k].out, incoming(parts, k));
        if (parts[k].branch >= 0) added -= branches_[at(parts[k].branch)].tree.cost;
    }
    return added;
}

/// A shortest tree without a few of its subtrees is shortest for the rest. A vertex joins it from the leaves to the
/// root: of the edge above a vertex and the best edge from its subtree to the new vertex, the shorter one is in the
/// new tree, and the longer one is a candidate for all that is above (Chin and Houck).
double BranchPartition::cost_after(int branch, std::span<const Vertex> out, std::span<const Vertex> in) {
    if (branch < 0) {
        some_.assign(in.begin(), in.end());
        return spanning_cost(some_);
    }
    if (in.size() > 1) {
        gather(branch, out, in, some_);
        return spanning_cost(some_);
    }
    const auto& [members, above, lengths, cost] = branches_[at(branch)].tree;
    const std::size_t count = members.size();
    candidates_.resize(count);
    double to_root = Weights::infinity;
    if (in.empty()) {
        std::fill(candidates_.begin(), candidates_.end(), Weights::infinity);
    } else {
        for (std::size_t k = 0; k < count; ++k) candidates_[k] = (*weights_)(in[0], members[k]);
        to_root = (*weights_)(in[0], root_);
    }
    for (const Vertex v : out) mark_[index(v)] = 1;
    double sum = 0;
    bool whole_subtrees_leave = true;
    for (std::size_t k = count; k-- > 0 && whole_subtrees_leave;) {
        if (mark_[index(members[k])]) continue;
        whole_subtrees_leave = above[k] < 0 || !mark_[index(members[at(above[k])])];
        sum += std::min(candidates_[k], lengths[k]);
        double& candidate = above[k] < 0 ? to_root : candidates_[at(above[k])];
        candidate = std::min(candidate, std::max(candidates_[k], lengths[k]));
    }
    for (const Vertex v : out) mark_[index(v)] = 0;
    if (!whole_subtrees_leave) {
        gather(branch, out, in, some_);
        return spanning_cost(some_);
    }
    return in.empty() ? sum : sum + to_root;
}

/// What Prim's algorithm adds up. The members change places.
double BranchPartition::spanning_cost(std::vector<Vertex>& members) {
    const std::size_t count = members.size();
    candidates_.resize(count);
    for (std::size_t k = 0; k < count; ++k) candidates_[k] = (*weights_)(root_, members[k]);
    double sum = 0;
    for (std::size_t left = count; left > 0; --left) {
        std::size_t next = 0;
        for (std::size_t k = 1; k < left; ++k) {
            if (candidates_[k] < candidates_[next]) next = k;
        }
        sum += candidates_[next];
        const Vertex u = members[next];
        members[next] = members[left - 1];
        candidates_[next] = candidates_[left - 1];
        for (std::size_t k = 0; k + 1 < left; ++k) {
            candidates_[k] = std::min(candidates_[k], (*weights_)(u, members[k]));
        }
    }
    return sum;
}

BranchPartition::Change BranchPartition::price(std::span<const Part> parts) {
    if (after_.size() < parts.size()) after_.resize(parts.size());
    changed_.clear();
    Change change;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const int branch = parts[k].branch;
        changed_.push_back(branch);
        gather(branch, parts[k].out, incoming(parts, k), after_[k].tree.members);
        span(after_[k]);
        change.cost += after_[k].tree.cost;
        change.overload += after_[k].overload;
        if (branch < 0) continue;
        change.cost -= branches_[at(branch)].tree.cost;
        change.overload -= overload_of(branches_[at(branch)].load);
    }
    return change;
}

void BranchPartition::make() {
    for (const int branch : changed_) {
        if (branch >= 0) remove(branch);
    }
    for (std::size_t k = 0; k < changed_.size(); ++k) add(after_[k]);
}

void BranchPartition::remove(int branch) {
    Branch& gone = branches_[at(branch)];
    cost_ -= gone.tree.cost;
    overloaded_ -= gone.load > capacity_ ? 1 : 0;
    gone.tree.members.clear();
    gone.tree.above.clear();
    gone.tree.lengths.clear();
    free_.push_back(branch);
}

void BranchPartition::add(const Spanning& spanning) {
    const auto& [members, above, lengths, cost] = spanning.tree;
    for (std::size_t k = 0; k < members.size(); ++k) {
        const Vertex v = members[k];
        const auto top = at(spanning.tops[k]);
        if (top == k) {
            if (free_.empty()) {
                free_.push_back(static_cast<int>(branches_.size()));
                branches_.emplace_back();
            }
            branch_[index(v)] = free_.back();
            free_.pop_back();
            branches_[at(branch_[index(v)])].tree.cost = 0;
            branches_[at(branch_[index(v)])].load = spanning.loads[k];
            overloaded_ += spanning.loads[k] > capacity_ ? 1 : 0;
        }
        branch_[index(v)] = branch_[index(members[top])];
        BranchTree& branch = branches_[at(branch_[index(v)])].tree;
        // The place within the branch: a parent has its own already.
        const Vertex parent = above[k] < 0 ? root_ : members[at(above[k])];
        parent_[index(v)] = parent;
        branch.above.push_back(parent == root_ ? -1 : place_[index(parent)]);
        place_[index(v)] = static_cast<int>(branch.members.size());
        branch.members.push_back(v);
        branch.lengths.push_back(lengths[k]);
        branch.cost += lengths[k];
    }
    cost_ += cost;
}

}  // namespace neuroprim::branches
