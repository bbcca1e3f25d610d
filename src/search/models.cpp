#include "neuroprim/models.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "problems/kinds.hpp"
#include "search/windows/large_graphs.hpp"

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

/// Presets that the shared model serves (`beyond_shared_model`), whether they have a dedicated one or not.
constexpr std::array<std::string_view, 10> shared_presets = {"dcmst", "mrcst", "stp",  "hmst", "cmst",
                                                             "bdmst", "lmst",  "pcst", "gmst", shared_model};

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

/// Dedicated policies see points and their straight distances, not the weights. Under metrics that differ from those
/// the shared policy, which sees the weights, is better up to the sizes of its training.
bool suits_dedicated_policies(const Problem& problem) {
    const Weights& weights = problem.weights();
    if (weights.form() != Weights::Form::points) return false;
    constexpr std::array bent = {Metric::manhattan, Metric::maximum, Metric::man_2d, Metric::max_2d};
    return problem.size() > most_trained || std::find(bent.begin(), bent.end(), weights.metric()) == bent.end();
}

/// Of the policies that may serve a problem of so many vertices, the best first.
std::vector<std::string> names_for(const Problem& problem, Vertex size) {
    std::vector<std::string> names;
    const bool is_shared = !beyond_shared_model(problem);
    if (is_shared && !suits_dedicated_policies(problem)) names.emplace_back(shared_model);
    if (limits_degrees(problem) && !asks_for_a_path(problem)) names.emplace_back("dcmst-3");
    if (size > most_trained) names.push_back(std::string(problem.name()) + "-large");
    names.emplace_back(problem.name());
    if (problem.name() == shared_model) std::erase(names, shared_model);  // only for what it was trained for
    if (is_shared) names.emplace_back(shared_model);
    return names;
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

std::optional<std::string> beyond_shared_model(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    if (!problem.is_plain()) return "it has a rule or a cost as code";
    if (spec.objective != Objective::length && spec.objective != Objective::routing_cost) {
        return "its cost is neither the tree's length nor the routing cost";
    }
    if (!spec.included_edges.empty() || !spec.excluded_edges.empty()) return "it names edges";
    const auto differs = [&](int limit) { return limit < 2 || limit != spec.degrees.front(); };
    if (std::any_of(spec.degrees.begin(), spec.degrees.end(), differs)) return "its degree limits differ or are 1";
    if (spec.objective == Objective::length && spec.coverage == Coverage::all && spec.has_only({})) {
        return "it limits nothing";
    }
    return std::nullopt;
}

std::optional<fs::path> find_model(std::string_view problem) {
    std::vector<std::string> names = {std::string(problem)};
    if (std::find(shared_presets.begin(), shared_presets.end(), problem) != shared_presets.end()) {
        names.emplace_back(shared_model);
    }
    return first_of(names);
}

std::optional<fs::path> find_model(const Problem& problem) {
    return find_model(problem, problem.size());
}

std::optional<fs::path> find_model(const Problem& problem, Vertex size) {
    return first_of(names_for(problem, size));
}

fs::path model_file(const std::string& name) {
    fs::path file(name);
    std::error_code unknown;
    if (file.has_parent_path() || fs::exists(file, unknown)) return file;
    return find_model(name).value_or(file);
}

std::optional<fs::path> find_large_model(const Problem& problem) {
    auto found = find_model(problem);
    if (found && !found->stem().string().ends_with("-large")) found.reset();
    return found;
}

std::optional<fs::path> find_end_model(const Problem& problem) {
    if (!suits_dedicated_policies(problem)) return std::nullopt;
    const std::string wanted = std::string(problem.name()) + "-end";
    std::vector<std::string> names = names_for(problem, problem.size());
    names.insert(names.begin(), wanted);
    const auto found = first_of(names);
    return found && found->stem() == wanted ? found : std::nullopt;
}

}  // namespace neuroprim
