#pragma once

#include "neuroprim/policy.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {

/// How the policy sees an instance under this augmentation, 0 to `most_augmentations` − 1: the symmetries of the
/// square first, then the same turned by a few degrees more each time. `first` says which symmetry they begin with.
[[nodiscard]] EncodeOptions seen_under(int augmentation, int first = 0);

/// Throws InputError unless there is one at least, and no more than `most_augmentations`.
void check_augmentations(int count);

/// The number of augmentations that the options ask for, or the usual one. Throws as above.
[[nodiscard]] int augmentations_or(const SolveOptions& options, int usual);

}  // namespace neuroprim
