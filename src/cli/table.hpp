#pragma once

#include <string>
#include <vector>

namespace neuroprim::cli {

/// Rows of text in columns that line up: the first to the left, numbers to the right.
class Table {
public:
    explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace neuroprim::cli
