#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim::experiments {

/// A table of the paper: a set of literature instances, the problem solved on them, the heuristic beside it.
struct LiteratureTable {
    std::string_view name;        ///< also the problem's name
    std::string_view title;       ///< for people
    ProblemOptions options;       ///< of the problem
    std::string_view set;         ///< as best_known.csv calls it
    std::string_view parameters;  ///< as best_known.csv tells them
    std::string_view format;      ///< of the files
    std::string_view baseline;    ///< the classical method that the paper compares with
    std::string_view published;   ///< the file with the paper's own results

    /// The file of an instance inside the data folder, with `#k` for the k-th of a file.
    std::string (*file)(const std::string& instance);
};

/// dcmst, mrcst, stp, in the paper's order.
[[nodiscard]] std::span<const LiteratureTable> literature_tables();

/// One instance of a table and the best value that the literature knows for it.
struct LiteratureCase {
    std::string instance;
    std::string file;  ///< as `read_instances` takes it
    double best_known = 0;
};

/// The table's instances in the order of `folder`/best_known.csv. Throws InputError when that file is missing or
/// broken, when it has no line for the table, or when the file of an instance is missing.
[[nodiscard]] std::vector<LiteratureCase> literature_cases(const LiteratureTable& table,
                                                           const std::filesystem::path& folder);

[[nodiscard]] Instance read_case(const LiteratureTable& table, const LiteratureCase& item);

}  // namespace neuroprim::experiments
