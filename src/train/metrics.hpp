#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "train/event_file.hpp"

namespace neuroprim::train {

/// One line of `metrics.jsonl`: averages over the updates since the line before.
struct Metrics {
    std::int64_t step = 0;          ///< updates done
    std::int64_t trajectories = 0;  ///< trees sampled since the run began
    double seconds = 0;             ///< time spent training since the run began
    double cost = 0;                ///< of sampled trees
    double entropy = 0;             ///< nats per step, estimated from the sampled actions
    double gradient_norm = 0;       ///< before clipping
    double learning_rate = 0;
    double trajectories_per_second = 0;
    double dead_ends = 0;                   ///< the share of sampled trees that could not be finished
    std::optional<double> validation_cost;  ///< greedy, on the fixed set; the mean over the kinds of a mix
    std::vector<std::pair<std::string, double>> validation_costs = {};  ///< of each kind of a mix
};

[[nodiscard]] std::string to_json(const Metrics& metrics);

/// Appends to `metrics.jsonl` and, if asked, to a TensorBoard event file in the same folder. A resumed run drops the
/// lines after its checkpoint first, so that the file reads as that of a run never stopped.
class MetricsWriter {
public:
    MetricsWriter(const std::filesystem::path& folder, std::int64_t resumed_step, bool tensorboard);

    /// Throws InputError when the disk is full.
    void write(const Metrics& metrics);

private:
    std::filesystem::path path_;
    std::ofstream out_;
    std::optional<EventFile> events_;
};

/// One line on standard error with a bar and the time left; silent when standard error is no terminal.
class ProgressBar {
public:
    ProgressBar(std::int64_t total, bool quiet);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// Draws at most five times a second.
    void show(std::int64_t done, const std::string& note);

    /// Wipes the line, so that a message can be printed in its place.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    std::int64_t total_;
    std::int64_t first_ = -1;
    bool visible_;
    bool drawn_ = false;
    Clock::time_point begin_;
    Clock::time_point last_;
};

/// `1:02:03` or `4:05`.
[[nodiscard]] std::string readable_duration(double seconds);

}  // namespace neuroprim::train
