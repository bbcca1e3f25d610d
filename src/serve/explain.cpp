#include <memory>

#include "neuroprim/error.hpp"
#include "neuroprim/explanation_files.hpp"
#include "neuroprim/neural.hpp"
#include "serve/api.hpp"
#include "serve/methods.hpp"
#include "serve/parameter_fields.hpp"
#include "serve/request.hpp"

namespace neuroprim::serve {

namespace {

struct ExplainTask {
    RequestedProblem requested;
    std::shared_ptr<const Policy> policy;
    ExplainOptions options;
    int threads = 1;
};

ApiResponse explain_task(const ExplainTask& task, Job& job) {
    const Problem& problem = *task.requested.problem;
    if (const auto reason = problem.infeasibility_certificate()) throw Infeasible(*reason);
    ExplainOptions options = task.options;
    options.interrupted = [&job] { return job.cancelled(); };
    if (options.start == no_vertex) {
        NeuralOptions neural;
        neural.threads = task.threads;
        neural.interrupted = options.interrupted;
        options.start = best_start(*task.policy, problem, neural);
    }
    const Encoded encoded(*task.policy, problem, {.threads = task.threads, .interrupted = options.interrupted});
    return {200, "application/json",
            explanation_to_json(problem.instance(), explain(encoded, problem, options)) + "\n"};
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): all routes have one signature
Job::Work prepare_explain(const Context& context, ApiRequest request) {
    constexpr int most_alternatives = 100;
    const Limits& limits = context.settings.limits;
    const formats::Text text = body_text(request.body);
    const Fields fields(text, request_keys({"alternatives"}));
    auto task = std::make_shared<ExplainTask>();
    task->requested = read_problem(fields, limits);
    const Problem& problem = *task->requested.problem;
    check_size_for("explain", problem, limits.explain_vertices);
    task->policy = context.policies.find(problem);
    if (!task->policy) throw InputError("there is no pretrained policy for " + std::string(problem.name()));
    const std::string method = fields.string("method").value_or("greedy");
    if (method == "greedy" || method == "sample") check_use(fields, method);
    if (method_facts(method).name == "sample") task->options.mode = DecodeMode::sample;
    task->options.seed = static_cast<std::uint64_t>(fields.integer("seed", 0).value_or(0));
    task->options.alternatives =
        static_cast<std::size_t>(fields.integer("alternatives", 1, most_alternatives).value_or(5));
    task->options.start = static_cast<Vertex>(fields.integer("start", 0, problem.size() - 1).value_or(no_vertex));
    const auto starts = problem.starts();
    if (task->options.start != no_vertex &&
        std::find(starts.begin(), starts.end(), task->options.start) == starts.end()) {
        throw InputError("start: " + std::string(problem.name()) + " cannot start there");
    }
    task->threads = context.settings.threads;
    return [task](Job& job) { return explain_task(*task, job); };
}

}  // namespace neuroprim::serve
