#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats/text/csv_scanner.hpp"
#include "formats/text/input_file.hpp"

namespace neuroprim::experiments {

/// Walks through a CSV file with a header and gives the cells of some of its columns. Every failure is an InputError
/// that names file and line: a column that is missing, a row of another width, a cell that is no number.
class RecordFile {
public:
    RecordFile(const std::filesystem::path& path, const std::vector<std::string>& columns);

    /// Goes on to the next row; false at the end.
    bool next();

    /// The cell of the column that stands at `column` in the list; good till the next row.
    [[nodiscard]] std::string_view text(std::size_t column) const;
    [[nodiscard]] double number(std::size_t column) const;

private:
    [[nodiscard]] const formats::Token& cell(std::size_t column) const;

    std::string bytes_;
    formats::TextFile file_;
    formats::CsvScanner csv_;
    std::size_t width_ = 0;
    std::vector<std::size_t> places_;  // of the wanted columns in a row
};

}  // namespace neuroprim::experiments
