#include "cli/solve_report.hpp"

#include <fmt/format.h>

#include "cli/options.hpp"

namespace neuroprim::cli {

namespace {

std::string gap_text(const Solution& solution) {
    const auto gap = solution.gap_percent();
    return gap ? fmt::format("{:.2f} %", *gap) : "";
}

}  // namespace

std::string one_line(const Solution& solution) {
    const std::string name = solution.specification.empty()
                                 ? solution.problem
                                 : fmt::format("{} ({})", solution.problem, solution.specification);
    std::string text =
        fmt::format("{}: {}, n = {}, cost {}", solution.instance, name, solution.n, readable(solution.cost));
    if (solution.bound) text += fmt::format(", bound {}", readable(*solution.bound));
    if (solution.gap_percent()) text += fmt::format(", gap {}", gap_text(solution));
    if (solution.crossings) {
        text += fmt::format(", {} crossing{}", *solution.crossings, *solution.crossings == 1 ? "" : "s");
    }
    const std::string& how = solution.found_by.empty() ? solution.method : solution.found_by;
    text += fmt::format(", {}, {:.3f} s", how, solution.seconds);
    if (const auto& all = solution.statistics) {
        text += fmt::format(" (mean of {} trees {} ± {:.2g})", all->trees, readable(all->mean), all->deviation);
    }
    return text;
}

std::string missed_target(const SolveOptions& options, const Solution& solution) {
    if (!options.target_gap) return "";
    const auto gap = solution.gap_percent();
    if (gap && *gap <= *options.target_gap * (1 + 1e-9)) return "";
    const bool counts = options.max_iterations || options.no_improvement;
    if (counts && !(options.time_limit && solution.seconds >= *options.time_limit)) return "";
    return fmt::format(
        "the search ended after {:.3g} s (time limit {:g} s) without reaching the target gap of {:g} %: {}",
        solution.seconds, options.time_limit.value_or(usual_time_limit), *options.target_gap,
        gap ? fmt::format("the gap is {}", gap_text(solution)) : "there is no bound");
}

std::vector<std::string> solution_columns() {
    return {"instance", "problem", "n", "cost", "bound", "gap", "method", "seconds"};
}

std::vector<std::string> solution_row(const Solution& solution) {
    return {solution.instance,
            solution.problem,
            std::to_string(solution.n),
            readable(solution.cost),
            solution.bound ? readable(*solution.bound) : "",
            gap_text(solution),
            solution.method,
            fmt::format("{:.3f}", solution.seconds)};
}

}  // namespace neuroprim::cli
