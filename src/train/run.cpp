#include "train/run.hpp"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <torch/cuda.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "neuroprim/error.hpp"
#include "train/checkpoint.hpp"
#include "train/device.hpp"
#include "train/distributed.hpp"
#include "train/folder_lock.hpp"
#include "train/metrics.hpp"
#include "train/reinforce.hpp"
#include "train/stop_signal.hpp"

namespace neuroprim::train {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

void complain(const std::string& message) {
    fmt::print(stderr, "neuroprim-train: {}\n", message);
}

Configuration resolved(const Configuration& base, const std::vector<Setting>& settings) {
    Configuration configuration = base;
    for (const Setting& s : settings) set(configuration, s.name, s.value, s.source, s.line);
    check(configuration);
    return configuration;
}

/// Large tensors come and go with every operation. Giving their memory back to the system each time would cost a
/// quarter of the run in page faults.
void keep_freed_memory() {
    constexpr int never_by_mapping = 1 << 30;
    mallopt(M_MMAP_THRESHOLD, never_by_mapping);
    mallopt(M_TRIM_THRESHOLD, never_by_mapping);
}

/// OpenBLAS has threads of its own, which LibTorch's number does not reach.
void set_threads(int threads) {
    at::set_num_threads(threads);
    using Setter = void (*)(int);
    if (const auto set_blas = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
        set_blas(threads);
    }
}

int choose_threads(const Configuration& configuration) {
    if (configuration.threads > 0) return static_cast<int>(configuration.threads);
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// What a run's folder holds when the run begins or goes on.
struct Beginning {
    Configuration configuration;
    std::optional<Checkpoint> checkpoint;
};

Beginning begin(const TrainRequest& request) {
    Beginning result;
    const fs::path stored_path = request.folder / "config.json";
    const CheckpointFolder checkpoints(request.folder);
    if (!request.resume && !checkpoints.list().empty()) {
        throw InputError(request.folder.string(), 0,
                         "holds the checkpoints of a run: --resume goes on with it, another folder starts anew");
    }
    if (!request.resume || !fs::exists(stored_path)) {
        result.configuration = resolved({}, request.settings);
        return result;
    }
    const Configuration stored = resolved({}, read_settings(stored_path));
    result.configuration = resolved(stored, request.settings);
    result.checkpoint = checkpoints.latest([](const std::string& message) { complain(message); });
    if (result.checkpoint) check_resumable(stored, result.configuration, request.folder.string());
    return result;
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw InputError(folder.string(), 0, fmt::format("cannot be made: {}", error.message()));
}

void prepare_folder(const fs::path& folder, const Configuration& configuration) {
    CheckpointFolder(folder).sweep();
    write_durably(folder / "config.json", to_json(configuration));
}

/// One run from its beginning, or from where it stopped, to its end or the next stop.
class Run {
public:
    Run(const TrainRequest& request, Beginning beginning)
        : request_(request),
          configuration_(std::move(beginning.configuration)),
          place_(find_place()),
          device_(device_named(configuration_.device, place_.local_rank)),
          group_(place_, device_.is_cuda()),
          trainer_(configuration_, device_, group_),
          checkpoints_(request.folder),
          progress_(configuration_.updates, request.quiet || !group_.writes()) {
        if (beginning.checkpoint) {
            trainer_.restore(*beginning.checkpoint);
            seconds_before_ = beginning.checkpoint->seconds;
        }
        trainer_.align();
        if (!group_.writes()) return;
        make_folder(request.folder);
        lock_.emplace(request.folder);
        prepare_folder(request.folder, configuration_);
        metrics_.emplace(request.folder, trainer_.step(), configuration_.tensorboard);
        say(fmt::format("{} on {}{}, {} updates of {} graphs × {} trees{}",
                        configuration_.mix.empty() ? configuration_.problem : "a mix", device_.str(),
                        trainer_.is_fused() ? " (fused)" : "", configuration_.updates, configuration_.graphs,
                        configuration_.trajectories,
                        trainer_.step() > 0 ? fmt::format(", from update {}", trainer_.step()) : ""));
    }

    void go() {
        const StopSignal stop_signal;
        begin_ = Clock::now();
        last_line_ = begin_;
        bool stopped = false;
        while (!stopped && trainer_.step() < configuration_.updates) {
            trainer_.update();
            ++updates_in_line_;
            const std::int64_t step = trainer_.step();
            stopped = agreed(stop_signal.requested() || over_time());
            const bool last = stopped || step == configuration_.updates;
            const bool validates = configuration_.validate_every > 0 &&
                                   (step % configuration_.validate_every == 0 || step == configuration_.updates);
            if (step % configuration_.log_every == 0 || validates || last) log(validates);
            if (step % configuration_.checkpoint_every == 0 || last) save();
            if (metrics_) progress_.show(step, note_);
        }
        progress_.clear();
        if (group_.writes() && stopped) say(fmt::format("stopped and saved after update {}", trainer_.step()));
    }

private:
    [[nodiscard]] double seconds() const {
        return seconds_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
    }

    [[nodiscard]] bool over_time() const {
        return configuration_.time_limit > 0 &&
               std::chrono::duration<double>(Clock::now() - begin_).count() >= configuration_.time_limit;
    }

    /// All processes stop after the same update, whichever was told to.
    [[nodiscard]] bool agreed(bool wanted) const {
        if (group_.size() == 1) return wanted;
        auto votes = at::full({1}, wanted ? 1.0f : 0.0f, at::TensorOptions().dtype(at::kFloat).device(device_));
        group_.sum(votes);
        return votes.item<float>() > 0;
    }

    void log(bool validates) {
        const auto per_update = static_cast<double>(configuration_.graphs * configuration_.trajectories);
        Metrics metrics;
        metrics.step = trainer_.step();
        metrics.trajectories = trainer_.step() * configuration_.graphs * configuration_.trajectories;
        metrics.learning_rate = trainer_.learning_rate();
        const Trainer::Sums sums = trainer_.take_sums();
        const auto updates = static_cast<double>(updates_in_line_);
        metrics.cost = sums.cost / (updates * per_update);
        metrics.entropy = -sums.log_probability / sums.steps;
        metrics.gradient_norm = sums.gradient_norm / (updates * group_.size());
        if (!std::isfinite(metrics.cost) || !std::isfinite(metrics.entropy) ||
            !std::isfinite(metrics.gradient_norm)) {
            throw InputError(
                fmt::format("training went astray before update {}: cost {}, entropy {}, gradient {}. "
                            "The last checkpoint stays; try a smaller learning_rate",
                            metrics.step, metrics.cost, metrics.entropy, metrics.gradient_norm));
        }
        const auto now = Clock::now();
        metrics.seconds = seconds();
        metrics.trajectories_per_second = static_cast<double>(updates_in_line_) * per_update /
                                          std::max(1e-9, std::chrono::duration<double>(now - last_line_).count());
        metrics.dead_ends = sums.dead_ends / (updates * per_update);
        if (validates && group_.writes()) {
            const Trainer::Validation validation = trainer_.validate();
            metrics.validation_cost = validation.cost;
            if (validation.kinds.size() > 1) metrics.validation_costs = validation.kinds;
        }
        last_line_ = Clock::now();
        updates_in_line_ = 0;
        if (!metrics_) return;
        metrics_->write(metrics);
        note_ = fmt::format("cost {:.4f}  entropy {:.3f}  gradient {:.3g}  {:.0f} trees/s", metrics.cost,
                            metrics.entropy, metrics.gradient_norm, metrics.trajectories_per_second);
        if (!metrics.validation_cost) return;
        progress_.clear();
        say(fmt::format("{:>8}  {:>8}  validation {:.4f}  {}", metrics.step, readable_duration(metrics.seconds),
                        *metrics.validation_cost, note_));
    }

    void save() {
        if (!group_.writes() || trainer_.step() == saved_step_) return;
        Checkpoint checkpoint = trainer_.checkpoint();
        checkpoint.seconds = seconds();
        checkpoints_.save(checkpoint, configuration_.keep);
        saved_step_ = trainer_.step();
    }

    void say(const std::string& line) const {
        if (request_.quiet) return;
        fmt::print("{}\n", line);
        std::fflush(stdout);
    }

    const TrainRequest& request_;
    Configuration configuration_;
    Place place_;
    c10::Device device_;
    ProcessGroup group_;
    Trainer trainer_;
    std::optional<FolderLock> lock_;  // of process 0
    CheckpointFolder checkpoints_;
    std::optional<MetricsWriter> metrics_;
    ProgressBar progress_;
    std::string note_;
    double seconds_before_ = 0;
    std::int64_t saved_step_ = -1;
    std::int64_t updates_in_line_ = 0;
    Clock::time_point begin_;
    Clock::time_point last_line_;
};

}  // namespace

void train(const TrainRequest& request) {
    Beginning beginning = begin(request);
    keep_freed_memory();
    set_threads(choose_threads(beginning.configuration));
    Run(request, std::move(beginning)).go();
}

}  // namespace neuroprim::train
