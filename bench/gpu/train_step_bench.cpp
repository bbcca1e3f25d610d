#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "train/captured_work.hpp"
#include "train/differentiate.hpp"
#include "train/distributed.hpp"
#include "train/encoder.hpp"
#include "train/fused.hpp"
#include "train/instances.hpp"
#include "train/optimiser.hpp"
#include "train/policy_module.hpp"
#include "train/replay.hpp"
#include "train/rollout.hpp"
#include "train/side_work.hpp"

/// Times whole updates of the trainer (random graphs, encoder, rollout, replay, backward, clipping, Adam) and their
/// parts on one GPU.
namespace neuroprim::train {

namespace {

struct Scenario {
    std::string name;
    std::string problem;
    int degree = 0;
    std::int64_t n = 50;
    std::int64_t graphs = 10;
    std::int64_t per_graph = 51;
    int updates = 100;
    int d_e = 16;
    bool told = false;  // the specification
    int hops = 0;
    int diameter = 0;
    int capacity = 0;
    int length = 0;  // percent
};

/// Warps for each tree in whole updates, to compare layouts: NEUROPRIM_BENCH_WARPS, or 0, which lets the kernel
/// choose.
int warps_of_updates() {
    const char* given = std::getenv("NEUROPRIM_BENCH_WARPS");
    return given == nullptr ? 0 : std::atoi(given);
}

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Milliseconds of device work between two marks on the current stream.
class Stopwatch {
public:
    Stopwatch() {
        C10_CUDA_CHECK(cudaEventCreate(&event_));
        C10_CUDA_CHECK(cudaEventRecord(event_, c10::cuda::getCurrentCUDAStream()));
    }
    ~Stopwatch() { cudaEventDestroy(event_); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    /// Both must have passed.
    [[nodiscard]] double until(const Stopwatch& later) const {
        float milliseconds = 0;
        C10_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, event_, later.event_));
        return static_cast<double>(milliseconds);
    }

private:
    cudaEvent_t event_ = nullptr;
};

Tables detached(const Tables& tables) {
    Tables result;
    result.graph = tables.graph.detach();
    result.edges = tables.edges.detach();
    for (const auto& layer : tables.layers) result.layers.push_back({layer.keys.detach(), layer.values.detach()});
    result.action_keys = tables.action_keys.detach();
    return result;
}

/// One update on tensors that stay where they are.
class Step {
public:
    explicit Step(const Scenario& scenario)
        : scenario_(scenario),
          rules_(make_rules(scenario.problem, options_of(scenario))),
          group_(Place{}, true),
          policy_(make_policy(scenario)),
          parts_(parts_of(*policy_)),
          parameters_(policy_->parameters()),
          first_(at::zeros_like(parameters_.values)),
          second_(at::zeros_like(parameters_.values)) {
        const auto cuda = at::TensorOptions().device(at::kCUDA);
        starts_ = at::empty({count()}, cuda.dtype(at::kLong));
        seed_ = at::zeros({1}, cuda.dtype(at::kLong));
        factors_ = at::zeros({3}, cuda);
        costs_ = at::zeros({count()}, cuda);
        draw();
    }

    [[nodiscard]] std::int64_t count() const { return scenario_.graphs * scenario_.per_graph; }

    /// New numbers for the next update.
    void draw() {
        InstanceOptions instances;
        instances.n_min = instances.n_max = scenario_.n;
        const BatchPart part{1, number_, 0, scenario_.graphs};
        const Graphs drawn = draw_graphs(instances, rules_, part);
        const auto starts = draw_starts(drawn, rules_, scenario_.per_graph, false, part);
        ++number_;
        const auto power = static_cast<double>(number_);
        const auto factors =
            at::tensor({1e-4, 1 - std::pow(0.9, power), 1 - std::pow(0.999, power)}, at::kFloat).pin_memory();
        send(graphs_.points, drawn.points);
        send(graphs_.terminals, drawn.terminals);
        send(graphs_.demands, drawn.demands);
        send(graphs_.prizes, drawn.prizes);
        send(graphs_.groups, drawn.groups);
        send(graphs_.roots, drawn.roots);
        send(graphs_.length_limits, drawn.length_limits);
        starts_.copy_(starts.pin_memory(), true);
        seed_.fill_(static_cast<std::int64_t>(number_));
        factors_.copy_(factors, true);
    }

