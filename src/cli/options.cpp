#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <thread>

#include "cli/numbers.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::cli {

namespace {

std::vector<Vertex> vertices_named(const Instance& instance, const std::string& list) {
    std::vector<Vertex> result;
    for (const auto& item : CLI::detail::split(list, ',')) result.push_back(vertex_named(instance, item));
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// "A-B": a name may have hyphens of its own, so the first that leaves two names counts.
Edge edge_named(const Instance& instance, const std::string& text) {
    for (auto at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1)) {
        try {
            return {vertex_named(instance, text.substr(0, at)), vertex_named(instance, text.substr(at + 1))};
        } catch (const InputError&) {
            // perhaps at the next hyphen
        }
    }
    throw InputError(fmt::format("{}: \"{}\" names no edge: expected two vertices as A-B", instance.name, text));
}

std::vector<Edge> edges_named(const Instance& instance, const std::string& list) {
    std::vector<Edge> result;
    if (list.empty()) return result;
    for (const auto& item : CLI::detail::split(list, ',')) result.push_back(edge_named(instance, item));
    return result;
}

/// "A=3,B=2.5": the prize of each; others have none.
std::vector<double> prizes_named(const Instance& instance, const std::string& list) {
    std::vector<double> result(index(instance.size()), 0);
    for (const auto& item : CLI::detail::split(list, ',')) {
        const auto at = item.rfind('=');
        double prize = 0;
        const char* begin = item.data() + (at == std::string::npos ? 0 : at + 1);
        const auto [end, error] = std::from_chars(begin, item.data() + item.size(), prize);
        if (at == std::string::npos || error != std::errc() || end != item.data() + item.size()) {
            throw InputError(fmt::format("--prizes: expected VERTEX=PRIZE, found \"{}\"", item));
        }
        result[index(vertex_named(instance, item.substr(0, at)))] = prize;
    }
    return result;
}

/// "A,B;C,D": the vertices of each group; others are in none.
std::vector<int> groups_named(const Instance& instance, const std::string& lists) {
    std::vector<int> result(index(instance.size()), -1);
    int group = 0;
    for (const auto& list : CLI::detail::split(lists, ';')) {
        for (const Vertex v : vertices_named(instance, list)) {
            if (result[index(v)] >= 0) {
                throw InputError(fmt::format("--groups: vertex {} is in two of them", instance.label(v)));
            }
            result[index(v)] = group;
        }
        ++group;
    }
    return result;
}

}  // namespace

std::vector<std::string> metric_names() {
    std::vector<std::string> result;
    for (const Metric metric : all_metrics()) result.emplace_back(to_string(metric));
    return result;
}

void CommonOptions::add_to(CLI::App& app) {
    app.add_flag("--json", json, "Print JSON instead of text")->group("Common");
    app.add_flag("-q,--quiet", quiet, "Print nothing but errors")->group("Common");
    app.add_option("--threads", threads, "Threads to use; 0 takes all cores")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str()
        ->group("Common");
    app.add_option("--seed", seed, "Seed of everything random")
        ->check(is_whole())
        ->capture_default_str()
        ->group("Common");
}

void MemoryOption::add_to(CLI::App& app) {
    app.add_option("--max-memory", most,
                   "Refuse to ask a policy that needs more memory: 800M, 12G; three quarters of what is free unless "
                   "given")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("SIZE");
}

