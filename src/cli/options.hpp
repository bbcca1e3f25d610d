#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/formats.hpp"
#include "neuroprim/instance.hpp"
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
    std::size_t max_input = default_max_input;

    void add_to(CLI::App& app);

    /// Every instance of a file, measured by --metric, with --terminals marked.
    [[nodiscard]] std::vector<Instance> read(const std::string& path, const Warn& warn) const;

    /// For commands that work on one instance. Throws InputError when the file holds several.
    [[nodiscard]] Instance read_one(const std::string& path, const Warn& warn) const;
};

/// Which problem to solve on an instance.
struct ProblemArguments {
    std::string problem;
    std::optional<int> degree;
    std::string root;
    std::optional<int> hops;

    void add_to(CLI::App& app);

    /// The named problem, or the one that the options and the input speak of: hops → hmst, a degree limit → dcmst,
    /// requirements → ocst, terminals → stp, otherwise mst. Throws InputError when another option is for other
    /// problems.
    [[nodiscard]] std::unique_ptr<Problem> make(const Instance& instance) const;
};

/// Throws InputError unless the problem reads the option, as its line in the registry says.
void refuse_unless_read(std::string_view problem, std::string_view option);

/// The vertex with this name, or with this number. Throws InputError.
[[nodiscard]] Vertex vertex_named(const Instance& instance, const std::string& text);

/// A cost as people write it: whole numbers without a point, others with up to eight significant digits.
[[nodiscard]] std::string readable(double value);

}  // namespace neuroprim::cli
