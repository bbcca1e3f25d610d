#include <fmt/format.h>

#include "cli/command.hpp"

// The manual page is printed from the options that the command really has, so it cannot fall behind.
namespace neuroprim::cli {

namespace {

/// roff reads a leading point or apostrophe as a request and a lone hyphen as typography.
std::string escaped(const std::string& text) {
    std::string result;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
        line_start = c == '\n';
    }
    return result;
}

std::string option_line(const CLI::Option& option) {
    std::string names;
    for (const auto& name : option.get_snames()) names += fmt::format("{}-{}", names.empty() ? "" : ", ", name);
    for (const auto& name : option.get_lnames()) names += fmt::format("{}--{}", names.empty() ? "" : ", ", name);
    if (names.empty())
        names = option.get_type_name().empty() ? option.get_name() : option.get_type_name();
    else if (option.get_items_expected_max() > 0)
        names += " " + option.get_type_name();
    return fmt::format(".TP\n.B {}\n{}\n", escaped(names), escaped(option.get_description()));
}

std::string section(const CLI::App& command, const std::string& parent = "neuroprim") {
    const std::string name = parent + " " + command.get_name();
    std::string text = fmt::format(".SS {}\n{}.\n", name, escaped(command.get_description()));
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_group().empty() && option->get_name() != "--help") text += option_line(*option);
    }
    if (!command.get_footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(command.get_footer()));
    for (const CLI::App* inner : command.get_subcommands({})) text += section(*inner, name);
    return text;
}

std::string manual(const CLI::App& root) {
    std::string text = fmt::format(
        ".TH NEUROPRIM 1 \"\" \"neuroprim {}\" \"User Commands\"\n"
        ".SH NAME\nneuroprim \\- good trees under constraints\n"
        ".SH SYNOPSIS\n.B neuroprim\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
        ".SH DESCRIPTION\n{}\n.PP\n.nf\n{}\n.fi\n"
        ".SH COMMANDS\n",
        NEUROPRIM_VERSION, escaped(root.get_description()), escaped(root.get_footer()));
    for (const CLI::App* command : root.get_subcommands([](const CLI::App*) { return true; })) {
        if (!command->get_group().empty()) text += section(*command);
    }
    return text +
           ".SH EXIT STATUS\n.TP\n.B 0\nSolved, or the checked tree is valid.\n"
           ".TP\n.B 1\nNo feasible tree was found, or the checked tree is not valid.\n"
           ".TP\n.B 2\nWrong use or bad input; the message names the file, the line and what was expected.\n";
}

}  // namespace

Command add_manpage(CLI::App& root) {
    CLI::App* app = root.add_subcommand("manpage", "Print the manual page")->group("");
    return {app, [&root] {
                fmt::print("{}", manual(root));
                return exit_solved;
            }};
}

}  // namespace neuroprim::cli
