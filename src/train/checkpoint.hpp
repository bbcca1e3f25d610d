#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policy/safetensors.hpp"

namespace neuroprim::train {

/// Everything a run needs to go on as if it had never stopped. Random numbers follow from the configuration's seed
/// and the update's number, so the random state is `step` itself; so is the place in the schedule.
struct Checkpoint {
    std::int64_t step = 0;                                       ///< updates done
    double seconds = 0;                                          ///< time spent training
    std::string configuration;                                   ///< resolved, as JSON
    std::map<std::string, neuroprim::policy::Tensor> model;      ///< parameters and running statistics
    std::map<std::string, neuroprim::policy::Tensor> optimiser;  ///< Adam's moments
};

/// A safetensors file with a checksum, on disk in full before it gets its name: after a crash the file is either all
/// there or not there. Throws InputError naming the file and the reason (disk full, no permission).
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws InputError when the file is damaged or no checkpoint.
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& path);

/// The checkpoints of a run: `checkpoint-000001000.safetensors` and so on.
class CheckpointFolder {
public:
    explicit CheckpointFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Increasing by step.
    [[nodiscard]] std::vector<std::filesystem::path> list() const;

    /// Writes, then removes all but the last `keep`. On failure the earlier ones stay.
    void save(const Checkpoint& checkpoint, std::int64_t keep) const;

    /// The newest one that can be read; `complain` hears about each damaged one. Nothing when there are none.
    /// Throws InputError when there are some and all are damaged.
    [[nodiscard]] std::optional<Checkpoint> latest(const std::function<void(const std::string&)>& complain) const;

    /// Removes what a killed process left half written.
    void sweep() const;

private:
    std::filesystem::path folder_;
};

/// Replaces a small text file in one step, durable as a checkpoint is.
void write_durably(const std::filesystem::path& path, const std::string& text);

}  // namespace neuroprim::train
