#include "cli/table.hpp"

#include <algorithm>

namespace neuroprim::cli {

namespace {

/// Characters on the screen: UTF-8 continuation bytes take no place of their own.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool looks_numeric(const std::string& text) {
    return !text.empty() && text.find_first_not_of("+-.0123456789e% ∞–") == std::string::npos;
}

}  // namespace

std::string Table::text() const {
    std::vector<std::size_t> widths(header_.size(), 0);
    std::vector<bool> right(header_.size(), true);
    for (std::size_t k = 0; k < header_.size(); ++k) {
        widths[k] = width(header_[k]);
        for (const auto& row : rows_) {
            widths[k] = std::max(widths[k], width(row[k]));
            if (!row[k].empty() && !looks_numeric(row[k])) right[k] = false;
        }
    }
    std::string result;
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (k > 0) text += "  ";
            const std::string space(widths[k] - width(cells[k]), ' ');
            text += right[k] ? space + cells[k] : cells[k] + space;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        result += text + '\n';
    };
    line(header_);
    for (const auto& row : rows_) line(row);
    return result;
}

}  // namespace neuroprim::cli
