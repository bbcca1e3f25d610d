#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::cli {

namespace {

constexpr const char* program = "neuroprim-train";

/// Where the trainer may be: beside this program, then in the folder for helpers of the installation.
std::vector<std::filesystem::path> candidates() {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return {};
    const auto folder = self.parent_path();
    return {folder / program, folder.parent_path() / "libexec" / "neuroprim" / program};
}

/// Becomes the trainer, which links LibTorch and so is a program of its own; returns only when there is none.
int become_trainer(const std::string& command, const std::vector<std::string>& arguments) {
    std::vector<std::string> words = {program, command};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    for (const auto& path : candidates()) {
        ::execv(path.c_str(), argv.data());
        if (errno != ENOENT && errno != ENOTDIR) {
            throw InputError(path.string(), 0,
                             fmt::format("cannot be started: {}", std::generic_category().message(errno)));
        }
    }
    ::execvp(program, argv.data());
    throw InputError(
        fmt::format("{0} is not installed: \"neuroprim {1}\" needs it. Build it with -DNEUROPRIM_BUILD_TRAIN=ON "
                    "(LibTorch), and put it beside neuroprim or on the PATH",
                    program, command));
}

Command add_passed_on(CLI::App& root, const std::string& name, const std::string& description) {
    CLI::App* app = root.add_subcommand(name, description);
    app->prefix_command();
    app->set_help_flag();  // the trainer answers --help itself
    app->footer(fmt::format("All options are passed on: see neuroprim {} --help.", name));
    return {app, [app, name] { return become_trainer(name, app->remaining()); }};
}

}  // namespace

Command add_train(CLI::App& root) {
    return add_passed_on(root, "train", "Train a policy on random instances (runs neuroprim-train)");
}

Command add_export(CLI::App& root) {
    return add_passed_on(root, "export", "Turn a checkpoint into a policy file (runs neuroprim-train)");
}

}  // namespace neuroprim::cli
