#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "train/configuration.hpp"

namespace neuroprim::train {

/// What `train` was asked for.
struct TrainRequest {
    std::filesystem::path folder;   ///< of the run: configuration, metrics, checkpoints
    bool resume = false;            ///< go on from the newest checkpoint, or begin when there is none
    std::vector<Setting> settings;  ///< preset, file and command line, the later ones win
    bool quiet = false;
};

/// Trains until the last update, the time limit, Ctrl-C or SIGTERM; what was learned is then saved.
/// Throws InputError on wrong settings and when files cannot be written; the last checkpoint stays.
void train(const TrainRequest& request);

struct ExportRequest {
    std::filesystem::path checkpoint;  ///< a file, or the folder of a run: its newest one
    std::filesystem::path output;
    bool half = false;  ///< large matrices in 16 bits
};

/// Writes the policy of a checkpoint as the solver reads it, with how it was trained as metadata.
void export_policy(const ExportRequest& request);

}  // namespace neuroprim::train
