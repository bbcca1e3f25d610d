#include "cli/command_line.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace neuroprim::testing {

namespace fs = std::filesystem;

StartedCommand::StartedCommand(const std::vector<std::string>& arguments, const std::string& input,
                               const std::string& program) {
    std::vector<std::string> words = {program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    start(std::move(words), input);
}

StartedCommand::StartedCommand(const Script& script) {
    start({"/bin/sh", "-c", "neuroprim() { '" NEUROPRIM_COMMAND "' \"$@\"; }\n" + script.text}, "");
}

void StartedCommand::start(std::vector<std::string> words, const std::string& input) {
    const std::string in = scratch_.file("in", input);
    const std::string out = scratch_ / "out";
    const std::string err = scratch_ / "err";

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);

    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int failed = posix_spawn(&id_, argv.front(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot start " + words.front());
}

void StartedCommand::signal(int number) const {
    ::kill(id_, number);
}

std::string StartedCommand::output() const {
    return content_of(scratch_ / "out");
}

Outcome StartedCommand::wait() const {
    int status = 0;
    waitpid(id_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content_of(scratch_ / "out"),
            content_of(scratch_ / "err")};
}

Outcome neuroprim_command(const std::vector<std::string>& arguments, const std::string& input,
                          const std::string& program) {
    return StartedCommand(arguments, input, program).wait();
}

Outcome shell(const std::string& script) {
    return StartedCommand(Script{script}).wait();
}

ScratchFolder::ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "neuroprim-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a scratch folder");
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string ScratchFolder::file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace neuroprim::testing
