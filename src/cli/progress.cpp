#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "graph/parallel.hpp"

namespace neuroprim::cli {

namespace {

std::string clock_text(double seconds) {
    const auto whole = static_cast<long>(std::lround(seconds));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

std::string progress_line(std::size_t done, std::size_t total, double seconds) {
    constexpr std::size_t width = 24;
    const std::size_t full = total == 0 ? width : std::min(width, width * done / total);
    std::string line = fmt::format("[{}{}] {}/{}  {}", std::string(full, '='), std::string(width - full, ' '), done,
                                   total, clock_text(seconds));
    if (done > 0 && done < total) {
        const double each = seconds / static_cast<double>(done);
        line += fmt::format(", {} left", clock_text(each * static_cast<double>(total - done)));
    }
    return line;
}

Progress::Progress(std::size_t total, bool quiet)
    : total_(total), began_(std::chrono::steady_clock::now()), visible_(!quiet && isatty(STDERR_FILENO) == 1) {
    if (!visible_) return;
    // Without a thread the line is renewed when an item is finished.
    renewing_ = start_thread([this](const std::stop_token& stop) { renew(stop); });
}

Progress::~Progress() {
    end();
}

void Progress::expect(std::ptrdiff_t more) {
    const std::lock_guard lock(mutex_);
    total_ += static_cast<std::size_t>(more);
}

void Progress::finish_one() {
    const std::lock_guard lock(mutex_);
    ++done_;
    draw();
}

void Progress::end() {
    {
        const std::lock_guard lock(mutex_);
        wipe();
        visible_ = false;
    }
    renewing_.request_stop();
}

void Progress::wipe() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
    drawn_ = false;
}

void Progress::draw() {
    if (!visible_ || total_ < 2) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
    fmt::print(stderr, "\r\033[K{}", progress_line(done_, total_, elapsed.count()));
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::renew(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); })) draw();
}

}  // namespace neuroprim::cli
