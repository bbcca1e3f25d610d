#include "search/augmentation.hpp"

#include <fmt/format.h>

#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"

namespace neuroprim {

EncodeOptions seen_under(int augmentation, int first) {
    constexpr double degrees = 3;  // few: the policy knows squares that stand upright
    EncodeOptions options;
    options.symmetry = (first + augmentation) % square_symmetries;
    const int turns = augmentation / square_symmetries;
    options.turn = degrees * turns;
    return options;
}

void check_augmentations(int count) {
    if (count >= 1 && count <= most_augmentations) return;
    throw InputError(fmt::format("{} augmentations: expected 1 to {}", count, most_augmentations));
}

int augmentations_or(const SolveOptions& options, int usual) {
    if (options.augmentations == 0) return usual;
    check_augmentations(options.augmentations);
    return options.augmentations;
}

}  // namespace neuroprim
