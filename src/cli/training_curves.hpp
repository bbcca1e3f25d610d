#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "neuroprim/picture.hpp"

namespace neuroprim::cli {

/// The metrics of a training run, one object per line of its file.
struct TrainingRun {
    std::string name;
    std::vector<nlohmann::json> lines;
};

/// Reads `metrics.jsonl`, or the one in a run's folder; a last line that is cut short is left out. Throws InputError
/// when there is no line yet.
[[nodiscard]] TrainingRun read_training_run(const std::string& path);

/// Validation cost, cost of sampled trees, entropy and gradient one above the other, a colour per run. `x` is the
/// metric on the horizontal axis: trajectories, step or seconds.
[[nodiscard]] Picture draw_training_curves(std::span<const TrainingRun> runs, const std::string& x, double width);

}  // namespace neuroprim::cli
