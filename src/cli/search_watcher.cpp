#include "cli/search_watcher.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "cli/options.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/optimality.hpp"

namespace neuroprim::cli {

namespace {

constexpr double seconds_between_lines = 0.1;

std::string gap_text(double cost, std::optional<double> bound) {
    const auto gap = gap_percent(cost, bound);
    return gap ? fmt::format("{:.4f}", *gap) : "";
}

}  // namespace

struct SearchWatcher::Log {
    std::string path;
    std::ofstream stream;
};

SearchWatcher::SearchWatcher(std::string instance, const std::string& log_file, bool visible)
    : instance_(std::move(instance)), visible_(visible && isatty(STDERR_FILENO) == 1) {
    if (log_file.empty()) return;
    log_ = std::make_unique<Log>(Log{log_file, std::ofstream(log_file)});
    if (!log_->stream) throw InputError(log_file, 0, fmt::format("cannot be written: {}", std::strerror(errno)));
    log_->stream << "seconds,iterations,cost,bound,gap_percent,found_by\n";
}

SearchWatcher::~SearchWatcher() {
    if (visible_ && last_shown_ >= 0) fmt::print(stderr, "\r\033[K");
}

void SearchWatcher::operator()(const SearchState& state, std::string_view found_by) {
    write_row(state.seconds, state.iterations, state.cost, state.bound, found_by);
    if (!visible_ || state.seconds < last_shown_ + seconds_between_lines) return;
    last_shown_ = state.seconds;
    const std::string bound = state.bound ? fmt::format("  bound {}", readable(*state.bound)) : "";
    const std::string gap = gap_text(state.cost, state.bound);
    fmt::print(stderr, "\r\033[K{}  {:.1f} s  cost {}{}{}  {}", instance_, state.seconds, readable(state.cost), bound,
               gap.empty() ? "" : fmt::format("  gap {} %", gap), found_by);
    std::fflush(stderr);
}

void SearchWatcher::finish(const Solution& solution) {
    write_row(solution.seconds, solution.iterations, solution.cost, solution.bound, solution.found_by);
    if (!log_) return;
    log_->stream.flush();
    if (!log_->stream) throw InputError(log_->path, 0, "cannot be written: the disk may be full");
}

void SearchWatcher::write_row(double seconds, std::int64_t iterations, double cost, std::optional<double> bound,
                              std::string_view found_by) {
    if (!log_) return;
    log_->stream << fmt::format("{:.4f},{},{:.10g},{},{},{}\n", seconds, iterations, cost,
                                bound ? fmt::format("{:.10g}", *bound) : "", gap_text(cost, bound), found_by);
}

}  // namespace neuroprim::cli
