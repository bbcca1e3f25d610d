#include "neuroprim/construction.hpp"

#include "neuroprim/problem.hpp"

namespace neuroprim {

Construction::Construction(const Problem& problem, Vertex start) : problem_(&problem) {
    const auto n = index(problem.size());
    tree_.start = start;
    tree_.edges.reserve(n > 0 ? n - 1 : 0);
    degree_.assign(n, 0);
    depth_.assign(n, -1);
    parent_.assign(n, no_vertex);
    place_.assign(n, -1);
    outside_.reserve(n);
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (v == start) continue;
        place_[index(v)] = static_cast<Vertex>(outside_.size());
        outside_.push_back(v);
        if (problem.required(v)) ++required_outside_;
    }
    depth_[index(start)] = 0;
    open_if_room(start);
}

void Construction::add(Vertex u, Vertex v) {
    remove_outside(v);
    if (problem_->required(v)) --required_outside_;
    tree_.edges.push_back({u, v});
    parent_[index(v)] = u;
    depth_[index(v)] = depth_[index(u)] + 1;
    ++degree_[index(u)];
    ++degree_[index(v)];
    if (problem_->room_is_local()) {
        close_if_full(u);
    } else {
        for (std::size_t k = open_.size(); k-- > 0;) close_if_full(open_[k]);
    }
    open_if_room(v);
}

bool Construction::allows(Vertex u, Vertex v) const {
    return is_open(u) && !contains(v) && problem_->weights().has_edge(u, v) && problem_->admits(*this, v);
}

bool Construction::finished() const {
    return problem_->finished(*this);
}

void Construction::remove_outside(Vertex v) {
    const auto place = index(place_[index(v)]);
    const Vertex last = outside_.back();
    outside_[place] = last;
    place_[index(last)] = static_cast<Vertex>(place);
    outside_.pop_back();
    place_[index(v)] = -1;
}

void Construction::open_if_room(Vertex v) {
    if (!problem_->has_room(*this, v)) return;
    place_[index(v)] = static_cast<Vertex>(open_.size());
    open_.push_back(v);
}

void Construction::close_if_full(Vertex v) {
    if (place_[index(v)] < 0 || problem_->has_room(*this, v)) return;
    const auto place = index(place_[index(v)]);
    const Vertex last = open_.back();
    open_[place] = last;
    place_[index(last)] = static_cast<Vertex>(place);
    open_.pop_back();
    place_[index(v)] = -1;
}

}  // namespace neuroprim
