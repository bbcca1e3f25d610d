#include "cli/shard.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "neuroprim/error.hpp"

namespace neuroprim::cli {

namespace {

std::optional<std::size_t> whole_number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::size_t> number_in(const Environment& environment, const char* name) {
    const char* text = environment(name);
    return text == nullptr ? std::nullopt : whole_number(text);
}

/// The place among processes that were started together.
Shard process_rank(const Environment& environment) {
    struct Launcher {
        const char* rank;
        const char* size;
        const char* present;  // must be set as well
    };
    // mpirun may itself have been started by srun, so Slurm comes last. A batch script has SLURM_PROCID and
    // SLURM_NTASKS too, but it is one process: only srun sets the number of a step.
    constexpr std::array launchers = {
        Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr}, Launcher{"PMI_RANK", "PMI_SIZE", nullptr},
        Launcher{"RANK", "WORLD_SIZE", nullptr}, Launcher{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID"}};
    for (const auto& launcher : launchers) {
        if (launcher.present != nullptr && environment(launcher.present) == nullptr) continue;
        const auto rank = number_in(environment, launcher.rank);
        const auto size = number_in(environment, launcher.size);
        if (rank && size && *size > 1 && *rank < *size) return {*rank, *size};
    }
    return {};
}

Shard array_task(const Environment& environment) {
    const auto id = number_in(environment, "SLURM_ARRAY_TASK_ID");
    const auto count = number_in(environment, "SLURM_ARRAY_TASK_COUNT");
    if (!id || !count) return {};
    const std::size_t first = number_in(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
    const std::size_t step = number_in(environment, "SLURM_ARRAY_TASK_STEP").value_or(1);
    const std::size_t last = number_in(environment, "SLURM_ARRAY_TASK_MAX").value_or(first + (*count - 1) * step);
    const bool even = *count > 0 && step > 0 && first <= *id && *id <= last && (*id - first) % step == 0 &&
                      last == first + (*count - 1) * step;
    if (!even) {
        throw InputError(
            fmt::format("--shard auto: the {} tasks of this Slurm array are not evenly spaced, so task {} cannot "
                        "tell its place: give --shard K/N",
                        *count, *id));
    }
    return {(*id - first) / step, *count};
}

}  // namespace

std::optional<Shard> shard_of_environment(const Environment& environment) {
    const Shard task = array_task(environment);
    const Shard process = process_rank(environment);
    const Shard result = {task.index * process.count + process.index, task.count * process.count};
    if (result.count == 1) return std::nullopt;
    return result;
}

Shard shard_named(const std::string& text, const Environment& environment) {
    if (text == "auto") return shard_of_environment(environment).value_or(Shard{});
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
        const auto index = whole_number(std::string_view(text).substr(0, slash));
        const auto count = whole_number(std::string_view(text).substr(slash + 1));
        if (index && count && *index >= 1 && *index <= *count) return {*index - 1, *count};
    }
    throw InputError(fmt::format("--shard: expected K/N with K from 1 to N, or auto, found \"{}\"", text));
}

}  // namespace neuroprim::cli
