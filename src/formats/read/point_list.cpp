#include "formats/read/point_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

template <class T>
void put(std::vector<T>& values, std::size_t place, T value) {
    if (place >= values.size()) values.resize(place + 1);
    values[place] = std::move(value);
}

std::vector<Vertex> flagged(const std::vector<bool>& flags) {
    std::vector<Vertex> vertices;
    for (std::size_t v = 0; v < flags.size(); ++v) {
        if (flags[v]) vertices.push_back(static_cast<Vertex>(v));
    }
    return vertices;
}

/// One number for each of n vertices, or none at all when the file gives none.
std::vector<double> completed(const std::vector<std::optional<double>>& given, std::size_t n, double otherwise) {
    if (given.empty()) return {};
    std::vector<double> values(n, otherwise);
    for (std::size_t v = 0; v < given.size(); ++v) values[v] = given[v].value_or(otherwise);
    return values;
}

}  // namespace

void PointList::set_name(std::size_t v, std::string name, std::size_t at) {
    put(names_, v, std::move(name));
    put(names_at_, v, at);
}

void PointList::set_terminal(std::size_t v) {
    put(terminals_, v, true);
}

void PointList::set_degree_limit(std::size_t v, int limit) {
    put(degree_limits_, v, limit);
}

void PointList::set_leaf(std::size_t v) {
    put(leaves_, v, true);
}

void PointList::set_demand(std::size_t v, double demand) {
    put(demands_, v, std::optional(demand));
}

void PointList::set_mass(std::size_t v, double mass) {
    put(masses_, v, std::optional(mass));
}

void PointList::set_prize(std::size_t v, double prize) {
    put(prizes_, v, std::optional(prize));
}

void PointList::set_root(std::size_t v) {
    roots_.push_back(static_cast<Vertex>(v));
}

void PointList::make_names_differ(const Text& text, SameName same_name) {
    names_.resize(points_.size());
    names_at_.resize(points_.size());
    std::unordered_set<std::string_view> taken;  // of names that will not change any more
    std::vector<std::size_t> others;             // vertices without a name, or with one that is taken
    taken.reserve(names_.size());
    for (std::size_t v = 0; v < names_.size(); ++v) {
        if (names_[v].empty() || !taken.insert(names_[v]).second) others.push_back(v);
    }
    std::unordered_map<std::string, int> copies;
    for (const std::size_t v : others) {
        const bool unnamed = names_[v].empty();
        if (unnamed) names_[v] = std::to_string(v);
        if (unnamed && taken.insert(names_[v]).second) continue;
        if (same_name == SameName::refuse) {
            text.fail(names_at_[v], unnamed ? fmt::format("vertex {} has no name, and its number is another's", v)
                                            : fmt::format("two vertices are named {}", in_quotes(names_[v])));
        }
        const bool is_first = copies.empty();
        const std::string name = names_[v];
        int& count = copies.try_emplace(name, 1).first->second;
        while (!taken.insert(names_[v]).second) names_[v] = fmt::format("{} ({})", name, ++count);
        if (is_first) {
            text.warn(names_at_[v],
                      fmt::format("more than one vertex is named {}: names that are taken get a number, "
                                  "as in {}",
                                  in_quotes(name), in_quotes(names_[v])));
        }
    }
}

Instance PointList::to_instance(const Text& text, Metric metric, SameName same_name) && {
    const Vertex n = checked_size(text, points_.size());
    Instance instance;
    instance.name = text.name;
    const bool named = std::any_of(names_.begin(), names_.end(), [](const auto& name) { return !name.empty(); });
    if (named) {
        make_names_differ(text, same_name);
        instance.names = std::move(names_);
    }
    if (!degree_limits_.empty()) {
        degree_limits_.resize(points_.size());
        std::replace(degree_limits_.begin(), degree_limits_.end(), 0, std::max(1, n - 1));
        instance.degree_limits = std::move(degree_limits_);
    }
    instance.terminals = flagged(terminals_);
    instance.leaves = flagged(leaves_);
    instance.demands = completed(demands_, points_.size(), 1);
    instance.masses = completed(masses_, points_.size(), 1);
    instance.prizes = completed(prizes_, points_.size(), 0);
    instance.groups = groups_.numbered(points_.size());
    if (!roots_.empty()) {
        instance.root = roots_.front();
        instance.other_roots.assign(roots_.begin() + 1, roots_.end());
    }
    instance.weights = Weights::from_points(std::move(points_), metric);
    return instance;
}

}  // namespace neuroprim::formats
