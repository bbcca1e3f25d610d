#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "neuroprim/instance.hpp"
#include "neuroprim/solution.hpp"

namespace neuroprim::cli {

/// A file of JSON lines, one for each solved instance, that a later run goes on with. Each line is the solution's
/// object, after `input` (where the instance came from) and `options` (what decided the answer); `interrupted` marks
/// answers that a signal cut short. Several processes may share one file: lines are written whole, under a lock.
class ResultsFile {
public:
    /// Opens the file, or makes it. What a killed run left of its last line is cut off. Throws InputError when the
    /// file cannot be written or holds something else than results.
    ResultsFile(const std::string& path, nlohmann::json options);
    ~ResultsFile();
    ResultsFile(const ResultsFile&) = delete;
    ResultsFile& operator=(const ResultsFile&) = delete;

    /// Whether the file had a line, not interrupted, for this input and the same options when it was opened.
    [[nodiscard]] bool has(const std::string& input) const;

    /// Lines that were neither whole nor usable: the last one, or others that later lines follow.
    [[nodiscard]] std::size_t damaged_lines() const { return damaged_; }

    /// Adds a line, which is in the file when this returns. One thread at a time. Throws std::runtime_error when the
    /// disk is full, and leaves no part of the line: to go on solving would be in vain.
    void append(const std::string& input, const Instance& instance, const Solution& solution, bool interrupted);

private:
    void load();
    [[nodiscard]] bool take(const std::string& line);
    void write(std::string_view text) const;

    std::string path_;
    nlohmann::json options_;
    std::set<std::string> done_;
    std::size_t damaged_ = 0;
    int file_ = -1;
};

}  // namespace neuroprim::cli