int CommonOptions::thread_count() const {
    return threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Warn CommonOptions::warnings() const {
    if (quiet) return {};
    return [](const std::string& message) { fmt::print(stderr, "neuroprim: warning: {}\n", message); };
}

void InputOptions::add_to(CLI::App& app) {
    app.add_option("--format", format, "Input format; told from the content unless given")
        ->check(CLI::IsMember(names_of(input_formats())));
    app.add_option("--metric", metric, "Measure the points by this metric instead of the file's own")
        ->check(CLI::IsMember(metric_names()));
    app.add_option("--terminals", terminals,
                   "Vertices (numbers from 0, or names) that the tree must hold; others only where they pay: A,B,C");
    app.add_option("--prizes", prizes, "What leaving out a vertex costs, 0 for others; none must be in: A=3,B=2.5");
    app.add_option("--groups", groups, "Groups of vertices: the tree holds exactly one of each: \"A,B;C,D\"");
    app.add_option("--leaves", leaves, "Vertices that may have one tree edge only: A,B,C");
    app.add_option("--max-input", max_input, "Read no more text than this from a file, once unpacked: 500M, 4G")
        ->transform(CLI::AsSizeValue(false).description(""))
        ->default_str("2G")
        ->type_name("SIZE");
}

std::vector<Instance> InputOptions::read(const std::string& path, const Warn& warn) const {
    std::vector<Instance> instances = read_instances(path, ReadOptions{format, max_input, warn});
    for (auto& instance : instances) {
        if (!metric.empty()) {
            try {
                instance.weights = instance.weights.with_metric(*metric_from_string(metric));
            } catch (const InputError& error) {
                throw InputError(path, 0, error.what());
            }
        }
        if (!terminals.empty()) instance.terminals = vertices_named(instance, terminals);
        if (!prizes.empty()) instance.prizes = prizes_named(instance, prizes);
        if (!groups.empty()) instance.groups = groups_named(instance, groups);
        if (!leaves.empty()) instance.leaves = vertices_named(instance, leaves);
    }
    return instances;
}

Instance InputOptions::read_one(const std::string& path, const Warn& warn) const {
    std::vector<Instance> instances = read(path, warn);
    if (instances.size() != 1) {
        throw InputError(path, 0,
                         fmt::format("holds {} instances: pick one as {}#1 … {}#{}", instances.size(), path, path,
                                     instances.size()));
    }
    return std::move(instances.front());
}

void InputOptions::check_use(const Problem& problem) const {
    const TreeSpec& spec = problem.spec();
    const auto check = [&](const std::string& given, bool used, const char* option) {
        if (given.empty() || used) return;
        throw InputError(fmt::format("{} is of no use for {}: leave out one of them", option, problem.name()));
    };
    check(terminals, !spec.terminals.empty(), "--terminals");
    check(prizes, !spec.prizes.empty(), "--prizes");
    check(groups, !spec.groups.empty(), "--groups");
    check(leaves, spec.has(Limit::degree), "--leaves");
}

void ProblemArguments::add_to(CLI::App& app) {
    app.add_option("-p,--problem", problem, "What to solve; told from the other options and the input unless given")
        ->check(CLI::IsMember(names_of(problem_kinds())));
    const auto limit = [&](const char* flag, auto& value, const char* help) {
        return app.add_option(flag, value, help)->group("Limits, which combine");
    };
    limit("-d,--degree", degree, "The most tree edges at a vertex; replaces limits in the input");
    limit("--root", root, "The vertex that hops, lengths and loads are counted from; replaces that of the input");
    limit("--hops", hops, "The most edges between the root and any vertex");
    limit("--length", length, "The longest way from the root to any vertex");
    limit("--capacity", capacity,
          "The most demand behind an edge of the root; a vertex demands 1 unless the input says");
    limit("--diameter", diameter, "The most edges between any two vertices");
    limit("--cables", cables, "A table of cables (CSV: capacity,price): edges are priced by the load behind them")
        ->type_name("FILE");
    limit("--include-edges", included_edges, "Edges that must be in the tree: A-B,C-D");
    limit("--exclude-edges", excluded_edges, "Edges that must not be in the tree: A-B,C-D");
}

std::unique_ptr<Problem> ProblemArguments::make(const Instance& instance) const {
    ProblemOptions options;
    options.degree = degree;
    if (!root.empty()) options.root = vertex_named(instance, root);
    options.hops = hops;
    options.length = length;
    options.capacity = capacity;
    options.diameter = diameter;
    if (!cables.empty()) options.cables = read_cables(cables);
    options.included_edges = edges_named(instance, included_edges);
    options.excluded_edges = edges_named(instance, excluded_edges);
    return make_problem(problem.empty() ? implied_preset(instance, options) : problem, instance, options);
}

Vertex vertex_named(const Instance& instance, const std::string& text) {
    const auto named = std::find(instance.names.begin(), instance.names.end(), text);
    if (named != instance.names.end()) return static_cast<Vertex>(named - instance.names.begin());
    Vertex v = no_vertex;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw InputError(fmt::format("{}: no vertex is called \"{}\"", instance.name, text));
    }
    if (v < 0 || v >= instance.size()) {
        throw InputError(fmt::format("{}: vertex {} is not among the {} vertices (0 to {})", instance.name, v,
                                     instance.size(), instance.size() - 1));
    }
    return v;
}

std::string readable(double value) {
    constexpr double exact_integers = 9007199254740992.0;  // 2⁵³
    if (value == std::floor(value) && std::abs(value) < exact_integers) return fmt::format("{:.0f}", value);
    return fmt::format("{:.8g}", value);
}

}  // namespace neuroprim::cli
