#include "neuroprim/models.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "problems/kinds.hpp"

namespace neuroprim {

namespace fs = std::filesystem;

namespace {

/// The folder of the program or shared library that holds this function; empty when the system cannot tell.
fs::path folder_of_this_code() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&folder_of_this_code), &info) == 0 || info.dli_fname == nullptr)
        return {};
    return fs::path(info.dli_fname).parent_path();
}

/// Models for graphs of more than so many vertices are named so, where a problem has them.
struct {
    const char* suffix;
    Vertex above;
} constexpr suited_to_size[] = {{"-huge", 400}, {"-large", 150}};

/// The first folder that has any of them decides: a user's own models come before pretrained ones that suit better.
std::optional<fs::path> first_of(const std::vector<std::string>& names) {
    for (const auto& folder : model_folders()) {
        for (const auto& name : names) {
            fs::path file = folder / (name + ".safetensors");
            std::error_code absent;
            if (fs::is_regular_file(file, absent)) return file;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<fs::path> model_folders() {
    std::vector<fs::path> folders;
    if (const char* named = std::getenv("NEUROPRIM_MODELS")) folders.emplace_back(named);
    if (const fs::path folder = folder_of_this_code(); folder.is_absolute()) folders.push_back(folder / "models");
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    if (!unknown) {
        const fs::path folder = program.parent_path();
        folders.push_back(folder / "models");
        folders.push_back(folder.parent_path() / "models");
        folders.push_back(folder.parent_path() / "share/neuroprim/models");
    }
    return folders;
}

std::optional<fs::path> find_model(std::string_view problem) {
    return first_of({std::string(problem)});
}

std::optional<fs::path> find_model(const Problem& problem) {
    std::vector<std::string> names;
    if (limits_degrees(problem) && !asks_for_a_path(problem)) names.emplace_back("dcmst-3");
    for (const auto& [suffix, above] : suited_to_size) {
        if (problem.size() > above) names.push_back(std::string(problem.name()) + suffix);
    }
    names.emplace_back(problem.name());
    return first_of(names);
}

}  // namespace neuroprim
