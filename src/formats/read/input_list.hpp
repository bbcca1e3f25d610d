#pragma once

#include <string>
#include <vector>

namespace neuroprim::formats {

/// A file to read instances from; `-` is standard input.
struct Input {
    std::string path;
    bool in_folder = false;  ///< found in a folder, so that it may be something else than an instance
};

/// What was named, with every folder replaced by the files in it, its sub-folders included, in the order of their
/// paths; `except` (if any) is left out of folders. Throws InputError when a folder is empty or cannot be read.
[[nodiscard]] std::vector<Input> list_inputs(const std::vector<std::string>& named, const std::string& except);

}  // namespace neuroprim::formats
