#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace neuroprim::testing {

struct Outcome {
    int exit_code = -1;
    std::string out;
    std::string err;
};

/// Runs the built `neuroprim` with these arguments (no shell in between) and waits for it.
[[nodiscard]] Outcome neuroprim_command(const std::vector<std::string>& arguments, const std::string& input = "");

/// A new empty folder that is removed with its contents.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Writes a file and returns its path.
    [[nodiscard]] std::string file(const std::string& name, const std::string& content) const;

private:
    std::filesystem::path path_;
};

/// The folder of the examples, with a slash at its end.
inline const std::string examples = NEUROPRIM_SOURCE_DIR "/examples/";

[[nodiscard]] std::string content_of(const std::string& path);

}  // namespace neuroprim::testing
