#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <thread>
#include <variant>

#include "cli/parameter_flags.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::cli {

namespace {

std::vector<Vertex> vertices_named(const Instance& instance, const std::string& list) {
    std::vector<Vertex> result;
    for (const auto& item : CLI::detail::split(list, ',')) result.push_back(vertex_named(instance, item));
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// "A" or "A,B": one vertex whose name has a comma comes before several.
void set_roots(ProblemOptions& options, const Instance& instance, const std::string& list) {
    if (list.empty()) return;
    const bool is_name = std::find(instance.names.begin(), instance.names.end(), list) != instance.names.end();
    const std::vector<Vertex> roots =
        is_name ? std::vector{vertex_named(instance, list)} : vertices_named(instance, list);
    options.root = roots.front();
    options.other_roots.assign(roots.begin() + 1, roots.end());
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
    throw InputError(fmt::format("\"{}\" names no edge: expected two vertices as A-B", text));
}

std::vector<Edge> edges_named(const Instance& instance, const std::string& list) {
    std::vector<Edge> result;
    if (list.empty()) return result;
    for (const auto& item : CLI::detail::split(list, ',')) result.push_back(edge_named(instance, item));
    return result;
}

/// "A=3,B=2.5": the amount of each; others have `other`.
std::vector<double> amounts_named(const Instance& instance, const std::string& list, double other,
                                  std::string_view flag) {
    std::vector<double> result(index(instance.size()), other);
    std::vector<bool> is_given(index(instance.size()), false);
    for (const auto& item : CLI::detail::split(list, ',')) {
        const auto at = item.rfind('=');
        double amount = 0;
        const char* begin = item.data() + (at == std::string::npos ? 0 : at + 1);
        const auto [end, error] = std::from_chars(begin, item.data() + item.size(), amount);
        if (at == std::string::npos || error != std::errc() || end != item.data() + item.size()) {
            throw InputError(fmt::format("{}: expected VERTEX=NUMBER, found \"{}\"", flag, item));
        }
        const Vertex v = vertex_named(instance, item.substr(0, at));
        if (is_given[index(v)])
            throw InputError(fmt::format("{}: vertex {} is given twice", flag, instance.label(v)));
        is_given[index(v)] = true;
        result[index(v)] = amount;
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
    add_parameter(app, "threads", threads)->group("Common");
    add_parameter(app, "seed", seed)->group("Common");
}

void MemoryOption::add_to(CLI::App& app) {
    add_parameter(app, "max_memory", most)->transform(CLI::AsSizeValue(false).description(""));
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
    add_parameter(app, "metric", metric);
    for (const auto& [name, value] : facts_about_vertices) {
        add_parameter(app, name, this->*value)
            ->group("Vertices (numbers from 0, or names), beside what the input says");
    }
    app.add_option("--max-input", max_input, "Read no more text than this from a file, once unpacked: 500M, 4G")
        ->transform(CLI::AsSizeValue(false).description(""))
        ->default_str("2G")
        ->type_name("SIZE");
    app.add_option("--obstacles", obstacles, "Areas that edges between points go around, from GeoJSON")
        ->type_name("FILE");
    for (const MapOption& option : map_options()) {
        const std::string flag = spelled(option.name, Spelling::flag);
        const auto set = [this, &option, flag](const std::string& value) {
            set_map_option(map, option.name, value, flag);
        };
        const auto usual =
            std::visit([](auto member) { return fmt::format("{}", MapOptions{}.*member); }, option.member);
        app.add_option_function<std::string>(flag, set, std::string(option.help))
            ->default_str(usual)
            ->type_name(std::string(option.placeholder))
            ->group("Streets (lines of GeoJSON and other maps)");
    }
}

std::vector<Instance> InputOptions::read(const std::string& path, const Warn& warn) const {
    std::vector<Instance> instances = read_instances(path, ReadOptions{format, max_input, warn, map});
    for (auto& instance : instances) {
        try {
            add_facts(instance);
        } catch (const InputError& error) {
            throw InputError(path, 0, error.what());
        }
        go_around_obstacles(instance, path, warn);
    }
    return instances;
}

void InputOptions::go_around_obstacles(Instance& instance, const std::string& path, const Warn& warn) const {
    if (obstacles.empty()) return;
    const auto areas = read_obstacles(obstacles, instance.weights.metric(), ReadOptions{"", max_input, warn, map});
    try {
        instance = around_obstacles(std::move(instance), areas);
    } catch (const InputError& error) {
        throw InputError(path, 0, fmt::format("{} ({})", error.what(), obstacles));
    }
}

void InputOptions::add_facts(Instance& instance) const {
    if (!metric.empty()) instance.weights = instance.weights.with_metric(*metric_from_string(metric));
    if (!terminals.empty()) instance.terminals = vertices_named(instance, terminals);
    if (!prizes.empty()) instance.prizes = amounts_named(instance, prizes, 0, "--prizes");
    if (!demands.empty()) instance.demands = amounts_named(instance, demands, 1, "--demands");
    if (!masses.empty()) instance.masses = amounts_named(instance, masses, 1, "--masses");
    if (!groups.empty()) instance.groups = groups_named(instance, groups);
    if (!leaves.empty()) instance.leaves = vertices_named(instance, leaves);
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

void ProblemArguments::add_to(CLI::App& app) {
    add_parameter(app, "problem", problem);
    const auto limit = [&](std::string_view name, auto& value) {
        add_parameter(app, name, value)->group("Limits, which combine");
    };
    for (std::size_t k = 0; k < limits.size(); ++k) limit(number_limits()[k].name, limits[k]);
    limit("root", root);
    limit("cables", cables);
    limit("no_crossings", no_crossings);
    limit("include_edges", included_edges);
    limit("exclude_edges", excluded_edges);
}

std::unique_ptr<Problem> ProblemArguments::make(const Instance& instance, const InputOptions& input) const {
    ProblemOptions options;
    for (std::size_t k = 0; k < limits.size(); ++k) {
        if (limits[k]) number_limits()[k].set(options, *limits[k]);
    }
    set_roots(options, instance, root);
    if (!cables.empty()) options.cables = read_cables(cables);
    options.no_crossings = no_crossings;
    options.included_edges = edges_named(instance, included_edges);
    options.excluded_edges = edges_named(instance, excluded_edges);
    auto made = make_problem(problem.empty() ? implied_preset(instance, options) : problem, instance, options);
    for (const auto& [name, value] : facts_about_vertices) {
        if (!(input.*value).empty()) check_use(name, made->spec(), made->name());
    }
    return made;
}

Vertex vertex_named(const Instance& instance, const std::string& text) {
    const auto named = std::find(instance.names.begin(), instance.names.end(), text);
    if (named != instance.names.end()) return static_cast<Vertex>(named - instance.names.begin());
    Vertex v = no_vertex;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw InputError(fmt::format("no vertex is called \"{}\"", text));
    }
    if (v < 0 || v >= instance.size()) {
        throw InputError(
            fmt::format("vertex {} is not among the {} vertices (0 to {})", v, instance.size(), instance.size() - 1));
    }
    return v;
}

std::string readable(double value) {
    constexpr double exact_integers = 9007199254740992.0;  // 2⁵³
    if (value == std::floor(value) && std::abs(value) < exact_integers) return fmt::format("{:.0f}", value);
    return fmt::format("{:.8g}", value);
}

}  // namespace neuroprim::cli
