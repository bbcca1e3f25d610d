#include <chrono>
#include <memory>

#include "formats/write/json_object.hpp"
#include "neuroprim/error.hpp"
#include "serve/api.hpp"
#include "serve/methods.hpp"
#include "serve/parameter_fields.hpp"
#include "serve/request.hpp"

namespace neuroprim::serve {

namespace {

struct SolveTask {
    RequestedProblem requested;
    SolveOptions options;
    double time_limit = 0;  // seconds after which what does not end by itself is ended
};

/// A tree is told only when it is a better one; a bound alone does not change it.
auto reporter_to(Job& job) {
    return [&job, best = std::numeric_limits<double>::infinity()](const SearchState& state,
                                                                  std::string_view found_by) mutable {
        Progress progress{state.cost, state.bound, state.seconds, std::string(found_by), std::nullopt};
        if (state.cost < best && state.tree != nullptr) progress.edges = state.tree->edges;
        best = state.cost;
        job.report(std::move(progress));
    };
}

ApiResponse solve_task(const SolveTask& task, Job& job) {
    using Clock = std::chrono::steady_clock;
    const auto time_limit = std::chrono::duration<double>(task.time_limit);
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(time_limit);
    SolveOptions options = task.options;
    options.interrupted = [&job, deadline] { return job.cancelled() || Clock::now() > deadline; };
    options.watcher = reporter_to(job);
    constexpr const char* no_time = "no tree was found in the time that a request may take";
    try {
        const Solution solution = solve(*task.requested.problem, options);
        return {200, "application/json", formats::solution_to_json_line(*task.requested.instance, solution) + "\n"};
    } catch (const Infeasible&) {
        if (Clock::now() < deadline) throw;
        throw Infeasible(no_time);
    } catch (const Interrupted&) {
        if (Clock::now() < deadline) throw;
        throw Infeasible(no_time);
    }
}

}  // namespace

// All routes that prepare work are handed the request for good.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Job::Work prepare_solve(const Context& context, ApiRequest request) {
    const Limits& limits = context.settings.limits;
    const formats::Text text = body_text(request.body);
    const Fields fields(text, request_keys());
    auto task = std::make_shared<SolveTask>();
    task->requested = read_problem(fields, limits);
    const Problem& problem = *task->requested.problem;
    task->options = read_options(fields, problem, limits);
    const MethodFacts& method = method_facts(task->options.method);
    task->time_limit = limits.time_limit;
    task->options.threads = context.settings.threads;
    task->options.policy = context.policies.find(problem);
    if (method.needs_policy && !task->options.policy) {
        throw InputError("method: there is no pretrained policy for " + std::string(problem.name()));
    }
    return [task](Job& job) { return solve_task(*task, job); };
}

}  // namespace neuroprim::serve
