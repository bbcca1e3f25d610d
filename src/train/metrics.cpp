#include "train/metrics.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "neuroprim/error.hpp"
#include "train/checkpoint.hpp"

namespace neuroprim::train {

namespace {

/// The lines up to `step`, without a last one that a crash cut short.
std::string lines_up_to(const std::filesystem::path& path, std::int64_t step) {
    std::ifstream in(path);
    std::string kept;
    for (std::string line; std::getline(in, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object() || json.value("step", step + 1) > step) break;
        kept += line + "\n";
    }
    return kept;
}

}  // namespace

std::string to_json(const Metrics& metrics) {
    nlohmann::ordered_json json;
    json["step"] = metrics.step;
    json["trajectories"] = metrics.trajectories;
    json["seconds"] = std::round(metrics.seconds * 1000) / 1000;
    json["cost"] = metrics.cost;
    json["entropy"] = metrics.entropy;
    json["gradient_norm"] = metrics.gradient_norm;
    json["learning_rate"] = metrics.learning_rate;
    json["trajectories_per_second"] = std::round(metrics.trajectories_per_second * 10) / 10;
    if (metrics.dead_ends > 0) json["dead_ends"] = metrics.dead_ends;
    if (metrics.validation_cost) json["validation_cost"] = *metrics.validation_cost;
    for (const auto& [kind, cost] : metrics.validation_costs) json["validation_costs"][kind] = cost;
    return json.dump();
}

MetricsWriter::MetricsWriter(const std::filesystem::path& folder, std::int64_t resumed_step, bool tensorboard)
    : path_(folder / "metrics.jsonl") {
    write_durably(path_, resumed_step > 0 ? lines_up_to(path_, resumed_step) : "");
    out_.open(path_, std::ios::app);
    if (!out_) throw InputError(path_.string(), 0, fmt::format("cannot be written: {}", std::strerror(errno)));
    if (tensorboard) events_.emplace(folder);
}

void MetricsWriter::write(const Metrics& metrics) {
    out_ << to_json(metrics) << '\n' << std::flush;
    if (!out_) throw InputError(path_.string(), 0, fmt::format("cannot be written: {}", std::strerror(errno)));
    if (!events_) return;
    events_->add("cost", metrics.step, metrics.cost);
    events_->add("entropy", metrics.step, metrics.entropy);
    events_->add("gradient_norm", metrics.step, metrics.gradient_norm);
    events_->add("learning_rate", metrics.step, metrics.learning_rate);
    events_->add("trajectories_per_second", metrics.step, metrics.trajectories_per_second);
    if (metrics.validation_cost) events_->add("validation_cost", metrics.step, *metrics.validation_cost);
}

std::string readable_duration(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

ProgressBar::ProgressBar(std::int64_t total, bool quiet)
    : total_(total), visible_(!quiet && isatty(STDERR_FILENO) == 1), begin_(Clock::now()) {}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::show(std::int64_t done, const std::string& note) {
    if (!visible_) return;
    const auto now = Clock::now();
    if (first_ < 0) {
        first_ = done;
        begin_ = now;
    }
    if (drawn_ && now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    constexpr int width = 24;
    const auto filled = static_cast<std::size_t>(width * done / std::max<std::int64_t>(1, total_));
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    const std::string left =
        done > first_
            ? readable_duration(elapsed / static_cast<double>(done - first_) * static_cast<double>(total_ - done))
            : "?";
    fmt::print(stderr, "\r\033[K[{}{}] {}/{}  {} left  {}", std::string(filled, '#'),
               std::string(static_cast<std::size_t>(width) - std::min<std::size_t>(width, filled), '.'), done, total_,
               left, note);
    std::fflush(stderr);
    drawn_ = true;
}

void ProgressBar::clear() {
    if (!visible_ || !drawn_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace neuroprim::train
