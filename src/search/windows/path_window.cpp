#include "search/windows/path_window.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "neuroprim/mst.hpp"

namespace neuroprim {

PlacedPath::PlacedPath(std::vector<Vertex> vertices) : order(std::move(vertices)), place(order.size()) {
    for (std::size_t k = 0; k < order.size(); ++k) place[index(order[k])] = static_cast<Vertex>(k);
}

std::vector<Vertex> PlacedPath::with_neighbours(std::span<const Vertex> vertices) const {
    const auto last = static_cast<Vertex>(order.size()) - 1;
    std::vector<Vertex> result;  // places first
    for (const Vertex v : vertices) {
        const Vertex at = place[index(v)];
        for (Vertex k = std::max(at - 1, 0); k <= std::min(at + 1, last); ++k) result.push_back(k);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    for (Vertex& entry : result) entry = order[index(entry)];
    return result;
}

PathWindow::PathWindow(const Problem& whole, const PlacedPath& path, std::span<const Vertex> members)
    : vertices_(members.begin(), members.end()) {
    std::sort(vertices_.begin(), vertices_.end());
    const auto place = [&](std::size_t k) { return index(path.place[index(members[k])]); };
    TreeSpec spec;
    spec.degrees.assign(vertices_.size(), 2);
    if (place(0) > 0) spec.degrees[index(local(members.front()))] = 1;
    if (place(members.size() - 1) + 1 < path.order.size()) spec.degrees[index(local(members.back()))] = 1;
    tree_.start = local(members.front());
    for (std::size_t k = 1; k < members.size(); ++k) {
        const Edge edge{local(members[k - 1]), local(members[k])};
        tree_.edges.push_back(edge);
        if (place(k) > place(k - 1) + 1) spec.included_edges.push_back(edge);
    }
    instance_.weights = induced(whole.weights(), vertices_);
    problem_ = std::make_unique<Problem>(instance_, std::move(spec), std::string(whole.name()));
}

std::vector<Edge> PathWindow::edges_of(const Tree& tree) const {
    std::vector<Edge> result;
    for (const auto& [u, v] : tree.edges) {
        if (!problem_->is_included(u, v)) result.push_back({vertices_[index(u)], vertices_[index(v)]});
    }
    return result;
}

Vertex PathWindow::local(Vertex v) const {
    return static_cast<Vertex>(std::lower_bound(vertices_.begin(), vertices_.end(), v) - vertices_.begin());
}

}  // namespace neuroprim
