// How fast the policy decodes, what a visited edge costs, and how far that is from what the machine can do.
// Usage: policy_bench [threads] [all | quick | large] [MODEL]
// quick leaves the works with more than 100 vertices out, large takes only that with the most edges; the weights are
// random ones of the paper's sizes, or those of a policy file.

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <thread>

#include "neuroprim/generate.hpp"
#include "neuroprim/policy.hpp"
#include "policy/kernels/kernels.hpp"

#ifdef NEUROPRIM_WITH_REFERENCE
#include "train/policy_module.hpp"
#endif

namespace {

using namespace neuroprim;

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Of all threads: on a busy machine it tells more than the clock on the wall.
double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Additions and multiplications per visited edge: scores, 2^x as a polynomial, sums, action score.
double operations_per_edge(const PolicyConfig& config) {
    const double attention = 2 * config.d_e - config.heads + 13 * config.heads + config.heads + 2 * config.d_e;
    return config.decoder_layers * attention + 2 * config.d_e - 1;
}

/// What the kernels load: a key and a value per layer, an action key, and the positions.
double bytes_per_edge(const PolicyConfig& config) {
    return 4.0 * (config.decoder_layers * (2 * config.d_e + 1) + config.d_e + 1);
}

/// Floating-point operations per second of all threads together, from independent fused multiply-adds.
double measured_peak(int threads) {
    double best = 0;
    for (int trial = 0; trial < 20; ++trial) {
        std::atomic<double> total{0};
        const double begin = seconds_now();
        std::vector<std::thread> workers;
        for (int k = 0; k < threads; ++k) {
            workers.emplace_back([&] {
                float sink[3] = {1, 0.999f, 0.001f};
                const double done = policy::chosen_kernels().burn(2'000'000, sink);
                double before = total.load();
                while (!total.compare_exchange_weak(before, before + done)) {
                }
            });
        }
        for (auto& worker : workers) worker.join();
        best = std::max(best, total / (seconds_now() - begin));
    }
    return best;
}

struct Work {
    const char* problem;
    int degree;
    Vertex n;
    std::size_t trajectories;
    DecodeMode mode;
    int repetitions;
    const char* goal;
};

struct Timing {
    double encode = 1e9;
    double decode = 1e9;
    double processor = 1e9;  // both, all threads together
    double edges = 0;
    double megabytes = 0;
};

struct Case {
    Instance instance;
    std::unique_ptr<Problem> problem;
    std::vector<Start> starts;

