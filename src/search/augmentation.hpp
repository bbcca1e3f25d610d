#pragma once

#include "neuroprim/policy.hpp"

namespace neuroprim {

/// How the policy sees an instance under this augmentation, 0 to `most_augmentations` − 1: the symmetries of the
/// square first, then the same turned by a few degrees more each time. `first` says which symmetry they begin with.
[[nodiscard]] inline EncodeOptions seen_under(int augmentation, int first = 0) {
    constexpr double degrees = 3;  // few: the policy knows squares that stand upright
    EncodeOptions options;
    options.symmetry = (first + augmentation) % square_symmetries;
    const int turns = augmentation / square_symmetries;
    options.turn = degrees * turns;
    return options;
}

}  // namespace neuroprim
