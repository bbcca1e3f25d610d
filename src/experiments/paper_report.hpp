#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/literature.hpp"
#include "experiments/measurement.hpp"

namespace neuroprim::experiments {

/// A line of a Markdown table.
[[nodiscard]] std::string markdown_row(std::span<const std::string> cells);

/// The line that follows a header: the first column to the left, the others to the right.
[[nodiscard]] std::string markdown_rule(std::size_t columns);

/// Seconds as people write them: 0.012, 3.4, 251.
[[nodiscard]] std::string readable_seconds(double seconds);

/// `-0.00` is written as `0.00`.
[[nodiscard]] std::string readable_percent(double percent);

/// One table of the paper as Markdown, a line at a time, so that a long run shows what it has.
class PaperReport {
public:
    PaperReport(const LiteratureTable& table, std::vector<std::string> methods);

    /// Title and header.
    [[nodiscard]] std::string beginning() const;

    /// The line of one instance; methods that were not measured leave their cells empty.
    [[nodiscard]] std::string row(std::span<const Measurement> measurements) const;

    /// The line of means; says over how many instances where a method was not measured on all.
    [[nodiscard]] std::string means(std::span<const Measurement> measurements) const;

private:
    [[nodiscard]] std::string heading(const std::string& method) const;

    const LiteratureTable& table_;
    std::vector<std::string> methods_;
};

}  // namespace neuroprim::experiments
