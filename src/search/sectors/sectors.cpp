#include "search/sectors/sectors.hpp"

#include <algorithm>
#include <utility>

namespace neuroprim::sectors {

namespace {

struct Branch {
    std::vector<Vertex> members;
    Point middle;
};

/// Top of the branch of each vertex, itself for children of the root. Ways up are walked once: O(n).
std::vector<Vertex> branch_tops(std::span<const Vertex> parent, Vertex root) {
    std::vector<Vertex> top(parent.size(), no_vertex);
    std::vector<Vertex> way;
    for (std::size_t k = 0; k < parent.size(); ++k) {
        auto v = static_cast<Vertex>(k);
        if (v == root) continue;
        way.clear();
        while (top[index(v)] == no_vertex && parent[index(v)] != root) {
            way.push_back(v);
            v = parent[index(v)];
        }
        if (top[index(v)] == no_vertex) top[index(v)] = v;
        for (const Vertex u : way) top[index(u)] = top[index(v)];
    }
    return top;
}

std::vector<Branch> branches_of(std::span<const Vertex> parent, Vertex root, std::span<const Point> positions) {
    const std::vector<Vertex> top = branch_tops(parent, root);
    std::vector<std::size_t> number(parent.size(), 0);
    std::vector<Branch> branches;
    for (std::size_t v = 0; v < parent.size(); ++v) {
        if (parent[v] != root || static_cast<Vertex>(v) == root) continue;
        number[v] = branches.size();
        branches.emplace_back();
    }
    for (std::size_t v = 0; v < parent.size(); ++v) {
        if (static_cast<Vertex>(v) == root) continue;
        Branch& branch = branches[number[index(top[v])]];
        branch.members.push_back(static_cast<Vertex>(v));
        branch.middle.x += positions[v].x;
        branch.middle.y += positions[v].y;
    }
    for (Branch& branch : branches) {
        const auto size = static_cast<double>(branch.members.size());
        branch.middle = {branch.middle.x / size, branch.middle.y / size};
    }
    return branches;
}

/// Cuts branches like a k-d tree whose cuts lie at random near the middle of the vertices.
class BranchCutter {
public:
    BranchCutter(std::span<const Branch> branches, std::size_t size, Random random, Sectors& sectors)
        : branches_(branches), size_(size), random_(random), sectors_(&sectors) {}

    void cut(std::span<std::size_t> some) {
        std::size_t vertices = 0;
        for (const std::size_t k : some) vertices += branches_[k].members.size();
        if (vertices <= size_ || some.size() == 1) return add(some);
        sort_along_longer_side(some);
        const auto left = static_cast<std::size_t>((0.35 + 0.3 * random_.uniform()) * static_cast<double>(vertices));
        std::size_t first = 0;
        for (std::size_t taken = 0; first + 1 < some.size() && (first == 0 || taken < left); ++first) {
            taken += branches_[some[first]].members.size();
        }
        cut(some.first(first));
        cut(some.subspan(first));
    }

private:
    void sort_along_longer_side(std::span<std::size_t> some) const {
        Point low = branches_[some.front()].middle;
        Point high = low;
        for (const std::size_t k : some) {
            const Point at = branches_[k].middle;
            low = {std::min(low.x, at.x), std::min(low.y, at.y)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        }
        const bool wide = high.x - low.x > high.y - low.y;
        std::sort(some.begin(), some.end(), [&](std::size_t a, std::size_t b) {
            const double at_a = wide ? branches_[a].middle.x : branches_[a].middle.y;
            const double at_b = wide ? branches_[b].middle.x : branches_[b].middle.y;
            return at_a != at_b ? at_a < at_b : a < b;
        });
    }

    void add(std::span<const std::size_t> some) {
        const std::size_t first = sectors_->vertices.size();
        for (const std::size_t k : some) {
            const auto& members = branches_[k].members;
            sectors_->vertices.insert(sectors_->vertices.end(), members.begin(), members.end());
        }
        std::sort(sectors_->vertices.begin() + static_cast<std::ptrdiff_t>(first), sectors_->vertices.end());
        const auto number = static_cast<Vertex>(sectors_->count());
        for (std::size_t k = first; k < sectors_->vertices.size(); ++k) {
            sectors_->sector[index(sectors_->vertices[k])] = number;
            sectors_->place[index(sectors_->vertices[k])] = static_cast<Vertex>(k - first);
        }
        sectors_->begin.push_back(sectors_->vertices.size());
    }

    std::span<const Branch> branches_;
    std::size_t size_;
    Random random_;
    Sectors* sectors_;
};

}  // namespace

Sectors cut_sectors(const Problem& problem, std::span<const Vertex> parent, std::size_t size, Random random) {
    const std::vector<Branch> branches = branches_of(parent, *problem.spec().root, problem.instance().positions());
    Sectors result;
    result.begin = {0};
    result.vertices.reserve(parent.size());
    result.sector.assign(parent.size(), no_vertex);
    result.place.assign(parent.size(), no_vertex);
    std::vector<std::size_t> all(branches.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    if (!all.empty()) BranchCutter(branches, size, random, result).cut(all);
    return result;
}

}  // namespace neuroprim::sectors
