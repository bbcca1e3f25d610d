#include "formats/read/input_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

namespace fs = std::filesystem;

std::vector<Input> files_in(const std::string& folder, const std::string& except) {
    std::vector<fs::path> paths;
    try {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            std::error_code absent;
            if (!entry.is_regular_file(absent)) continue;
            if (!except.empty() && fs::equivalent(entry.path(), except, absent)) continue;
            paths.push_back(entry.path().lexically_normal());
        }
    } catch (const fs::filesystem_error& error) {
        throw InputError(error.path1().string(), 0, fmt::format("cannot read: {}", error.code().message()));
    }
    if (paths.empty()) throw InputError(folder, 0, "there are no files in this folder");
    std::sort(paths.begin(), paths.end());
    std::vector<Input> result;
    result.reserve(paths.size());
    for (const auto& path : paths) result.push_back({path.string(), true});
    return result;
}

}  // namespace

std::vector<Input> list_inputs(const std::vector<std::string>& named, const std::string& except) {
    std::vector<Input> result;
    for (const auto& path : named) {
        std::error_code absent;
        if (path != "-" && fs::is_directory(path, absent)) {
            const std::vector<Input> files = files_in(path, except);
            result.insert(result.end(), files.begin(), files.end());
        } else {
            result.push_back({path, false});
        }
    }
    return result;
}

}  // namespace neuroprim::formats
