#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/command.hpp"
#include "cli/complaint.hpp"
#include "formats/write/standard_output.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/parameters.hpp"

namespace {

using namespace neuroprim;
using namespace neuroprim::cli;

/// CLI11 names all that it did not expect; a flag that has another name now is worth a better answer.
std::string complaint_about(const CLI::ParseError& error, int argc, char** argv) {
    for (int k = 1; k < argc; ++k) {
        const std::string_view word = argv[k];
        if (!word.starts_with("--")) continue;
        std::string name(word.substr(2, word.find('=') - 2));
        std::replace(name.begin(), name.end(), '-', '_');
        const std::string_view now = renamed(name);
        const bool is_unknown = std::string_view(error.what()).find(word) != std::string_view::npos;
        if (!now.empty() && is_unknown) {
            return fmt::format("{} is called {} now", word.substr(0, word.find('=')), spelled(now, Spelling::flag));
        }
    }
    return error.what();
}

int run(int argc, char** argv) {
    CLI::App root("Good trees under constraints: degree limits, routing cost, terminals, hops.", "neuroprim");
    root.set_version_flag("--version", "neuroprim " NEUROPRIM_VERSION);
    root.require_subcommand(1);
    root.footer(
        "Examples:\n"
        "  neuroprim generate --n 50 --seed 1 -o points.csv\n"
        "  neuroprim solve points.csv --problem dcmst --degree 3 -o tree.svg -o tree.json\n"
        "  neuroprim check points.csv tree.json --problem dcmst --degree 3\n"
        "\n"
        "Exit codes: 0 solved, 1 no feasible tree, 2 wrong use, bad input, or output that cannot be written.\n"
        "Each command has its own --help.");

    std::vector<Command> commands;
    for (const auto add :
         {add_solve, add_explain, add_check, add_generate, add_convert, add_plot, add_info, add_problems, add_serve,
          add_train, add_export, add_decode, add_model, add_curves, add_bench, add_completion, add_manpage}) {
        commands.push_back(add(root));
    }
    try {
        root.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            std::ostringstream help;
            const int exit_code = root.exit(error, help, help);
            fmt::print("{}", help.str());
            return exit_code;
        }
        const auto used = root.get_subcommands();
        const std::string help =
            used.empty() ? "neuroprim --help" : fmt::format("neuroprim {} --help", used[0]->get_name());
        throw InputError(fmt::format("{}\nTry '{}'.", complaint_about(error, argc, argv), help));
    }
    for (const auto& command : commands) {
        if (command.app->parsed()) return command.run();
    }
    return exit_bad_input;
}

}  // namespace

int main(int argc, char** argv) {
    formats::hold_standard_descriptors();
    complain_when_out_of_memory();
    try {
        const int exit_code = run(argc, argv);
        formats::flush_standard_output();
        return exit_code;
    } catch (const Infeasible& error) {
        complain(error.what());
        return exit_infeasible;
    } catch (const Interrupted& error) {
        complain(error.what());
        return exit_infeasible;
    } catch (const std::bad_alloc&) {
        complain("not enough memory for this input");
    } catch (const std::system_error& error) {
        complain(std::ferror(stdout) == 0 ? error.what() : fmt::format("standard output: {}", error.what()));
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return exit_bad_input;
}
