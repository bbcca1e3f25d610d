#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/table.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::cli {

namespace {

template <class Entries>
nlohmann::ordered_json listed(const Entries& entries) {
    auto result = nlohmann::ordered_json::array();
    for (const auto& entry : entries) result.push_back({{"name", entry.name}, {"title", entry.title}});
    return result;
}

template <class Entries>
std::string table_of(const std::string& heading, const Entries& entries) {
    Table table({heading, ""});
    for (const auto& entry : entries) table.add({std::string(entry.name), std::string(entry.title)});
    return table.text();
}

int print_problems(const CommonOptions& common) {
    if (common.quiet) return exit_solved;
    if (common.json) {
        auto problems = nlohmann::ordered_json::array();
        for (const auto& kind : problem_kinds()) {
            problems.push_back({{"name", kind.name}, {"title", kind.title}, {"options", kind.options}});
        }
        const nlohmann::ordered_json report = {{"problems", problems},
                                               {"methods", listed(solve_methods())},
                                               {"input_formats", listed(input_formats())},
                                               {"tree_formats", listed(tree_formats())},
                                               {"instance_formats", listed(instance_formats())}};
        fmt::print("{}\n", report.dump(2));
        return exit_solved;
    }
    Table problems({"problem", "", "needs"});
    for (const auto& kind : problem_kinds()) {
        problems.add({std::string(kind.name), std::string(kind.title), std::string(kind.options)});
    }
    fmt::print("{}\n{}\n{}\n{}\n{}", problems.text(), table_of("method", solve_methods()),
               table_of("reads", input_formats()), table_of("writes trees", tree_formats()),
               table_of("writes instances", instance_formats()));
    return exit_solved;
}

}  // namespace

Command add_problems(CLI::App& root) {
    auto common = std::make_shared<CommonOptions>();
    CLI::App* app = root.add_subcommand("problems", "List the problems, methods and formats there are");
    common->add_to(*app);
    app->footer("Example:\n  neuroprim problems --json");
    return {app, [common] { return print_problems(*common); }};
}

}  // namespace neuroprim::cli
