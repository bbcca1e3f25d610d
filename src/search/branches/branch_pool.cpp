#include "search/branches/branch_pool.hpp"

#include "neuroprim/random.hpp"

namespace neuroprim::branches {

BranchPool::BranchPool(Vertex vertices) : keys_(index(vertices)), begin_{0} {
    Random random(1);
    for (auto& key : keys_) key = random.next();
}

bool BranchPool::add(std::span<const Vertex> vertices, double cost) {
    std::uint64_t key = 0;
    for (const Vertex v : vertices) key += keys_[index(v)];
    if (!sets_.insert(key).second) return false;
    vertices_.insert(vertices_.end(), vertices.begin(), vertices.end());
    begin_.push_back(vertices_.size());
    costs_.push_back(cost);
    return true;
}

}  // namespace neuroprim::branches
