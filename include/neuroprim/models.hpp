#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim {

class Problem;

/// Folders that are searched for pretrained models, in order: $NEUROPRIM_MODELS, `models` beside the shared library
/// that this code is part of (the Python module), `models` beside the running program and beside its folder, and the
/// share folder of its install prefix.
[[nodiscard]] std::vector<std::filesystem::path> model_folders();

/// The model that is told the specification and serves every one that `beyond_shared_model` does not exclude.
inline constexpr std::string_view shared_model = "tree";

/// Why the shared model does not know such problems; nothing where it does. It was trained for shortest trees under
/// limits on degree, hops, diameter, branch loads and lengths, over all vertices, terminals, groups or those with
/// prizes, and for routing cost.
[[nodiscard]] std::optional<std::string> beyond_shared_model(const Problem& problem);

/// The pretrained policy for a problem, `PROBLEM.safetensors` in the first folder that has one; `tree.safetensors`
/// for the presets that it serves.
[[nodiscard]] std::optional<std::filesystem::path> find_model(std::string_view problem);

/// The same for the problem at hand: degree limits that leave more than a path have a policy of their own, dcmst-3,
/// and problems of more than 150 vertices may have one that was trained with larger graphs, PROBLEM-large. The shared
/// model comes last, where it serves the problem. On graphs that are given by weights instead of points, and up to
/// 150 points under the Manhattan or maximum metric, it comes first: dedicated policies see no weights.
[[nodiscard]] std::optional<std::filesystem::path> find_model(const Problem& problem);

/// The same for parts of it that have so many vertices.
[[nodiscard]] std::optional<std::filesystem::path> find_model(const Problem& problem, Vertex size);

/// The file of a policy that a user names: a file, or a pretrained policy (`stp`, `dcmst-3`) where no such file lies
/// in the folder where the program runs.
[[nodiscard]] std::filesystem::path model_file(const std::string& name);

/// The policy that was trained for large graphs of such a problem, `NAME-large`, where that is the one to take.
[[nodiscard]] std::optional<std::filesystem::path> find_large_model(const Problem& problem);

/// The pretrained policy that goes on from an end of a path and sees what is near it, PROBLEM-end; nothing where
/// there is none, or where a folder before it has other policies of the problem.
[[nodiscard]] std::optional<std::filesystem::path> find_end_model(const Problem& problem);

}  // namespace neuroprim
