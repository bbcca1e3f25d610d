#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neuroprim/formats.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/limits.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim::cli {

/// The names of a registry's entries: problems, methods, formats.
template <class Entries>
[[nodiscard]] std::vector<std::string> names_of(const Entries& entries) {
    std::vector<std::string> result;
    result.reserve(std::size(entries));
    for (const auto& entry : entries) result.emplace_back(entry.name);
    return result;
}

[[nodiscard]] std::vector<std::string> metric_names();

/// What every sub-command takes.
struct CommonOptions {
    bool json = false;
    bool quiet = false;
    int threads = 0;  ///< 0: as many as the machine has
    std::uint64_t seed = 0;

    void add_to(CLI::App& app);
    [[nodiscard]] int thread_count() const;

    /// Prints warnings on standard error, unless --quiet.
    [[nodiscard]] Warn warnings() const;
};

/// What commands take that ask a policy.
struct MemoryOption {
    std::optional<std::uint64_t> most;  ///< bytes

    void add_to(CLI::App& app);
};

/// How inputs are read.
struct InputOptions {
    std::string format;
    std::string metric;
    std::string terminals;
    std::string prizes;
    std::string groups;
    std::string leaves;
    std::string demands;
    std::string masses;
    std::size_t max_input = default_max_input;
    MapOptions map;
    std::string obstacles;

    void add_to(CLI::App& app);

    /// Every instance of a file, measured by --metric, with --terminals and other marks.
    [[nodiscard]] std::vector<Instance> read(const std::string& path, const Warn& warn) const;

    /// Measures it by --metric, and marks its vertices.
    void add_facts(Instance& instance) const;

    /// Makes its edges go around --obstacles.
    void go_around_obstacles(Instance& instance, const std::string& path, const Warn& warn) const;

    /// For commands that work on one instance. Throws InputError when the file holds several.
    [[nodiscard]] Instance read_one(const std::string& path, const Warn& warn) const;
};

/// Facts about vertices that options add to those of the input, by the names of their parameters.
inline constexpr std::array<std::pair<std::string_view, std::string InputOptions::*>, 6> facts_about_vertices = {
    {{"terminals", &InputOptions::terminals},
     {"prizes", &InputOptions::prizes},
     {"groups", &InputOptions::groups},
     {"leaves", &InputOptions::leaves},
     {"demands", &InputOptions::demands},
     {"masses", &InputOptions::masses}}};

/// Which problem to solve on an instance.
struct ProblemArguments {
    std::string problem;
    std::string root;
    std::vector<std::optional<double>> limits = std::vector<std::optional<double>>(number_limits().size());
    bool no_crossings = false;
    std::string cables;
    std::string included_edges;
    std::string excluded_edges;

    void add_to(CLI::App& app);

    /// The named preset with these limits, or what the options and the input say (`implied_preset`). Throws
    /// InputError when they contradict each other or the instance, and when a fact of the input's options has no say.
    [[nodiscard]] std::unique_ptr<Problem> make(const Instance& instance, const InputOptions& input) const;
};

/// The vertex with this name, or with this number. Throws InputError.
[[nodiscard]] Vertex vertex_named(const Instance& instance, const std::string& text);

/// A cost as people write it: whole numbers without a point, others with up to eight significant digits.
[[nodiscard]] std::string readable(double value);

}  // namespace neuroprim::cli
