#include "cli/trainer.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "neuroprim/error.hpp"

namespace neuroprim::cli {

namespace {

constexpr const char* program = "neuroprim-train";

/// Where the trainer may be: beside this program, then in the folder for helpers of the installation; at last,
/// without a folder, on the PATH.
std::vector<std::string> trainer_candidates() {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return {program};
    const auto folder = self.parent_path();
    return {folder / program, folder.parent_path() / "libexec" / "neuroprim" / program, program};
}

/// Tries `start(path, argv)`, which returns an error number, with every candidate till one is there.
template <class Start>
void start_trainer(const std::string& command, const std::vector<std::string>& arguments, Start&& start) {
    std::vector<std::string> words = {program, command};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    for (const auto& path : trainer_candidates()) {
        const int error = start(path.c_str(), argv.data());
        if (error == 0) return;
        if (error != ENOENT && error != ENOTDIR) {
            throw InputError(path, 0, fmt::format("cannot be started: {}", std::generic_category().message(error)));
        }
    }
    throw InputError(
        fmt::format("{0} is not installed: \"neuroprim {1}\" needs it. Build it with -DNEUROPRIM_BUILD_TRAIN=ON "
                    "(LibTorch), and put it beside neuroprim or on the PATH",
                    program, command));
}

}  // namespace

void become_trainer(const std::string& command, const std::vector<std::string>& arguments) {
    start_trainer(command, arguments, [](const char* path, char** argv) {
        ::execvp(path, argv);
        return errno;
    });
    std::abort();  // no start returned without an error
}

int run_trainer(const std::string& command, const std::vector<std::string>& arguments) {
    pid_t child = 0;
    start_trainer(command, arguments, [&](const char* path, char** argv) {
        return posix_spawnp(&child, path, nullptr, nullptr, argv, environ);
    });
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace neuroprim::cli
