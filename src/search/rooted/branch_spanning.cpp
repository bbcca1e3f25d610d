#include "search/rooted/branch_spanning.hpp"

#include <utility>

namespace neuroprim::rooted {

namespace {

/// A branch of more vertices is not spanned anew.
constexpr std::size_t most_spanned = 50;

}  // namespace

bool BranchSpanning::suits(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return spec.objective == Objective::length && spec.coverage == Coverage::all && spec.capacity &&
           spec.has_only({Limit::capacity});
}

BranchSpanning::BranchSpanning(const Problem& problem, ResourceTree& tree)
    : problem_(&problem), tree_(&tree), added_(index(problem.size()), 0) {}

void BranchSpanning::add(std::span<const Vertex> vertices) {
    for (const Vertex v : vertices) {
        const Vertex branch = tree_->place(v).branch;
        if (branch == no_vertex || added_[index(branch)]) continue;
        added_[index(branch)] = 1;
        branches_.push_back(branch);
    }
}

void BranchSpanning::span() {
    for (const Vertex v : branches_) added_[index(v)] = 0;
    for (const Vertex v : branches_) span(v);
    branches_.clear();
}

void BranchSpanning::span(Vertex top) {
    vertices_.assign(1, top);
    double before = tree_->weight_above(top);
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
        for (Vertex v = tree_->first_child(vertices_[k]); v != no_vertex; v = tree_->next_sibling(v)) {
            vertices_.push_back(v);
            before += tree_->weight_above(v);
        }
    }
    if (vertices_.size() > most_spanned || vertices_.size() < 2) return;
    // Prim's algorithm from the root.
    const std::size_t count = vertices_.size();
    nearest_.assign(count, tree_->root());
    distance_.resize(count);
    joined_.clear();
    for (std::size_t k = 0; k < count; ++k) distance_[k] = problem_->weights()(tree_->root(), vertices_[k]);
    double after = 0;
    for (std::size_t done = 0; done < count; ++done) {
        std::size_t next = done;
        for (std::size_t k = done + 1; k < count; ++k) {
            if (distance_[k] < distance_[next]) next = k;
        }
        after += distance_[next];
        if (after >= before * (1 - rounding)) return;
        std::swap(vertices_[done], vertices_[next]);
        std::swap(nearest_[done], nearest_[next]);
        std::swap(distance_[done], distance_[next]);
        joined_.push_back({nearest_[done], vertices_[done]});
        for (std::size_t k = done + 1; k < count; ++k) {
            const double weight = problem_->weights()(vertices_[done], vertices_[k]);
            if (weight < distance_[k]) {
                distance_[k] = weight;
                nearest_[k] = vertices_[done];
            }
        }
    }
    for (const auto& [u, v] : joined_) tree_->detach(v);
    for (const auto& [u, v] : joined_) tree_->attach(u, v);
}

}  // namespace neuroprim::rooted
