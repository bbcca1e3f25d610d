#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "neuroprim/solve.hpp"
#include "neuroprim/stopping.hpp"

namespace neuroprim::cli {

/// Shows how a search gets on: one line on standard error that renews itself (on a terminal only), and every step as
/// a row of a CSV file when one is named.
class SearchWatcher {
public:
    /// Throws InputError when the file cannot be written.
    SearchWatcher(std::string instance, const std::string& log_file, bool visible);
    ~SearchWatcher();
    SearchWatcher(const SearchWatcher&) = delete;
    SearchWatcher& operator=(const SearchWatcher&) = delete;

    void operator()(const SearchState& state, std::string_view found_by);

    /// The last row; wipes the line.
    void finish(const Solution& solution);

private:
    void write_row(double seconds, std::int64_t iterations, double cost, std::optional<double> bound,
                   std::string_view found_by);

    std::string instance_;
    bool visible_;
    double last_shown_ = -1;
    struct Log;
    std::unique_ptr<Log> log_;
};

}  // namespace neuroprim::cli
