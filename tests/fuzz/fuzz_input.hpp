#pragma once

#include <cmath>
#include <set>
#include <string>
#include <string_view>

#include "input_list_input.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "policy/model.hpp"
#include "policy/safetensors.hpp"
#include "promise.hpp"

/// What every reader promises about every input: an instance that keeps its word, or an InputError.
namespace neuroprim::fuzz {

inline void check_weights(const Weights& weights) {
    const Vertex n = weights.size();
    const Vertex step = n / 50 + 1;
    for (Vertex u = 0; u < n; u += step) {
        for (Vertex v = u % 2; v < n; v += step) {
            if (u == v) continue;
            require(weights(u, v) >= 0, "weights are not negative");
            require(weights(u, v) == weights(v, u), "weights are symmetric");
            const bool finite_or_no_edge = std::isfinite(weights(u, v)) || weights.form() != Weights::Form::points;
            require(finite_or_no_edge, "distances of points are finite");
        }
    }
}

/// What specifications need to know of vertices.
inline void check_facts(const Instance& instance) {
    const auto n = static_cast<std::size_t>(instance.size());
    const auto none_or_n = [n](std::size_t size) { return size == 0 || size == n; };
    for (const auto* amounts : {&instance.demands, &instance.prizes}) {
        require(none_or_n(amounts->size()), "every vertex has a demand and a prize");
        for (const double amount : *amounts) require(amount >= 0 && std::isfinite(amount), "amounts are finite");
    }
    require(none_or_n(instance.groups.size()), "every vertex has a group or none");
    std::set<int> groups;
    for (const int group : instance.groups) {
        require(group >= -1, "groups are numbered from 0");
        if (group >= 0) groups.insert(group);
    }
    require(groups.empty() || *groups.rbegin() + 1 == static_cast<int>(groups.size()), "groups have no gaps");
    require(!instance.root || (*instance.root >= 0 && *instance.root < instance.size()), "the root is a vertex");
    Vertex last = no_vertex;
    for (const Vertex leaf : instance.leaves) {
        require(leaf > last && leaf < instance.size(), "leaves increase and are vertices");
        last = leaf;
    }
}

inline void check(const Instance& instance) {
    const auto n = static_cast<std::size_t>(instance.size());
    const auto none_or_n = [n](std::size_t size) { return size == 0 || size == n; };
    require(n >= 1, "an instance has a vertex");
    require(none_or_n(instance.layout.size()), "every vertex has a place in the layout");
    require(none_or_n(instance.degree_limits.size()), "every vertex has a degree limit");
    require(none_or_n(instance.names.size()), "every vertex has a name");
    std::set<std::string_view> names;
    for (const std::string& name : instance.names) {
        require(name.empty() || names.insert(name).second, "no two vertices have the same name");
    }
    require(instance.requirements.empty() || instance.requirements.size() == n * (n - 1) / 2,
            "every pair has a requirement");
    for (const double requirement : instance.requirements) {
        require(requirement >= 0 && std::isfinite(requirement), "requirements are finite and not negative");
    }
    check_facts(instance);
    for (const int limit : instance.degree_limits) require(limit >= 1, "degree limits are positive");
    Vertex last = no_vertex;
    for (const Vertex terminal : instance.terminals) {
        require(terminal > last && terminal < instance.size(), "terminals increase and are vertices");
        last = terminal;
    }
    check_weights(instance.weights);
}

/// Weights of a policy: as many finite numbers as the shapes say, and sizes that make sense.
inline void run_on_weights(std::string_view text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    const policy::TensorFile file = policy::parse_safetensors(bytes, text.size(), "fuzz");
    for (const auto& [name, tensor] : file.tensors) {
        std::size_t count = 1;
        for (const auto extent : tensor.shape) count *= static_cast<std::size_t>(extent);
        require(tensor.values.size() == count, "a tensor has the numbers that its shape says");
        for (const float value : tensor.values) require(std::isfinite(value), "weights are finite");
    }
    const PolicyConfig config = policy::config_from_metadata(file.metadata, "fuzz");
    require(config.d_v % config.heads == 0, "heads share the features of a vertex");
}

inline ReadOptions read_options() {
    ReadOptions options;
    options.max_input = 1 << 20;
    options.warn = [](const std::string& message) {
        require(message.starts_with("fuzz:"), "warnings name the file");
    };
    return options;
}

inline void run_on_tree(std::string_view text) {
    static const Instance instance = parse_instances("a,0,0\nb,1,0\nc,2,0\n3,1,1\n", "points").front();
    const Tree tree = parse_tree(text, "fuzz", instance);
    for (const auto [u, v] : tree.edges) {
        require(u >= 0 && u < 4 && v >= 0 && v < 4, "edges join vertices of the instance");
    }
    require(tree.start >= 0 && tree.start < 4, "a tree starts in a vertex of the instance");
}

inline void run_on_cables(std::string_view text) {
    const auto cables = parse_cables(text, "fuzz");
    require(!cables.empty(), "a table has a row");
    double last = 0;
    for (const auto& cable : cables) {
        require(cable.capacity >= last && std::isfinite(cable.capacity), "cables come by rising capacity");
        require(cable.price >= 0 && std::isfinite(cable.price), "prices are finite");
        last = cable.capacity;
    }
}

/// Areas in the plane, and three points that go around them.
inline void run_on_obstacles(std::string_view text) {
    static const Instance points = parse_instances("x,y\n0,0\n10,0.5\n3,9\n", "points").front();
    const auto obstacles = parse_obstacles(text, "fuzz", Metric::euclidean, read_options());
    require(!obstacles.empty(), "a file of obstacles holds one");
    const Instance around = around_obstacles(points, obstacles);
    check(around);
    for (Vertex v = 1; v < around.size(); ++v) {
        const double straight = points.weights(0, v);
        require(around.weights(0, v) >= straight * (1 - 1e-9), "no way is shorter than the straight one");
    }
}

/// Streets of a map, weighed by a property.
inline void run_on_streets(std::string_view text) {
    ReadOptions options = read_options();
    options.format = "geojson";
    options.map.weight_property = "price";
    for (const auto& instance : parse_instances(text, "fuzz", options)) check(instance);
}

/// `target` is the name of a format, `detect` for the choice among them, or what else is read.
inline void run(std::string_view target, std::string_view text) {
    try {
        if (target == "input-list") return run_on_input_list(text);
        if (target == "safetensors") return run_on_weights(text);
        if (target == "tree") return run_on_tree(text);
        if (target == "cables") return run_on_cables(text);
        if (target == "obstacles") return run_on_obstacles(text);
        if (target == "streets") return run_on_streets(text);
        ReadOptions options = read_options();
        if (target != "detect") options.format = target;
        const auto instances = parse_instances(text, "fuzz", options);
        require(!instances.empty(), "a file holds an instance");
        for (const auto& instance : instances) check(instance);
    } catch (const InputError&) {
        // The other right answer.
    }
}

}  // namespace neuroprim::fuzz
