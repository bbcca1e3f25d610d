#include "formats/read/point_list.hpp"

#include <algorithm>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

template <class T>
void put(std::vector<T>& values, std::size_t place, T value) {
    if (place >= values.size()) values.resize(place + 1);
    values[place] = std::move(value);
}

}  // namespace

void PointList::set_name(std::size_t v, std::string name) {
    put(names_, v, std::move(name));
}

void PointList::set_terminal(std::size_t v) {
    put(terminals_, v, true);
}

void PointList::set_degree_limit(std::size_t v, int limit) {
    put(degree_limits_, v, limit);
}

Instance PointList::to_instance(const Text& text, Metric metric) && {
    const Vertex n = checked_size(text, points_.size());
    Instance instance;
    instance.name = text.name;
    if (!names_.empty()) {
        names_.resize(points_.size());
        for (std::size_t v = 0; v < names_.size(); ++v) {
            if (names_[v].empty()) names_[v] = std::to_string(v);
        }
        instance.names = std::move(names_);
    }
    if (!degree_limits_.empty()) {
        degree_limits_.resize(points_.size());
        std::replace(degree_limits_.begin(), degree_limits_.end(), 0, std::max(1, n - 1));
        instance.degree_limits = std::move(degree_limits_);
    }
    for (std::size_t v = 0; v < terminals_.size(); ++v) {
        if (terminals_[v]) instance.terminals.push_back(static_cast<Vertex>(v));
    }
    instance.weights = Weights::from_points(std::move(points_), metric);
    return instance;
}

}  // namespace neuroprim::formats
