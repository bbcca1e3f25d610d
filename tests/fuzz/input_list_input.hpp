#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats/read/input_list.hpp"
#include "promise.hpp"

namespace neuroprim::fuzz {

/// A folder with what folders may hold: files, folders in it and an empty one, links to each of them, to the folder
/// itself and to nothing. Goes away with the program.
class FolderOfInputs {
public:
    FolderOfInputs()
        : path_(std::filesystem::temp_directory_path() / ("neuroprim-fuzz-" + std::to_string(::getpid()))) {
        namespace fs = std::filesystem;
        fs::create_directories(path_ / "a/b");
        fs::create_directories(path_ / "empty");
        for (const char* file : {"one", "a/two", "a/b/three", "a/b/a name"}) std::ofstream(path_ / file) << file;
        fs::create_symlink("one", path_ / "link");
        fs::create_directory_symlink("a", path_ / "other");
        fs::create_directory_symlink("..", path_ / "a/up");
        fs::create_symlink("nothing", path_ / "broken");
        fs::create_symlink("round", path_ / "round");
    }
    ~FolderOfInputs() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    FolderOfInputs(const FolderOfInputs&) = delete;
    FolderOfInputs& operator=(const FolderOfInputs&) = delete;

    [[nodiscard]] std::string file(std::string_view name) const { return path_.string() + '/' + std::string(name); }

private:
    std::filesystem::path path_;
};

/// `text` is a list of names in a folder, a line each. The first is the file that is left out, if it is not empty.
/// Names come from a command line, which holds no zeros.
inline void run_on_input_list(std::string_view text) {
    static const FolderOfInputs folder;
    if (text.find('\0') != std::string_view::npos) return;
    if (text.find("..") != std::string_view::npos) return;  // what is outside of the folder is not ours to read
    std::vector<std::string> named;
    for (std::size_t begin = 0; begin <= text.size() && named.size() < 8;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view name = text.substr(begin, end - begin);
        named.push_back(name == "-" ? std::string(name) : folder.file(name));
        begin = end + 1;
    }
    const std::string except = text.empty() || text.front() == '\n' ? "" : named.front();
    named.erase(named.begin());
    const auto inputs = formats::list_inputs(named, except);
    require(inputs.size() >= named.size(), "what is named is listed, and no folder is empty");
    for (const auto& input : inputs) {
        std::error_code absent;
        const bool is_file = std::filesystem::is_regular_file(input.path, absent);
        require(!input.in_folder || is_file, "what is found in a folder is a file");
        if (!input.in_folder || except.empty()) continue;
        require(!std::filesystem::equivalent(input.path, except, absent), "the file that is left out is left out");
    }
}

}  // namespace neuroprim::fuzz
