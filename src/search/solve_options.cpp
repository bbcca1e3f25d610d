#include "neuroprim/error.hpp"
#include "neuroprim/parameters.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {

void check_use(const SolveOptions& options) {
    if (options.start != no_vertex && options.starts > 0) {
        throw InputError("--start names the one start, and --starts asks for several: leave out one of them");
    }
    if (options.augmentations <= 1 && (options.augmentations_per_start > 0 || options.rounds > 1)) {
        throw InputError(
            "--augmentations-per-start and --rounds choose among several: they need --augmentations, 2 or more");
    }
    if (options.initial == Initial::classical && (!options.model.empty() || options.policy)) {
        throw InputError("--initial classical asks no policy: leave out --model");
    }
}

}  // namespace neuroprim
