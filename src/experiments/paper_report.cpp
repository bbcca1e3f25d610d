#include "experiments/paper_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/paper_experiment.hpp"

namespace neuroprim::experiments {

namespace {

std::string readable_cost(double cost) {
    return cost == std::floor(cost) || cost >= 1e5 ? fmt::format("{:.0f}", cost) : fmt::format("{:.6g}", cost);
}

std::string measured_cell(const Measurement& m) {
    std::string text = fmt::format("{} ({} %, {} s", readable_cost(m.cost), readable_percent(m.gap_percent),
                                   readable_seconds(m.seconds));
    if (m.statistics) {
        text += fmt::format("; {} ± {:.3g}", readable_cost(m.statistics->mean), m.statistics->deviation);
    }
    return text + ")";
}

}  // namespace

std::string markdown_row(std::span<const std::string> cells) {
    return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string markdown_rule(std::size_t columns) {
    std::string line = "|---|";
    for (std::size_t k = 1; k < columns; ++k) line += "---:|";
    return line + "\n";
}

std::string readable_seconds(double seconds) {
    return seconds < 1 ? fmt::format("{:.3f}", seconds) : fmt::format("{:.1f}", seconds);
}

std::string readable_percent(double percent) {
    const std::string text = fmt::format("{:.2f}", percent);
    return text == "-0.00" ? "0.00" : text;
}

PaperReport::PaperReport(const LiteratureTable& table, std::vector<std::string> methods)
    : table_(table), methods_(std::move(methods)) {}

std::string PaperReport::heading(const std::string& name) const {
    if (name == method::baseline) return std::string(table_.baseline);
    if (name == method::paper_greedy) return "paper (g)";
    if (name == method::paper_sample) return "paper (s)";
    if (name == method::sample) return "sample (mean ± deviation)";
    return name;
}

std::string PaperReport::beginning() const {
    std::vector<std::string> cells = {"instance", "n", "best known"};
    for (const auto& name : methods_) cells.push_back(heading(name));
    return fmt::format("## {}\n\n{}{}", table_.title, markdown_row(cells), markdown_rule(cells.size()));
}

std::string PaperReport::row(std::span<const Measurement> measurements) const {
    const Measurement& any = measurements.front();
    std::vector<std::string> cells = {any.instance, fmt::format("{}", any.n), readable_cost(any.best_known)};
    for (const auto& name : methods_) {
        const auto found = std::find_if(measurements.begin(), measurements.end(),
                                        [&](const Measurement& m) { return m.method == name; });
        cells.push_back(found == measurements.end() ? "" : measured_cell(*found));
    }
    return markdown_row(cells);
}

std::string PaperReport::means(std::span<const Measurement> measurements) const {
    const std::vector<MethodMean> all = method_means(measurements);
    std::size_t most = 0;
    for (const auto& mean : all) most = std::max(most, mean.instances);
    std::vector<std::string> cells = {fmt::format("mean of {}", most), "", ""};
    for (const auto& name : methods_) {
        const auto mean =
            std::find_if(all.begin(), all.end(), [&](const MethodMean& other) { return other.method == name; });
        if (mean == all.end()) {
            cells.emplace_back();
            continue;
        }
        const std::string part = mean->instances == most ? "" : fmt::format(" over {}", mean->instances);
        cells.push_back(fmt::format("**{} %**{}, {} s", readable_percent(mean->gap_percent), part,
                                    readable_seconds(mean->seconds)));
    }
    return markdown_row(cells);
}

}  // namespace neuroprim::experiments