    [[nodiscard]] Tables encoded(const std::shared_ptr<SideWork>& side = nullptr) {
        return encode(parts_, graphs_, group_, rules_, side);
    }

    [[nodiscard]] Trajectories grown(const Tables& tables, StepRecord* record = nullptr, int warps = 0,
                                     int warp_groups = 0) {
        fused::DeviceChoice choice;
        choice.seed = seed_;
        choice.warps = warps;
        choice.warp_groups = warp_groups;
        return fused::roll_out(parts_, detached(tables), graphs_, rules_, starts_, choice, record);
    }

    [[nodiscard]] WeightedSum loss(const Tables& tables, const Trajectories& trees, const StepRecord& record) {
        const auto by_graph = trees.costs.view({scenario_.graphs, scenario_.per_graph});
        const auto advantage = (by_graph - by_graph.mean(1, true)).flatten();
        const StepResources resources = fused::step_resources(trees, graphs_, rules_, scenario_.told);
        const Likelihood likelihood = fused::log_probabilities(parts_, tables, trees, false, resources, record);
        return {likelihood.log_probabilities, advantage / static_cast<double>(count())};
    }

    void move() {
        parameters_.collect_gradients();
        norm_ = fused::adam_update(parameters_.values, parameters_.gradients, first_, second_, factors_, 1.0);
    }

    void update() {
        parameters_.forget_gradients();
        const auto side = side_work_for(count() * (scenario_.n - 1));
        const Tables tables = encoded(side);
        StepRecord record;
        const Trajectories trees = grown(tables, &record, warps_of_updates());
        loss(tables, trees, record).backward();
        join(side);
        move();
        costs_.copy_(trees.costs);
    }

    /// Milliseconds of the parts, in the order of an update; medians.
    struct Parts {
        double encode, roll_out, replay, backward, adam;
    };
    [[nodiscard]] Parts parts(int repeats) {
        std::vector<double> times[5];
        for (int k = 0; k < repeats; ++k) {
            draw();
            parameters_.forget_gradients();
            const Stopwatch begin;
            const Tables tables = encoded();
            const Stopwatch with_tables;
            StepRecord record;
            const Trajectories trees = grown(tables, &record);
            const Stopwatch with_trees;
            const auto value = loss(tables, trees, record);
            const Stopwatch with_loss;
            value.backward();
            const Stopwatch with_gradients;
            move();
            const Stopwatch end;
            torch::cuda::synchronize();
            times[0].push_back(begin.until(with_tables));
            times[1].push_back(with_tables.until(with_trees));
            times[2].push_back(with_trees.until(with_loss));
            times[3].push_back(with_loss.until(with_gradients));
            times[4].push_back(with_gradients.until(end));
        }
        for (auto& some : times) std::sort(some.begin(), some.end());
        const auto median = [&](int p) { return times[p][times[p].size() / 2]; };
        return {median(0), median(1), median(2), median(3), median(4)};
    }

    [[nodiscard]] double mean_cost() const { return costs_.mean().item<double>(); }
    [[nodiscard]] bool is_finite() const {
        return parameters_.values.isfinite().all().item<bool>() && norm_.isfinite().all().item<bool>();
    }

    /// Open edges that the policy looks at, per trajectory and pass.
    [[nodiscard]] double visits() {
        const Trajectories trees = grown(encoded());
        double total = 0;
        for (std::int32_t t = 0; t + 1 < scenario_.n; ++t) {
            const auto rows = ((trees.enter <= t) & (trees.close > t)).sum(1);
            const auto columns = (trees.enter > t).sum(1);
            total += (rows * columns * (trees.lengths > t)).sum().item<double>();
        }
        return total / static_cast<double>(count());
    }

private:
    /// Tensors stay where they are once they are there.
    static void send(at::Tensor& to, const at::Tensor& from) {
        if (!from.defined()) return;
        if (!to.defined()) to = at::empty_like(from, at::kCUDA);
        to.copy_(from.pin_memory(), true);
    }

