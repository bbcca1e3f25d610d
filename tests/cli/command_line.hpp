#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace neuroprim::testing {

struct Outcome {
    int exit_code = -1;
    std::string out;
    std::string err;
};

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

/// For a shell, in which `neuroprim` is the built command.
struct Script {
    std::string text;
};

/// The built `neuroprim`, or a copy of it, at work with these arguments (no shell in between), or a shell that calls
/// it.
class StartedCommand {
public:
    explicit StartedCommand(const std::vector<std::string>& arguments, const std::string& input = "",
                            const std::string& program = NEUROPRIM_COMMAND);
    explicit StartedCommand(const Script& script);

    void signal(int number) const;

    /// What it has printed so far.
    [[nodiscard]] std::string output() const;

    /// Waits for its end. Call it once.
    [[nodiscard]] Outcome wait() const;

private:
    void start(std::vector<std::string> words, const std::string& input);

    ScratchFolder scratch_;  // files instead of pipes: a command that prints much cannot block
    pid_t id_ = 0;
};

/// Runs it and waits for it.
[[nodiscard]] Outcome neuroprim_command(const std::vector<std::string>& arguments, const std::string& input = "",
                                        const std::string& program = NEUROPRIM_COMMAND);

/// The same with a shell, for redirections and limits.
[[nodiscard]] Outcome shell(const std::string& script);

/// The folder of the examples, with a slash at its end.
inline const std::string examples = NEUROPRIM_SOURCE_DIR "/examples/";

[[nodiscard]] std::string content_of(const std::string& path);

}  // namespace neuroprim::testing
