#include "search/sectors/sector.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "neuroprim/mst.hpp"

namespace neuroprim::sectors {

double vertices_per_branch(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    double demand = 0;
    for (Vertex v = 0; v < problem.size(); ++v) demand += v == *spec.root ? 0 : spec.demand(v);
    return problem.size() * spec.branch_capacity() / demand;
}

bool has_sectors(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const bool prices_branches = spec.objective == Objective::length || spec.objective == Objective::cables;
    return problem.is_plain() && prices_branches && spec.root && spec.coverage == Coverage::all && !spec.diameter &&
           !spec.no_crossings && !problem.instance().positions().empty();
}

Sector::Sector(const Problem& whole, const Neighbours& near, std::span<const Vertex> parent, const Sectors& sectors,
               std::size_t number, int spare_branches) {
    const TreeSpec& all = whole.spec();
    const Vertex root = *all.root;
    const auto members = sectors.of(number);
    vertices_.assign(members.begin(), members.end());
    const auto place_of_root = std::lower_bound(vertices_.begin(), vertices_.end(), root);
    const auto local_root = static_cast<Vertex>(place_of_root - vertices_.begin());
    vertices_.insert(place_of_root, root);
    const auto local = [&](Vertex v) {
        if (v == root) return local_root;
        if (sectors.sector[index(v)] != static_cast<Vertex>(number)) return no_vertex;
        const Vertex place = sectors.place[index(v)];
        return place < local_root ? place : place + 1;
    };

    TreeSpec spec{.objective = all.objective,
                  .root = local_root,
                  .hops = all.hops,
                  .length = all.length,
                  .capacity = all.capacity,
                  .cables = all.cables};
    parent_.reserve(vertices_.size());
    int branches = 0;
    for (const Vertex v : vertices_) {
        parent_.push_back(v == root ? no_vertex : local(parent[index(v)]));
        if (parent_.back() == local_root) ++branches;
        if (!all.demands.empty()) spec.demands.push_back(all.demands[index(v)]);
        if (!all.degrees.empty()) spec.degrees.push_back(all.degrees[index(v)]);
    }
    if (!spec.degrees.empty()) spec.degrees[index(local_root)] = branches + spare_branches;
    for (const auto& [u, v] : all.included_edges) {
        if (local(u) != no_vertex && local(v) != no_vertex) spec.included_edges.push_back({local(u), local(v)});
    }
    instance_.weights = induced(whole.weights(), vertices_);
    problem_ = std::make_unique<Problem>(instance_, std::move(spec), std::string(whole.name()));

    std::vector<std::size_t> begin;
    std::vector<Vertex> lists;
    begin.reserve(vertices_.size() + 1);
    for (const Vertex v : vertices_) {
        begin.push_back(lists.size());
        for (const Vertex u : near.of(v)) {
            if (local(u) != no_vertex) lists.push_back(local(u));
        }
    }
    begin.push_back(lists.size());
    near_ = std::make_unique<Neighbours>(std::move(begin), std::move(lists));
}

Tree Sector::tree() const {
    Tree result{root(), {}};
    result.edges.reserve(parent_.size());
    for (std::size_t v = 0; v < parent_.size(); ++v) {
        if (parent_[v] != no_vertex) result.edges.push_back({parent_[v], static_cast<Vertex>(v)});
    }
    return result;
}

double Sector::mean_inner_weight() const {
    double sum = 0;
    int count = 0;
    for (Vertex v = 0; v < problem_->size(); ++v) {
        const Vertex u = parent_[index(v)];
        if (u == no_vertex || u == root()) continue;
        sum += problem_->weights()(u, v);
        ++count;
    }
    return count == 0 ? 0 : sum / count;
}

std::vector<Edge> Sector::moves_to(std::span<const Vertex> parent) const {
    std::vector<Edge> moves;
    for (std::size_t v = 0; v < parent.size(); ++v) {
        if (parent[v] != parent_[v]) moves.push_back({vertices_[index(parent[v])], vertices_[v]});
    }
    return moves;
}

}  // namespace neuroprim::sectors
