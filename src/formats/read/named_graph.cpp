#include "formats/read/named_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/read/edge_list.hpp"
#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::array<std::string_view, 5> weight_names = {"weight", "w", "cost", "length", "distance"};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view one) { return same_word(name, one); });
}

void set_flag(std::vector<Vertex>& flagged, const Text& text, Vertex v, const Token& value) {
    if (!value.value.empty() && to_flag(text, value)) flagged.push_back(v);
}

template <class Value>
void put_at(std::vector<std::optional<Value>>& values, Vertex v, Value value) {
    if (values.size() <= index(v)) values.resize(index(v) + 1);
    values[index(v)] = value;
}

/// One for each vertex, where any was given.
template <class Value>
std::vector<Value> for_all(const std::vector<std::optional<Value>>& given, std::size_t n, Value other) {
    std::vector<Value> result;
    if (given.empty()) return result;
    result.assign(n, other);
    for (std::size_t v = 0; v < given.size(); ++v) result[v] = given[v].value_or(other);
    return result;
}

std::vector<Vertex> each_once(std::vector<Vertex> vertices) {
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
}

}  // namespace

Vertex NamedGraph::add_node(const std::string& id, std::size_t at) {
    const Vertex v = checked_size(text_, names_.size() + 1) - 1;
    if (!is_utf8(id)) text_.fail(at, "a node's identifier is not UTF-8");
    if (!numbers_.emplace(id, v).second) text_.fail(at, fmt::format("two nodes are called {}", in_quotes(id)));
    names_.push_back(id);
    return v;
}

Vertex NamedGraph::node(std::string_view id, std::size_t at) const {
    const auto found = numbers_.find(std::string(id));
    if (found == numbers_.end()) text_.fail(at, fmt::format("an edge ends at {}, which is no node", in_quotes(id)));
    return found->second;
}

void NamedGraph::set_attribute(Vertex v, std::string_view name, const Token& value) {
    const bool is_x = is_one_of(name, {"x", "lon", "longitude", "lng"});
    if (is_x || is_one_of(name, {"y", "lat", "latitude"})) {
        if (places_.size() <= index(v)) places_.resize(index(v) + 1);
        (is_x ? places_[index(v)].x : places_[index(v)].y) = to_number(text_, value, "a coordinate");
    } else if (same_word(name, "terminal")) {
        set_flag(terminals_, text_, v, value);
    } else if (same_word(name, "leaf")) {
        set_flag(leaves_, text_, v, value);
    } else if (same_word(name, "root")) {
        set_flag(roots_, text_, v, value);
    } else if (same_word(name, "demand")) {
        put_at(demands_, v, to_weight(text_, value, "a demand"));
    } else if (same_word(name, "mass")) {
        put_at(masses_, v, to_weight(text_, value, "a mass"));
    } else if (same_word(name, "prize")) {
        put_at(prizes_, v, to_weight(text_, value, "a prize"));
    } else if (same_word(name, "degree_limit")) {
        put_at(degrees_, v, to_degree_limit(text_, value));
    }
}

void NamedGraph::add_edge(Vertex u, Vertex v, std::optional<double> weight, std::size_t at) {
    if (u == v) {
        if (loops_++ == 0) first_loop_at_ = at;
        return;
    }
    if (!weight && unweighted_++ == 0) first_unweighted_at_ = at;
    edges_.push_back({u, v, weight.value_or(1)});
}

std::optional<std::size_t> NamedGraph::weight_rank(std::string_view name) {
    const auto found = std::find_if(weight_names.begin(), weight_names.end(),
                                    [&](std::string_view one) { return same_word(name, one); });
    if (found == weight_names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - weight_names.begin());
}

Instance NamedGraph::to_instance() && {
    const std::size_t n = names_.size();
    const Vertex count = checked_size(text_, n);
    const auto edges_of = [](std::size_t many) { return fmt::format("{} edge{}", many, many == 1 ? "" : "s"); };
    if (loops_ > 0) {
        text_.warn(first_loop_at_,
                   fmt::format("{} from a node to itself left out: no tree has one", edges_of(loops_)));
    }
    if (unweighted_ > 0) {
        text_.warn(first_unweighted_at_, fmt::format("{} without a weight ({}): each counts 1", edges_of(unweighted_),
                                                     fmt::join(weight_names, ", ")));
    }
    Instance instance;
    instance.name = text_.name;
    instance.weights = graph_of(text_, count, std::move(edges_), 0, names_);
    const bool has_places = places_.size() == n && std::all_of(places_.begin(), places_.end(),
                                                               [](const Place& place) { return place.x && place.y; });
    if (has_places) {
        for (const Place& place : places_) instance.layout.push_back({*place.x, *place.y});
    } else if (!places_.empty()) {
        text_.warn("some nodes have no position, so that none is drawn where the file says");
    }
    instance.terminals = each_once(std::move(terminals_));
    instance.leaves = each_once(std::move(leaves_));
    instance.demands = for_all(demands_, n, 1.0);
    instance.masses = for_all(masses_, n, 1.0);
    instance.prizes = for_all(prizes_, n, 0.0);
    instance.degree_limits = for_all(degrees_, n, std::max(1, count - 1));
    if (const std::vector<Vertex> roots = each_once(std::move(roots_)); !roots.empty()) {
        instance.root = roots.front();
        instance.other_roots.assign(roots.begin() + 1, roots.end());
    }
    bool are_numbers = true;
    for (std::size_t v = 0; v < n && are_numbers; ++v) are_numbers = names_[v] == std::to_string(v);
    if (!are_numbers) instance.names = std::move(names_);
    return instance;
}

}  // namespace neuroprim::formats
