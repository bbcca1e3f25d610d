#include <fmt/format.h>

#include <algorithm>

#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/policy.hpp"
#include "policy/edge_tables.hpp"
#include "policy/trajectory_group.hpp"

namespace neuroprim {

namespace {

using policy::TrajectoryGroup;

std::size_t least_groups(std::size_t trajectories) {
    return (trajectories + TrajectoryGroup::capacity - 1) / TrajectoryGroup::capacity;
}

/// A thread has a group for itself.
std::size_t group_count(std::size_t trajectories, std::size_t threads) {
    const std::size_t least = std::max(threads, least_groups(trajectories));
    return std::min(trajectories, (least + threads - 1) / threads * threads);
}

void check(const Encoded& encoded, const Problem& problem, double temperature) {
    if (!(temperature > 0)) throw InputError(fmt::format("temperature {}: expected more than 0", temperature));
    if (problem.size() != encoded.size()) {
        throw InputError(
            fmt::format("the problem has {} vertices, the encoded instance {}", problem.size(), encoded.size()));
    }
}

void check_start(const Problem& problem, Vertex start) {
    if (start < 0 || start >= problem.size()) {
        throw InputError(fmt::format("start {} is not among the {} vertices", start, problem.size()));
    }
}

}  // namespace

std::vector<Start> all_starts(const Problem& problem) {
    std::vector<Start> result;
    std::vector<bool> is_in(index(problem.size()));
    const auto add = [&](Vertex v) {
        if (!is_in[index(v)]) result.push_back({v, result.size()});
        is_in[index(v)] = true;
    };
    for (const Vertex v : problem.starts()) add(v);
    if (problem.spec().coverage == Coverage::terminals && !problem.spec().root && problem.is_plain()) {
        for (Vertex v = 0; v < problem.size(); ++v) add(v);
    }
    return result;
}

std::vector<Vertex> greedy_starts(const Problem& problem, std::size_t trees) {
    std::vector<Vertex> result = problem.starts();
    if (trees != 0 && trees <= result.size()) return result;
    result.clear();
    for (const Start& start : all_starts(problem)) result.push_back(start.vertex);
    return result;
}

std::vector<Rollout> decode(const Encoded& encoded, const Problem& problem, std::span<const Start> starts,
                            const DecodeOptions& options) {
    std::vector<Rollout> result(starts.size());
    check(encoded, problem, options.temperature);
    for (const Start& start : starts) check_start(problem, start.vertex);
    if (starts.empty()) return result;
    policy::StopRequest stop(options.interrupted);
    const std::size_t threads = options.observer ? 1 : static_cast<std::size_t>(std::max(1, options.threads));
    const auto grow_group = [&](std::size_t g, std::size_t groups, policy::ForkJoinPool* pool) {
        const std::size_t begin = starts.size() * g / groups;
        const std::size_t end = starts.size() * (g + 1) / groups;
        if (stop.was_heard()) {
            for (std::size_t k = begin; k < end; ++k) result[k].tree.start = starts[k].vertex;
            return;
        }
        TrajectoryGroup group(encoded.tables(), problem, options, stop, starts, begin, end, pool);
        group.run(std::span(result).subspan(begin, end - begin));
    };
    // Two full groups on two threads ask as much of the memory as two threads at one full group after the other.
    const bool fill_groups = starts.size() >= threads * TrajectoryGroup::capacity;
    if (threads > 1 && !fill_groups && TrajectoryGroup::has_work_for_a_pool(encoded.tables(), problem)) {
        const std::size_t groups = least_groups(starts.size());
        policy::run_with_pool(static_cast<int>(threads), [&](policy::ForkJoinPool& pool) {
            for (std::size_t g = 0; g < groups; ++g) grow_group(g, groups, &pool);
        });
        return result;
    }
    const std::size_t groups = group_count(starts.size(), threads);
    parallel_for(static_cast<int>(threads), groups, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t g = first; g < last; ++g) grow_group(g, groups, nullptr);
    });
    return result;
}

double log_probability(const Encoded& encoded, const Problem& problem, const Tree& tree, double temperature) {
    check(encoded, problem, temperature);
    check_start(problem, tree.start);
    DecodeOptions options;
    options.temperature = temperature;
    policy::StopRequest never(options.interrupted);
    const Start start{tree.start, 0};
    policy::TrajectoryGroup group(encoded.tables(), problem, options, never, std::span(&start, 1), 0, 1);
    return group.follow(tree);
}

}  // namespace neuroprim