    explicit Case(const Work& work) {
        GenerateOptions options;
        options.n = work.n;
        instance = generate(options);
        ProblemOptions rules;
        if (work.degree > 0) rules.degree = work.degree;
        problem = make_problem(work.problem, instance, rules);
        const auto all = problem->starts();
        for (std::size_t k = 0; k < work.trajectories; ++k) starts.push_back({all[k % all.size()], k});
    }
};

/// The quickest of some repetitions: the machine may have other things to do.
Timing measure(const Policy& policy, const Work& work, int threads) {
    const Case each(work);
    Timing result;
    for (int k = 0; k < work.repetitions; ++k) {
        const double begin = seconds_now();
        const double processor = processor_seconds();
        const Encoded encoded(policy, *each.problem, {.symmetry = 0, .threads = threads});
        const double middle = seconds_now();
        DecodeOptions options;
        options.mode = work.mode;
        options.threads = threads;
        options.log_probabilities = work.mode == DecodeMode::sample;
        const auto rollouts = decode(encoded, *each.problem, each.starts, options);
        const double end = seconds_now();
        result.encode = std::min(result.encode, middle - begin);
        result.decode = std::min(result.decode, end - middle);
        result.processor = std::min(result.processor, processor_seconds() - processor);
        result.edges = 0;
        for (const auto& rollout : rollouts) result.edges += static_cast<double>(rollout.edges_visited);
        result.megabytes = static_cast<double>(encoded.bytes()) / 1e6;
    }
    return result;
}

std::string title(const Work& work) {
    return fmt::format("{}{} n={} {} {}", work.problem, work.degree > 0 ? fmt::format(" d={}", work.degree) : "",
                       work.n, work.trajectories, work.mode == DecodeMode::greedy ? "greedy" : "sampled");
}

void print_table(const Policy& policy, int threads, const std::string& which, double peak) {
    const auto greedy = DecodeMode::greedy;
    const std::vector<Work> works = {
        {"mrcst", 0, 100, 100, greedy, 20, "0.08"}, {"dcmst", 2, 100, 100, greedy, 50, "0.005"},
        {"mrcst", 0, 250, 250, greedy, 2, "3"},     {"dcmst", 2, 1000, 10, greedy, 5, "0.5 with encoder"},
        {"mrcst", 0, 1000, 10, greedy, 1, "8"},     {"mrcst", 0, 100, 2000, DecodeMode::sample, 2, "2.5"},
    };
    const double operations = operations_per_edge(policy.config());
    fmt::print("\n{:<28}{:>10}{:>10}{:>9}{:>9}  {:<17}{:>10}{:>9}{:>8}{:>8}{:>8}\n", "work", "encode s", "decode s",
               "total s", "proc. s", "goal s", "M edges", "ns/edge", "GFLOP/s", "% peak", "GB/s");
    for (const Work& work : works) {
        if (which == "quick" && work.n > 100) continue;
        if (which == "large" && std::string(work.goal) != "8") continue;
        const Timing t = measure(policy, work, threads);
        fmt::print("{:<28}{:>10.4f}{:>10.4f}{:>9.4f}{:>9.4f}  {:<17}{:>10.1f}{:>9.2f}{:>8.1f}{:>8.1f}{:>8.1f}\n",
                   title(work), t.encode, t.decode, t.encode + t.decode, t.processor, work.goal, t.edges * 1e-6,
                   t.decode * threads / t.edges * 1e9, operations * t.edges / t.decode * 1e-9,
                   100 * operations * t.edges / t.decode / peak,
                   bytes_per_edge(policy.config()) * t.edges / t.decode * 1e-9);
    }
    fmt::print("largest memory so far: {:.0f} MB\n", peak_megabytes());
}

void print_growth(const Policy& policy, int threads) {
    fmt::print("\ngrowth with n, one trajectory per thread, time ~ n^k:\n");
    for (const auto& [problem, degree] : {std::pair{"mrcst", 0}, std::pair{"dcmst", 2}}) {
        double before = 0;
        for (const Vertex n : {50, 100, 200, 400}) {
            const Work work{problem, degree, n, static_cast<std::size_t>(threads), DecodeMode::greedy, 10, ""};
            const Timing t = measure(policy, work, threads);
            fmt::print("  {:<8} n={:<5} encode {:.5f} s, decode {:.5f} s", problem, n, t.encode, t.decode);
            if (before > 0) fmt::print(", k = {:.2f}", std::log2(t.decode / before));
            fmt::print("\n");
            before = t.decode;
        }
    }
}

#ifdef NEUROPRIM_WITH_REFERENCE
void print_ratio(const Policy& policy, int threads) {
    torch::set_num_threads(threads);
    train::PolicyModule module(policy.config());
    train::copy_weights(policy, module);
    fmt::print("\nagainst the plain LibTorch reference in the same run, encoder included, {} threads:\n", threads);
    for (const Work& work : {Work{"mrcst", 0, 100, 100, DecodeMode::greedy, 10, ""},
                             Work{"dcmst", 2, 100, 100, DecodeMode::greedy, 10, ""}}) {
        const Case each(work);
        const Timing fast = measure(policy, work, threads);
        const double begin = seconds_now();
        (void)train::decode_greedily(module, *each.problem, each.starts);
        const double plain = seconds_now() - begin;
        fmt::print("  {:<28} reference {:.2f} s, engine {:.4f} s: {:.0f} times\n", title(work), plain,
                   fast.encode + fast.decode, plain / (fast.encode + fast.decode));
    }
}
#endif

}  // namespace

int main(int count, char** words) {
    const int threads =
        count > 1 ? std::max(1, std::atoi(words[1])) : static_cast<int>(std::thread::hardware_concurrency());
    const std::string which = count > 2 ? words[2] : "all";
    const Policy policy = count > 3 ? Policy::load(words[3]) : Policy::random({}, 1);
    const double peak = measured_peak(threads);
    fmt::print("{} threads, {} kernels, measured peak {:.0f} GFLOP/s\n", threads, policy.instruction_set(),
               peak * 1e-9);
    fmt::print("per visited edge: {:.0f} floating-point operations, {:.0f} bytes\n",
               operations_per_edge(policy.config()), bytes_per_edge(policy.config()));
    print_table(policy, threads, which, peak);
    if (which == "large") return 0;
    print_growth(policy, threads);
#ifdef NEUROPRIM_WITH_REFERENCE
    print_ratio(policy, threads);
#else
    fmt::print("\nbuilt without LibTorch: no comparison with the plain reference (-D NEUROPRIM_BUILD_TRAIN=ON)\n");
#endif
}
