// What a policy that is told the specification is worth: eight kinds of limits, random instances, one thread each.
// Ten more kinds with several limits at once are there for --kinds to name.
//
//   policy_table model.safetensors [--n 50,100] [--instances 20] [--first 0] [--times 0.1,0.3,1] [--threads 1]
//                [--shape uniform|clustered] [--kinds hops,capacity,…] [--clock wall|processor] [--initial both|best]
//
// A line of CSV per instance and way: the best of all constructions, the best descent (hop-descent and centre-descent
// are constructions followed by a local search), the policy's greedy trees under the eight symmetries of the square,
// the same rebuilt by the policy in windows within 0.3 s, and the search with and without the policy for each time;
// with --initial best it asks the shipped policy (in NEUROPRIM_MODELS) where it does so of its own accord.
// Instances lie side by side on the threads, so give no more threads than the machine has idle cores. On a busy
// machine let the processor's clock end the searches, with one thread. bench/policy-table makes a table of the lines.

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"

namespace {

using namespace neuroprim;

double distance(Point a, Point b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

/// What the kinds ask of the same points; the root is vertex 0.
struct Kind {
    const char* name;
    const char* preset;
    ProblemOptions (*limits)(const Instance&, Random&);
    void (*complete)(Instance&, Random&) = nullptr;
};

int between(Random& random, int low, int high) {
    return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

void add_prizes(Instance& instance, Random& random) {
    const auto n = static_cast<std::size_t>(instance.size());
    const double level = std::exp(std::log(0.5) + std::log(8.0) * random.uniform()) / std::sqrt(double(n));
    instance.prizes.assign(n, 0);
    for (double& prize : instance.prizes) {
        if (random.uniform() < 0.6) prize = level * random.uniform();
    }
    instance.prizes[0] = level;
}

/// Everyone joins the nearest of n/5 vertices.
void add_groups(Instance& instance, Random&) {
    const auto points = instance.weights.points();
    const std::size_t heads = points.size() / 5;
    instance.groups.resize(points.size());
    for (std::size_t v = 0; v < points.size(); ++v) {
        std::size_t nearest = v < heads ? v : 0;
        for (std::size_t h = 0; h < heads && v >= heads; ++h) {
            if (distance(points[v], points[h]) < distance(points[v], points[nearest])) nearest = h;
        }
        instance.groups[v] = static_cast<int>(nearest);
    }
}

ProblemOptions within_length(const Instance& instance, Random& random) {
    const auto points = instance.weights.points();
    double farthest = 0;
    for (const Point p : points) farthest = std::max(farthest, distance(p, points[0]));
    return {.root = 0, .length = farthest * (1.05 + 0.3 * random.uniform())};
}

/// As many in a branch of the root as leave a fifth to a half of all places free where its degree limits the
/// branches.
double roomy_capacity(const Instance& instance, int degree, Random& random) {
    return std::ceil(instance.size() * (1.2 + 0.3 * random.uniform()) / degree);
}

const std::vector<Kind> kinds = {
    {"hops", "hmst", [](const Instance&, Random& r) { return ProblemOptions{.root = 0, .hops = between(r, 3, 6)}; }},
    {"capacity", "cmst",
     [](const Instance&, Random& r) {
         return ProblemOptions{.root = 0, .capacity = static_cast<double>(between(r, 5, 15))};
     }},
    {"diameter", "bdmst", [](const Instance&, Random& r) { return ProblemOptions{.diameter = between(r, 4, 8)}; }},
    {"length", "lmst", within_length},
    {"degree+hops", "tree",
     [](const Instance&, Random& r) { return ProblemOptions{.degree = 3, .root = 0, .hops = between(r, 6, 7)}; }},
    {"capacity+hops", "tree",
     [](const Instance&, Random& r) {
         return ProblemOptions{
             .root = 0, .hops = between(r, 2, 4), .capacity = static_cast<double>(between(r, 6, 15))};
     }},
    {"prizes", "pcst", [](const Instance&, Random&) { return ProblemOptions{}; }, add_prizes},
    {"groups", "gmst", [](const Instance&, Random&) { return ProblemOptions{}; }, add_groups},
};

/// Only where --kinds names them.
const std::vector<Kind> several_limits = {
    {"degree+length", "tree",
     [](const Instance& i, Random& r) {
         ProblemOptions limits = within_length(i, r);
         limits.degree = between(r, 3, 4);
         return limits;
     }},
    {"degree+capacity", "tree",
     [](const Instance& i, Random& r) {
         const int degree = between(r, 3, 6);
         return ProblemOptions{.degree = degree, .root = 0, .capacity = roomy_capacity(i, degree, r)};
     }},
    {"capacity+length", "tree",
     [](const Instance& i, Random& r) {
         ProblemOptions limits = within_length(i, r);
         limits.capacity = between(r, 6, 15);
         return limits;
     }},
    {"capacity+diameter", "tree",
     [](const Instance&, Random& r) {
         ProblemOptions limits{.root = 0, .capacity = static_cast<double>(between(r, 6, 15))};
         limits.diameter = between(r, 6, 10);
         return limits;
     }},
    {"degree+diameter", "tree",
     [](const Instance&, Random& r) { return ProblemOptions{.degree = 3, .diameter = between(r, 10, 14)}; }},
    {"hops+length", "tree",
     [](const Instance& i, Random& r) {
         ProblemOptions limits = within_length(i, r);
         limits.hops = between(r, 4, 7);
         return limits;
     }},
    {"hops+diameter", "tree",
     [](const Instance&, Random& r) {
         const int hops = between(r, 4, 6);
         return ProblemOptions{.root = 0, .hops = hops, .diameter = 2 * hops - 2};
     }},
    {"degree+hops+length", "tree",
     [](const Instance& i, Random& r) {
         ProblemOptions limits = within_length(i, r);
         limits.degree = 4;
         limits.hops = between(r, 6, 7);
         return limits;
     }},
    {"degree+capacity+hops", "tree",
     [](const Instance& i, Random& r) {
         const int degree = between(r, 5, 8);
         return ProblemOptions{
             .degree = degree, .root = 0, .hops = between(r, 4, 6), .capacity = roomy_capacity(i, degree, r)};
     }},
    {"degree+capacity+length", "tree",
     [](const Instance& i, Random& r) {
         ProblemOptions limits = within_length(i, r);
         limits.degree = between(r, 4, 6);
         limits.capacity = roomy_capacity(i, *limits.degree, r);
         return limits;
     }},
};

struct Task {
    const Kind* kind;
    Vertex n;
    std::uint64_t seed;
};

struct Settings {
    std::string model;
    std::vector<double> sizes = {50, 100};
    std::vector<double> times = {0.1, 0.3, 1};
    double instances = 20;
    double first = 0;
    double threads = 1;
    GenerateOptions::Shape shape = GenerateOptions::Shape::uniform;
    std::string only;
    Initial initial = Initial::both;
    bool by_processor = false;
};

/// Seconds that this process has worked.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void limit_time(SolveOptions& options, double seconds, const Settings& settings) {
    options.time_limit = settings.by_processor ? 1000 * seconds : seconds;
    if (!settings.by_processor) return;
    options.interrupted = [end = processor_seconds() + seconds] { return processor_seconds() > end; };
}

struct Priced {
    double cost = std::numeric_limits<double>::infinity();
    std::string_view name = "none";
};

Priced best_construction(const Problem& problem, bool descents) {
    Priced best;
    for (const Method& method : methods()) {
        if (!method.supports(problem) || method.name.ends_with("-descent") != descents) continue;
        try {
            const Tree tree = problem.pruned(method.construct(problem, {}));
            if (problem.violation(tree)) continue;
            const double cost = problem.cost(tree);
            if (cost < best.cost) best = {cost, method.name};
        } catch (const std::exception&) {
            continue;  // it finds no tree here
        }
    }
    return best;
}

double best_greedy(const Policy& policy, const Problem& problem) {
    NeuralOptions options;
    options.augmentations = 8;
    options.augmentations_per_start = problem.starts().size() > 1 ? 1 : 0;  // all starts, each under one symmetry
    try {
        return solve_neurally(policy, problem, options).cost;
    } catch (const Infeasible&) {
        return std::numeric_limits<double>::infinity();
    }
}

std::string lines_for(const Task& task, const Settings& settings, const std::shared_ptr<const Policy>& policy) {
    Random random(task.seed, 0x7461626c65);
    Instance instance = generate({.shape = settings.shape, .n = task.n, .seed = 900'000 + task.seed});
    const ProblemOptions limits = task.kind->limits(instance, random);
    if (task.kind->complete != nullptr) task.kind->complete(instance, random);
    const auto problem = make_problem(task.kind->preset, instance, limits);
    std::string lines;
    const auto add = [&](const std::string& way, double cost, double seconds, std::string_view by) {
        lines +=
            fmt::format("{},{},{},{},{:.6f},{:.4f},{}\n", task.kind->name, task.n, task.seed, way, cost, seconds, by);
    };
    auto began = std::chrono::steady_clock::now();
    const Priced built = best_construction(*problem, false);
    add("construction", built.cost, seconds_since(began), built.name);
    began = std::chrono::steady_clock::now();
    const Priced descended = best_construction(*problem, true);
    add("descent", descended.cost, seconds_since(began), descended.name);
    if (policy) {
        began = std::chrono::steady_clock::now();
        const double cost = best_greedy(*policy, *problem);
        add("greedy", cost, seconds_since(began), "policy");
        SolveOptions rebuilding;
        rebuilding.method = "rebuild";
        rebuilding.policy = policy;
        rebuilding.augmentations = 8;
        rebuilding.augmentations_per_start = problem->starts().size() > 1 ? 1 : 0;
        limit_time(rebuilding, 0.3, settings);
        rebuilding.no_improvement = 1000;
        const Solution rebuilt = solve(*problem, rebuilding);
        add("rebuilt", rebuilt.cost, rebuilt.seconds, rebuilt.found_by);
    }
    for (const double time : settings.times) {
        for (const bool with : {false, true}) {
            if (with && !policy) continue;
            SolveOptions options;
            limit_time(options, time, settings);
            options.seed = task.seed;
            options.initial = with ? settings.initial : Initial::classical;
            if (with && settings.initial == Initial::both) options.policy = policy;
            const Solution solution = solve(*problem, options);
            add(fmt::format("{} {:g}", with ? "both" : "search", time), solution.cost, solution.seconds,
                solution.found_by);
        }
    }
    return lines;
}

Settings settings_from(int argc, char** argv) {
    Settings settings;
    settings.model = argv[1];
    for (int k = 2; k + 1 < argc; k += 2) {
        const std::string name = argv[k];
        const std::string value = argv[k + 1];
        if (name == "--n")
            settings.sizes = bench::numbers(value);
        else if (name == "--times")
            settings.times = bench::numbers(value);
        else if (name == "--instances")
            settings.instances = std::stod(value);
        else if (name == "--first")
            settings.first = std::stod(value);
        else if (name == "--threads")
            settings.threads = std::stod(value);
        else if (name == "--shape")
            settings.shape = shape_from_string(value).value();
        else if (name == "--kinds")
            settings.only = "," + value + ",";
        else if (name == "--initial")
            settings.initial = value == "best" ? Initial::best : Initial::both;
        else if (name == "--clock")
            settings.by_processor = value == "processor";
        else
            throw InputError(fmt::format("unknown option {}", name));
    }
    return settings;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) throw InputError("usage: policy_table model.safetensors|- [--n 50,100] [--instances 20] …");
    const Settings settings = settings_from(argc, argv);
    std::shared_ptr<const Policy> policy;
    if (settings.model != "-") policy = std::make_shared<Policy>(Policy::load(settings.model));
    std::vector<Task> tasks;
    for (const double n : settings.sizes) {
        for (int k = 0; k < settings.instances; ++k) {
            const auto add = [&](const Kind& kind) {
                tasks.push_back({&kind, static_cast<Vertex>(n),
                                 static_cast<std::uint64_t>(settings.first) + static_cast<std::uint64_t>(k)});
            };
            const auto is_named = [&](const Kind& kind) {
                return settings.only.find(fmt::format(",{},", kind.name)) != std::string::npos;
            };
            for (const Kind& kind : kinds) {
                if (settings.only.empty() || is_named(kind)) add(kind);
            }
            for (const Kind& kind : several_limits) {
                if (is_named(kind)) add(kind);
            }
        }
    }
    std::atomic<std::size_t> next = 0;
    std::mutex printing;
    std::vector<std::jthread> threads;
    for (int t = 0; t < static_cast<int>(settings.threads); ++t) {
        threads.emplace_back([&] {
            for (std::size_t k = next++; k < tasks.size(); k = next++) {
                std::string lines;
                try {
                    lines = lines_for(tasks[k], settings, policy);
                } catch (const std::exception& error) {
                    lines = fmt::format("# {} n {} seed {}: {}\n", tasks[k].kind->name, tasks[k].n, tasks[k].seed,
                                        error.what());
                }
                const std::lock_guard lock(printing);
                fmt::print("{}", lines);
                std::fflush(stdout);
            }
        });
    }
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "policy_table: {}\n", error.what());
    return 2;
}
