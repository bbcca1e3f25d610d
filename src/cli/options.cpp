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
                   "Vertices (numbers from 0, or names) that a Steiner tree must hold: A,B,C");
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

void ProblemArguments::add_to(CLI::App& app) {
    app.add_option("-p,--problem", problem, "What to solve; told from the other options and the input unless given")
        ->check(CLI::IsMember(names_of(problem_kinds())));
    app.add_option("-d,--degree", degree, "dcmst: the most tree edges at a vertex; replaces limits in the input");
    app.add_option("--root", root, "hmst: the vertex that hops are counted from (default: the first)");
    app.add_option("--hops", hops, "hmst: the most edges between the root and any vertex");
}

std::unique_ptr<Problem> ProblemArguments::make(const Instance& instance) const {
    std::string name = problem;
    if (name.empty()) {
        if (hops) {
            name = "hmst";
        } else if (degree || !instance.degree_limits.empty()) {
            name = "dcmst";
        } else if (!instance.requirements.empty()) {
            name = "ocst";
        } else {
            name = instance.terminals.empty() ? "mst" : "stp";
        }
    }
    if (degree) refuse_unless_read(name, "--degree");
    if (!root.empty()) refuse_unless_read(name, "--root");
    if (hops) refuse_unless_read(name, "--hops");
    ProblemOptions options{degree, std::nullopt, hops};
    if (!root.empty()) options.root = vertex_named(instance, root);
    return make_problem(name, instance, options);
}

void refuse_unless_read(std::string_view problem, std::string_view option) {
    std::vector<std::string_view> readers;
    for (const auto& kind : problem_kinds()) {
        if (kind.options.find(option) != std::string_view::npos) readers.push_back(kind.name);
    }
    if (std::find(readers.begin(), readers.end(), problem) != readers.end()) return;
    throw InputError(fmt::format("{} is for --problem {}, and this one is {}: leave out one of them", option,
                                 fmt::join(readers, ", "), problem));
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
