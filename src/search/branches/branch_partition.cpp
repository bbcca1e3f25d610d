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

BranchPartition::BranchPartition(const Problem& problem)
    : problem_(&problem),
      spec_(&problem.spec()),
      root_(*problem.spec().root),
      capacity_(*problem.spec().capacity * (1 + sum_tolerance)),
      branch_(index(problem.size()), -1),
      parent_(index(problem.size()), no_vertex),
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
    for (auto& branch : members) {
        from_after_.members = std::move(branch);
        span(from_after_);
        add(from_after_);
    }
}

std::span<const Vertex> BranchPartition::subtree(Vertex v) {
    subtree_.assign(1, v);
    mark_[index(v)] = 1;
    const auto& members = branches_[at(branch(v))].members;
    for (auto it = std::find(members.begin(), members.end(), v); it != members.end(); ++it) {
        if (*it == v || parent_[index(*it)] == root_ || !mark_[index(parent_[index(*it)])]) continue;
        mark_[index(*it)] = 1;
        subtree_.push_back(*it);
    }
    for (const Vertex u : subtree_) mark_[index(u)] = 0;
    return subtree_;
}

double BranchPartition::overload_added(int a, std::span<const Vertex> out, int b, std::span<const Vertex> in) const {
    double moved = 0;
    for (const Vertex v : out) moved += spec_->demand(v);
    for (const Vertex v : in) moved -= spec_->demand(v);
    const double from = branches_[at(a)].load;
    const double to = b < 0 ? 0 : branches_[at(b)].load;
    return overload_of(from - moved) + overload_of(to + moved) - overload_of(from) - overload_of(to);
}

double BranchPartition::most_saved(int a, int b) const {
    return branches_[at(a)].cost + (b < 0 ? 0 : branches_[at(b)].cost);
}

/// Prim's algorithm from the root.
void BranchPartition::span(Spanning& spanning) const {
    auto& [members, parents, distances, tops, loads, cost, overload] = spanning;
    const std::size_t count = members.size();
    const Weights& weights = problem_->weights();
    parents.assign(count, root_);
    distances.resize(count);
    tops.resize(count);
    loads.assign(count, 0);
    cost = overload = 0;
    for (std::size_t k = 0; k < count; ++k) {
        distances[k] = weights(root_, members[k]);
        tops[k] = -1;
    }
    for (std::size_t done = 0; done < count; ++done) {
        std::size_t next = done;
        for (std::size_t k = done + 1; k < count; ++k) {
            if (distances[k] < distances[next]) next = k;
        }
        std::swap(members[done], members[next]);
        std::swap(parents[done], parents[next]);
        std::swap(distances[done], distances[next]);
        std::swap(tops[done], tops[next]);
        cost += distances[done];
        if (tops[done] < 0) tops[done] = static_cast<int>(done);
        loads[at(tops[done])] += spec_->demand(members[done]);
        const Vertex u = members[done];
        for (std::size_t k = done + 1; k < count; ++k) {
            if (const double weight = weights(u, members[k]); weight < distances[k]) {
                distances[k] = weight;
                parents[k] = u;
                tops[k] = tops[done];
            }
        }
    }
    for (const double load : loads) overload += overload_of(load);
}

void BranchPartition::gather(int branch, std::span<const Vertex> without, std::span<const Vertex> with,
                             Spanning& spanning) {
    spanning.members.assign(with.begin(), with.end());
    if (branch >= 0) {
        for (const Vertex v : without) mark_[index(v)] = 1;
        for (const Vertex v : members(branch)) {
            if (!mark_[index(v)]) spanning.members.push_back(v);
        }
        for (const Vertex v : without) mark_[index(v)] = 0;
    }
    span(spanning);
}

BranchPartition::Change BranchPartition::price(int a, std::span<const Vertex> out, int b,
                                               std::span<const Vertex> in) {
    from_ = a;
    to_ = b;
    gather(a, out, in, from_after_);
    gather(b, in, out, to_after_);
    Change change{from_after_.cost + to_after_.cost, from_after_.overload + to_after_.overload};
    for (const int branch : {a, b}) {
        if (branch < 0) continue;
        change.cost -= branches_[at(branch)].cost;
        change.overload -= overload_of(branches_[at(branch)].load);
    }
    return change;
}

void BranchPartition::make() {
    remove(from_);
    if (to_ >= 0) remove(to_);
    add(from_after_);
    add(to_after_);
}

void BranchPartition::remove(int branch) {
    Branch& gone = branches_[at(branch)];
    cost_ -= gone.cost;
    overloaded_ -= gone.load > capacity_ ? 1 : 0;
    gone.members.clear();
    free_.push_back(branch);
}

void BranchPartition::add(const Spanning& spanning) {
    for (std::size_t k = 0; k < spanning.members.size(); ++k) {
        const Vertex v = spanning.members[k];
        const auto top = at(spanning.tops[k]);
        if (top == k) {
            if (free_.empty()) {
                free_.push_back(static_cast<int>(branches_.size()));
                branches_.emplace_back();
            }
            branch_[index(v)] = free_.back();
            free_.pop_back();
            branches_[at(branch_[index(v)])].cost = 0;
            branches_[at(branch_[index(v)])].load = spanning.loads[k];
            overloaded_ += spanning.loads[k] > capacity_ ? 1 : 0;
        }
        const int branch = branch_[index(spanning.members[top])];
        branch_[index(v)] = branch;
        branches_[at(branch)].members.push_back(v);
        branches_[at(branch)].cost += spanning.distances[k];
        parent_[index(v)] = spanning.parents[k];
    }
    cost_ += spanning.cost;
}

}  // namespace neuroprim::branches
