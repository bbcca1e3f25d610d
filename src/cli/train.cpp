#include <fmt/format.h>

#include <string>

#include "cli/command.hpp"
#include "cli/trainer.hpp"

namespace neuroprim::cli {

namespace {

Command add_passed_on(CLI::App& root, const std::string& name, const std::string& description) {
    CLI::App* app = root.add_subcommand(name, description);
    app->prefix_command();
    app->set_help_flag();  // the trainer answers --help itself
    app->footer(fmt::format("All options are passed on: see neuroprim {} --help.", name));
    return {app, [app, name]() -> int { become_trainer(name, app->remaining()); }};
}

}  // namespace

Command add_train(CLI::App& root) {
    return add_passed_on(root, "train", "Train a policy on random instances (runs neuroprim-train)");
}

Command add_export(CLI::App& root) {
    return add_passed_on(root, "export", "Turn a checkpoint into a policy file (runs neuroprim-train)");
}

Command add_decode(CLI::App& root) {
    return add_passed_on(root, "decode",
                         "The policy's trees of many instances at once, on a GPU (runs neuroprim-train)");
}

}  // namespace neuroprim::cli
