#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "neuroprim/error.hpp"
#include "train/distributed.hpp"

namespace neuroprim::train {

namespace {

struct Launcher {
    const char* rank;
    const char* size;
    const char* local_rank;
};

/// SLURM_STEP_NUM_TASKS exists inside srun only: a batch script itself is one process, whatever it asked for.
constexpr Launcher launchers[] = {
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
};

int number(const std::string& name, const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) {
        throw InputError(fmt::format("environment variable {}: expected a number, found \"{}\"", name, text));
    }
    return value;
}

}  // namespace

std::string first_host(const std::string& node_list) {
    const auto bracket = node_list.find('[');
    const auto comma = node_list.find(',');
    if (bracket == std::string::npos || comma < bracket) return node_list.substr(0, comma);
    const auto end = node_list.find_first_of("-,]", bracket);
    return node_list.substr(0, bracket) + node_list.substr(bracket + 1, end - bracket - 1);
}

Place find_place(const Environment& environment) {
    Place place;
    for (const Launcher& launcher : launchers) {
        const auto rank = environment(launcher.rank);
        const auto size = environment(launcher.size);
        if (!rank || !size) continue;
        place.rank = number(launcher.rank, *rank);
        place.size = number(launcher.size, *size);
        if (const auto local = environment(launcher.local_rank)) {
            place.local_rank = number(launcher.local_rank, *local);
        }
        if (place.rank >= place.size) {
            throw InputError(
                fmt::format("{} is {} but {} is {}", launcher.rank, place.rank, launcher.size, place.size));
        }
        break;
    }
    if (place.size == 1) return place;
    if (const auto nodes = environment("SLURM_STEP_NODELIST")) place.address = first_host(*nodes);
    if (const auto address = environment("MASTER_ADDR")) place.address = *address;
    if (const auto job = environment("SLURM_JOB_ID")) place.port = 20000 + number("SLURM_JOB_ID", *job) % 20000;
    if (const auto port = environment("MASTER_PORT")) place.port = number("MASTER_PORT", *port);
    place.store_runs = environment("TORCHELASTIC_USE_AGENT_STORE") == "True";
    return place;
}

Place find_place() {
    return find_place([](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return value;
    });
}

}  // namespace neuroprim::train
