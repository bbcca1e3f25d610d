#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "neuroprim/tree_spec.hpp"
#include "train/batch_decoder.hpp"
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

/// What `decode` was asked for.
struct DecodeRequest {
    std::vector<std::string> inputs;  ///< files or folders of instances, or NumPy files of points (G, n, 2)
    std::string model;                ///< a policy file; empty: the pretrained one
    std::string problem;              ///< a preset; empty: what the options and each input say
    ProblemOptions options;
    BatchDecoding decoding;
    std::string device = "auto";
    std::filesystem::path costs;  ///< CSV: name and cost of every instance; empty: not written
    std::filesystem::path trees;  ///< NumPy: (G, n − 1, 2) int32, −1 after the last edge; empty: not written
    bool quiet = false;
};

/// The policy's best tree of every instance, grown in batches. Says how many trees grew in a second. Returns how many
/// instances have no tree, since all of theirs ended in a dead end.
std::size_t decode(const DecodeRequest& request);

}  // namespace neuroprim::train
