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
    std::string text = fmt::format("{}: {}, n = {}, cost {}", solution.instance, solution.problem, solution.n,
                                   readable(solution.cost));
    if (solution.bound) text += fmt::format(", bound {}", readable(*solution.bound));
    if (solution.gap_percent()) text += fmt::format(", gap {}", gap_text(solution));
    const std::string& how = solution.found_by.empty() ? solution.method : solution.found_by;
    text += fmt::format(", {}, {:.3f} s", how, solution.seconds);
    if (const auto& all = solution.statistics) {
        text += fmt::format(" (mean of {} trees {} ± {:.2g})", all->trees, readable(all->mean), all->deviation);
    }
    return text;
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