    static ProblemOptions options_of(const Scenario& scenario) {
        ProblemOptions options;
        if (scenario.degree > 0) options.degree = scenario.degree;
        if (scenario.hops > 0) options.hops = scenario.hops;
        if (scenario.diameter > 0) options.diameter = scenario.diameter;
        if (scenario.capacity > 0) options.capacity = scenario.capacity;
        if (scenario.length > 0) options.length = scenario.length;
        return options;
    }

    static PolicyModule make_policy(const Scenario& scenario) {
        torch::manual_seed(1);
        PolicyConfig config;
        config.d_e = scenario.d_e;
        if (scenario.told) config.features = {"specification"};
        PolicyModule policy(config);
        policy->to(at::kCUDA);
        policy->train();
        return policy;
    }

    Scenario scenario_;
    Rules rules_;
    ProcessGroup group_;
    PolicyModule policy_;
    PolicyParts parts_;
    FlatParameters parameters_;
    at::Tensor first_, second_, norm_, costs_;
    Graphs graphs_;
    at::Tensor starts_, seed_, factors_;
    std::uint64_t number_ = 0;
};

double peak_gigabytes() {
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(0);
    return static_cast<double>(stats.reserved_bytes[0].peak) / 1e9;
}

void forget_memory() {
    c10::cuda::CUDACachingAllocator::emptyCache();
    c10::cuda::CUDACachingAllocator::resetPeakStats(0);
}

double time_updates(Step& step, int updates, const std::function<void()>& update) {
    for (int k = 0; k < 5; ++k) {
        step.draw();
        update();
    }
    torch::cuda::synchronize();
    const auto begin = Clock::now();
    for (int k = 0; k < updates; ++k) {
        step.draw();
        update();
    }
    torch::cuda::synchronize();
    return milliseconds_since(begin) / updates;
}

bool run(const Scenario& scenario) {
    forget_memory();
    Step step(scenario);
    const double eager = time_updates(step, std::max(5, scenario.updates / 2), [&] { step.update(); });
    const double before = step.mean_cost();
    const double eager_memory = peak_gigabytes();
    const Step::Parts parts = step.parts(10);
    const double visits = step.visits();
    std::optional<double> captured;
    std::string trouble;
    forget_memory();
    try {
        CapturedWork work([&] { step.update(); });
        captured = time_updates(step, scenario.updates, [&] { work.run(); });
    } catch (const std::exception& error) {
        trouble = error.what();
    }
    const double best = std::min(eager, captured.value_or(eager));
    fmt::print(
        "{:<22} {:>6} {:>9.3f} {:>9.3f} {:>8.2f} | {:>7.3f} {:>8.3f} {:>7.3f} {:>8.3f} {:>6.3f} | {:>6.0f} "
        "{:>5.1f} {:>5.1f} | {:.3f} {:.3f}\n",
        scenario.name, step.count(), eager, captured.value_or(-1), 1e3 * best / static_cast<double>(step.count()),
        parts.encode, parts.roll_out, parts.replay, parts.backward, parts.adam, visits, eager_memory,
        peak_gigabytes(), before, step.mean_cost());
    std::fflush(stdout);
    if (!trouble.empty()) fmt::print("  not captured: {:.300}\n", trouble);
    const bool fine = trouble.empty() && step.is_finite();
    if (!step.is_finite()) fmt::print("  parameters are not finite\n");
    return fine;
}

void sweep(const Scenario& scenario) {
    forget_memory();
    Step step(scenario);
    const Tables tables = detached(step.encoded());
    fmt::print("rollout of {}, ms by warps × warp groups:", scenario.name);
    for (const auto& [warps, warp_groups] :
         {std::pair{1, 1}, {1, 2}, {1, 4}, {1, 8}, {2, 1}, {2, 2}, {2, 4}, {4, 1}, {4, 2}, {4, 4}, {8, 1}, {8, 2}}) {
        std::vector<double> times;
        for (int k = 0; k < 5; ++k) {
            const Stopwatch begin;
            const auto trees = step.grown(tables, nullptr, warps, warp_groups);
            const Stopwatch end;
            torch::cuda::synchronize();
            times.push_back(begin.until(end));
        }
        std::sort(times.begin(), times.end());
        fmt::print(" {}×{} {:.3f}", warps, warp_groups, times[times.size() / 2]);
    }
    fmt::print("\n");
    std::fflush(stdout);
}

int all() {
    const std::vector<Scenario> scenarios = {
        {"path, 512", "dcmst", 2, 50, 10, 51, 200},
        {"MRCST, 512", "mrcst", 0, 50, 10, 51, 200},
        {"Steiner, 512", "stp", 0, 50, 10, 51, 200},
        {"degree 3, 512", "dcmst", 3, 50, 10, 51, 100},
        {"path, 16384", "dcmst", 2, 50, 328, 50, 20},
        {"MRCST, 16384", "mrcst", 0, 50, 328, 50, 10},
        {"Steiner, 16384", "stp", 0, 50, 328, 50, 10},
        {"MRCST n=100, 8192", "mrcst", 0, 100, 82, 100, 5},
        {"path d_e=32, 16384", "dcmst", 2, 50, 328, 50, 10, 32},
        {"MRCST told", "mrcst", 0, 50, 328, 50, 10, 16, true},
        {"hops 4 told", "hmst", 0, 50, 328, 50, 10, 16, true, 4},
        {"capacity 8", "cmst", 0, 50, 328, 50, 10, 16, false, 0, 0, 8},
        {"capacity 8 told", "cmst", 0, 50, 328, 50, 10, 16, true, 0, 0, 8},
        {"length 120 % told", "lmst", 0, 50, 328, 50, 10, 16, true, 0, 0, 0, 120},
        {"diameter 8 told", "bdmst", 0, 50, 328, 50, 10, 16, true, 0, 8},
        {"prizes told", "pcst", 0, 50, 328, 50, 10, 16, true},
        {"groups told", "gmst", 0, 50, 328, 50, 10, 16, true},
        {"capacity told d_e=32", "cmst", 0, 100, 41, 50, 5, 32, true, 0, 0, 8},
        {"path told, 2048", "dcmst", 2, 60, 64, 32, 20, 32, true},
        {"MRCST told, 2048", "mrcst", 0, 60, 64, 32, 20, 32, true},
        {"hops 4 told, 2048", "hmst", 0, 60, 64, 32, 20, 32, true, 4},
    };
    bool fine = true;
    fmt::print("whole updates; parts are timed one launch after another\n");
    fmt::print("{:<22} {:>6} {:>9} {:>9} {:>8} | {:>7} {:>8} {:>7} {:>8} {:>6} | {:>6} {:>5} {:>5} | cost\n", "",
               "trees", "eager ms", "graph ms", "us/tree", "encode", "rollout", "replay", "backward", "adam",
               "visits", "GB", "GB");
    for (const Scenario& scenario : scenarios) {
        try {
            fine = run(scenario) && fine;
        } catch (const std::exception& error) {
            fmt::print("{}: {:.400}\n", scenario.name, error.what());
            fine = false;
        }
    }
    for (const std::size_t k : {0, 1, 2, 4, 5, 18, 19, 20}) sweep(scenarios[k]);
    return fine ? 0 : 1;
}

/// One update and nothing else, for a profiler.
int profile(const std::string& problem, std::int64_t graphs, int d_e) {
    Scenario scenario{problem, problem == "path" ? "dcmst" : problem, problem == "path" ? 2 : 0, 50, graphs, 50, 1};
    scenario.d_e = d_e;
    scenario.told = problem == "cmst" || problem == "hmst" || problem == "bdmst";
    if (problem == "cmst") scenario.capacity = 8;
    if (problem == "hmst") scenario.hops = 4;
    if (problem == "bdmst") scenario.diameter = 8;
    Step step(scenario);
    step.draw();
    step.update();
    torch::cuda::synchronize();
    return 0;
}

}  // namespace

}  // namespace neuroprim::train

int main(int count, char** arguments) {
    if (!torch::cuda::is_available()) {
        fmt::print(stderr, "train_step_bench: no CUDA device\n");
        return 1;
    }
    const auto awake = at::zeros({1}, at::kCUDA);  // the allocator keeps no account before the first allocation
    if (count == 5 && std::string(arguments[1]) == "--profile") {
        return neuroprim::train::profile(arguments[2], std::atoll(arguments[3]), std::atoi(arguments[4]));
    }
    if (count == 2 && std::string(arguments[1]) == "--tf32") at::globalContext().setAllowTF32CuBLAS(true);
    return neuroprim::train::all();
}
