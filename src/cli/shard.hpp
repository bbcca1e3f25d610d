#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace neuroprim::cli {

/// One of `count` equal parts of a list, dealt like cards: item i belongs to part i mod count.
struct Shard {
    std::size_t index = 0;  ///< from zero
    std::size_t count = 1;

    [[nodiscard]] bool holds(std::size_t item) const { return item % count == index; }
};

/// A variable of the environment; nothing when it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Which of how many processes this one is, as Slurm, mpirun or torchrun say; nothing when none of them does.
/// Processes inside the tasks of a Slurm array are counted through all its tasks. Throws InputError when the array's
/// tasks cannot be counted, as in `--array=1,2,9`.
[[nodiscard]] std::optional<Shard> shard_of_environment(const Environment& environment);

/// `2/5` is the second of five; `auto` the one of the environment, or the whole list. Throws InputError.
[[nodiscard]] Shard shard_named(const std::string& text, const Environment& environment);

}  // namespace neuroprim::cli
