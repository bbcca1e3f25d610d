#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "neuroprim/policy.hpp"
#include "train/instances.hpp"
#include "train/mix.hpp"
#include "train/rules.hpp"

namespace neuroprim::train {

/// Everything that decides how a run goes: the options of `train`, by name.
struct Configuration {
    // The problem.
    std::string problem = "dcmst";
    Range degree;
    Range hops;
    Range diameter;
    Range capacity;
    Range demands;
    Range length;
    std::string mix;  ///< several specifications instead of one, as parse_mix reads them

    // The policy.
    std::int64_t d_v = 256;
    std::int64_t d_e = 16;
    std::int64_t d_f = 512;
    std::int64_t heads = 8;
    std::int64_t encoder_layers = 3;
    std::int64_t decoder_layers = 1;
    double clip = 10;
    std::int64_t attention_size = 0;
    std::string features;  ///< those of PolicyConfig, separated by commas, or none
    std::string init;

    // The random graphs.
    std::int64_t n = 50;
    std::int64_t n_max = 0;
    std::int64_t grow = 0;
    std::string shape = "uniform";
    bool leaf_start = false;
    std::string weights = "straight";
    std::int64_t terminals_min = 2;
    std::int64_t terminals_max = 0;

    // The method.
    std::int64_t graphs = 10;
    std::int64_t trajectories = 50;
    bool distinct_starts = false;
    std::int64_t updates = 10000;
    double learning_rate = 1e-4;
    std::string schedule = "constant";
    std::int64_t warmup = 0;
    double gradient_clip = 1;
    double leader = 1;
    bool normalise = false;
    std::string imitates;
    std::int64_t teacher = 0;
    std::int64_t teacher_uses = 1;
    std::string teacher_order = "cheapest";
    double pruned_edge_penalty = 0;
    double entropy_weight = 0;
    std::int64_t seed = 0;

    // What is watched and kept.
    std::int64_t log_every = 100;
    std::int64_t validate_every = 1000;
    std::int64_t validation_graphs = 100;
    std::int64_t validation_seed = 1234567;
    std::int64_t checkpoint_every = 1000;
    std::int64_t keep = 3;
    bool tensorboard = false;

    // The machine.
    std::string device = "auto";
    std::string decoder = "auto";
    std::int64_t threads = 0;
    double time_limit = 0;

    friend bool operator==(const Configuration&, const Configuration&) = default;

    /// What each batch draws its specification from.
    [[nodiscard]] std::vector<SpecificationKind> kinds() const;

    /// The rules where all batches have the same; throws InputError otherwise.
    [[nodiscard]] Rules rules() const;
    [[nodiscard]] bool has_one_specification() const;

    [[nodiscard]] PolicyConfig policy() const;
    [[nodiscard]] InstanceOptions instances() const;
};

/// A value as a file or the command line gives it.
using Value = std::variant<std::int64_t, double, bool, std::string>;

/// One option: the key of files is `name`, on the command line it is `--name` with dashes.
struct Option {
    using Member = std::variant<std::int64_t Configuration::*, double Configuration::*, bool Configuration::*,
                                std::string Configuration::*, Range Configuration::*>;

    std::string name;
    Member member;
    std::string help;
    double least = 0;                  ///< of numbers, and of ranges where they are given
    double most = 1e15;                ///< of numbers
    std::vector<std::string> choices;  ///< of texts; empty: any
    bool method = true;                ///< decides what is computed: a resumed run must not change it
};

[[nodiscard]] const std::vector<Option>& options();

/// What an option was called before, or nothing: files, checkpoints and scripts may still say so.
[[nodiscard]] std::string former_name(const std::string& name);

/// Names of those that say what the policy is, not how it learns.
[[nodiscard]] const std::vector<std::string>& policy_options();

/// Throws InputError with `source` and `line` when no option has this name or the value does not suit it.
void set(Configuration& configuration, const std::string& name, const Value& value, const std::string& source,
         long line);

/// Values for one key each, with where they were found.
struct Setting {
    std::string name;
    Value value;
    std::string source;
    long line = 0;
};

/// Reads `.toml` or `.json`: one flat table of option names. Throws InputError with file and line.
[[nodiscard]] std::vector<Setting> read_settings(const std::filesystem::path& path);

/// The same from JSON text; `source` names it in errors.
[[nodiscard]] std::vector<Setting> parse_json_settings(const std::string& text, const std::string& source);

/// The settings of a named preset: `paper`.
[[nodiscard]] std::vector<Setting> preset_settings(const std::string& name);

/// Throws InputError when values do not fit together.
void check(const Configuration& configuration);

/// The resolved configuration as JSON, every option in its order; `read_settings` reads it back.
[[nodiscard]] std::string to_json(const Configuration& configuration);

/// Throws InputError naming the first option of the method that differs from the run's own.
void check_resumable(const Configuration& stored, const Configuration& wanted, const std::string& source);

}  // namespace neuroprim::train
