#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace neuroprim {

class Problem;

/// Folders that are searched for pretrained models, in order: $NEUROPRIM_MODELS, `models` beside the shared library
/// that this code is part of (the Python module), `models` beside the running program and beside its folder, and the
/// share folder of its install prefix.
[[nodiscard]] std::vector<std::filesystem::path> model_folders();

/// The pretrained policy for a problem, `PROBLEM.safetensors` in the first folder that has one.
[[nodiscard]] std::optional<std::filesystem::path> find_model(std::string_view problem);

/// The same for the problem at hand: degree limits that leave more than a path have a policy of their own, dcmst-3,
/// and problems of more than 150 vertices may have one that was trained with larger graphs, PROBLEM-large.
[[nodiscard]] std::optional<std::filesystem::path> find_model(const Problem& problem);

}  // namespace neuroprim
