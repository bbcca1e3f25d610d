#include <fmt/format.h>

#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/parameter_flags.hpp"
#include "neuroprim/formats.hpp"

// Completions are printed from the options that the command really has, so they cannot fall behind.
namespace neuroprim::cli {

namespace {

std::vector<const CLI::App*> visible_commands(const CLI::App& root) {
    std::vector<const CLI::App*> result;
    for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) result.push_back(command);
    }
    return result;
}

/// A command's options, and those of the commands inside it.
std::set<std::string> option_names(const CLI::App& app) {
    std::set<std::string> result;
    for (const CLI::Option* option : app.get_options()) {
        for (const auto& name : option->get_snames()) result.insert("-" + name);
        for (const auto& name : option->get_lnames()) result.insert("--" + name);
    }
    for (const CLI::App* inner : visible_commands(app)) result.merge(option_names(*inner));
    return result;
}

std::vector<std::string> inner_names(const CLI::App& app) {
    std::vector<std::string> result;
    for (const CLI::App* inner : visible_commands(app)) result.push_back(inner->get_name());
    return result;
}

std::string words(const std::vector<std::string>& list) {
    return fmt::format("{}", fmt::join(list, " "));
}

/// The options whose value is one of a few words.
std::vector<std::pair<std::string, std::string>> value_choices() {
    std::vector<std::pair<std::string, std::string>> result = {{"--format", words(names_of(input_formats()))},
                                                               {"--to", words(names_of(instance_formats()))},
                                                               {"--shape", "uniform clustered grid matrix sparse"}};
    for (const Parameter& parameter : parameters()) {
        const auto choices = choices_of(parameter);
        if (!choices.empty()) result.emplace_back(spelled(parameter.name, Spelling::flag), words(choices));
    }
    return result;
}

std::string bash_script(const CLI::App& root) {
    std::string commands;
    std::string options_by_command;
    for (const CLI::App* command : visible_commands(root)) {
        commands += command->get_name() + " ";
        options_by_command +=
            fmt::format("        {}) options=\"{}\" inner=\"{}\" ;;\n", command->get_name(),
                        fmt::join(option_names(*command), " "), fmt::join(inner_names(*command), " "));
    }
    std::string values;
    for (const auto& [option, choices] : value_choices()) {
        values +=
            fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$current\")); return ;;\n", option, choices);
    }
    return fmt::format(R"(# bash completion for neuroprim
_neuroprim() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" options="" inner=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{}--help --version" -- "$current"))
        return
    fi
    case "$previous" in
{}    esac
    case "${{COMP_WORDS[1]}}" in
{}    esac
    if [ "$COMP_CWORD" -eq 2 ] && [ -n "$inner" ]; then
        COMPREPLY=($(compgen -W "$inner --help" -- "$current"))
    elif [[ "$current" == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    else
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -o filenames -F _neuroprim neuroprim
)",
                       commands, values, options_by_command);
}

std::string zsh_script(const CLI::App& root) {
    return "#compdef neuroprim\nautoload -U +X bashcompinit && bashcompinit\n" + bash_script(root);
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "\\'" : std::string(1, c);
    return result + "'";
}

/// The lines for one command, offered where `when` holds, its options and the commands inside it.
std::string fish_lines(const CLI::App& command, const std::string& when) {
    std::string script = fmt::format("complete -c neuroprim -n {} -a {} -d {}\n", when, command.get_name(),
                                     quoted(command.get_description()));
    const std::string seen = fmt::format("'__fish_seen_subcommand_from {}'", command.get_name());
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_lnames().empty()) continue;
        std::string line = fmt::format("complete -c neuroprim -n {} -l {}", seen, option->get_lnames().front());
        for (const auto& name : option->get_snames()) line += " -s " + name;
        for (const auto& [name, values] : value_choices()) {
            if (name == "--" + option->get_lnames().front()) line += fmt::format(" -x -a {}", quoted(values));
        }
        script += line + " -d " + quoted(option->get_description()) + "\n";
    }
    for (const CLI::App* inner : visible_commands(command)) script += fish_lines(*inner, seen);
    return script;
}

std::string fish_script(const CLI::App& root) {
    std::string script = "# fish completion for neuroprim\n";
    for (const CLI::App* command : visible_commands(root)) script += fish_lines(*command, "__fish_use_subcommand");
    return script;
}

}  // namespace

Command add_completion(CLI::App& root) {
    auto shell = std::make_shared<std::string>();
    CLI::App* app = root.add_subcommand("completion", "Print a completion script for bash, zsh or fish");
    app->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
    app->footer("Example:\n  source <(neuroprim completion bash)");
    return {app, [shell, &root] {
                fmt::print("{}", *shell == "bash"  ? bash_script(root)
                                 : *shell == "zsh" ? zsh_script(root)
                                                   : fish_script(root));
                return exit_solved;
            }};
}

}  // namespace neuroprim::cli
