#include "cli/solve_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>

#include "cli/interrupt.hpp"
#include "cli/search_watcher.hpp"
#include "cli/solve_report.hpp"
#include "cli/table.hpp"
#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/solution.hpp"

namespace neuroprim::cli {

namespace {

/// Errors of the problem and the method do not know which instance they met.
template <class Work>
auto with_name(const Instance& instance, Work&& work) {
    try {
        return work();
    } catch (const Infeasible& error) {
        throw Infeasible(fmt::format("{}: {}", instance.name, error.what()));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", instance.name, error.what()));
    }
}

const char* process_environment(const char* name) {
    return std::getenv(name);
}

}  // namespace

SolveRun::SolveRun(const SolveArguments& arguments)
    : arguments_(arguments),
      shard_(arguments.shard.empty() ? Shard{} : shard_named(arguments.shard, process_environment)),
      results_(arguments.results.empty() ? nullptr
                                         : std::make_unique<ResultsFile>(arguments.results, arguments.deciding())),
      inputs_(list_inputs(arguments.inputs, arguments.results)),
      many_(inputs_.size() > 1 || inputs_.front().in_folder),
      progress_(0, arguments.common.quiet) {}

int SolveRun::run() {
    if (arguments_.shard == "auto") {
        note(shard_.count == 1 ? "--shard auto: the environment names no rank, so this process takes everything"
                               : fmt::format("shard {}/{}", shard_.index + 1, shard_.count));
    }
    if (results_ && results_->damaged_lines() > 0) {
        note(fmt::format("{}: {} half-written line(s) ignored", arguments_.results, results_->damaged_lines()));
    }
    InstanceQueue queue(inputs_to_do(), [this](const Input& input, std::size_t file) { return read(input, file); });
    const auto jobs = static_cast<std::size_t>(arguments_.jobs);
    parallel_for(arguments_.jobs, jobs, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t job = begin; job < end; ++job) work(queue);
    });
    progress_.end();
    print_summary(queue.has_more());
    return exit_code_;
}

std::vector<Input> SolveRun::inputs_to_do() {
    std::vector<Input> result;
    for (std::size_t file = 0; file < inputs_.size(); ++file) {
        if (inputs_.size() > 1 && !shard_.holds(file)) continue;
        if (!skip(inputs_[file].path)) result.push_back(inputs_[file]);
    }
    progress_.expect(static_cast<std::ptrdiff_t>(result.size()));
    return result;
}

bool SolveRun::skip(const std::string& input) {
    if (!results_ || input == "-" || !results_->has(input)) return false;
    ++skipped_;
    return true;
}

std::vector<Task> SolveRun::read(const Input& input, std::size_t file) {
    std::vector<Task> tasks;
    attempt(input.path, [&] { tasks = tasks_in(input, file); });
    progress_.expect(static_cast<std::ptrdiff_t>(tasks.size()) - 1);
    return tasks;
}

std::vector<Task> SolveRun::tasks_in(const Input& input, std::size_t file) {
    std::vector<Instance> instances;
    try {
        instances = arguments_.input.read(
            input.path, [this](const std::string& message) { note(fmt::format("warning: {}", message)); });
    } catch (const UnknownFormat& error) {
        if (!input.in_folder) throw;
        note(fmt::format("skipped {}", error.what()));
        ++strange_;
        return {};
    }
    std::vector<Task> tasks;
    const bool several = instances.size() > 1;
    for (std::size_t number = 0; number < instances.size(); ++number) {
        if (inputs_.size() == 1 && !shard_.holds(number)) continue;  // one file: its instances are dealt out
        const std::string name = several ? fmt::format("{}#{}", input.path, number + 1) : input.path;
        if (several && skip(name)) continue;
        tasks.push_back({std::move(instances[number]), name, file, number, many_ || several});
    }
    return tasks;
}

void SolveRun::work(InstanceQueue& queue) {
    try {
        while (!interrupted()) {
            const auto task = queue.next();
            if (!task) return;
            attempt(task->input, [&] { solve_one(*task); });
            progress_.finish_one();
        }
    } catch (...) {
        queue.close();
        throw;
    }
}

void SolveRun::solve_one(const Task& task) {
    ++begun_;
    const Instance& instance = task.instance;
    const std::vector<std::string> paths = claim_outputs(task);
    const auto problem = with_name(instance, [&] { return arguments_.problem.make(instance); });
    SolveOptions options = arguments_.options_for(instance);
    const std::string log = arguments_.log.empty() ? "" : output_path(arguments_.log, instance, task.one_of_many);
    SearchWatcher watcher(instance.name, log, !task.one_of_many && !arguments_.common.quiet);
    options.watcher = std::ref(watcher);
    const Solution solution = with_name(instance, [&] { return solve(*problem, options); });
    const bool cut_short = interrupted();
    watcher.finish(solution);
    for (const auto& path : paths) {
        if (path == "-") {
            progress_.aside([&] { write_solution(path, instance, solution); });
        } else {
            write_solution(path, instance, solution);
        }
    }
    report(task, solution, cut_short);
}

std::vector<std::string> SolveRun::claim_outputs(const Task& task) {
    std::vector<std::string> paths;
    for (const auto& pattern : arguments_.outputs) {
        paths.push_back(output_path(pattern, task.instance, task.one_of_many));
    }
    progress_.aside([&] {
        for (const auto& path : paths) {
            if (task.one_of_many && path != "-" && !outputs_.insert(path).second) {
                throw InputError(
                    fmt::format("{}: {} is already the output of another instance of this name", task.input, path));
            }
        }
    });
    return paths;
}

void SolveRun::report(const Task& task, const Solution& solution, bool cut_short) {
    const bool json = arguments_.common.json;
    const std::string text = json || results_ ? solution_to_json(task.instance, solution) : "";
    progress_.aside([&] {
        if (results_) results_->append(task.input, text, cut_short);
        if (json) {
            // Several answers are JSON lines: one object each.
            fmt::print("{}\n", task.one_of_many ? nlohmann::ordered_json::parse(text).dump() : text);
            std::fflush(stdout);
        } else if (task.one_of_many) {
            rows_[{task.file, task.number}] = solution_row(solution);
        } else if (!arguments_.common.quiet) {
            fmt::print("{}\n", one_line(solution));
        }
    });
}

void SolveRun::print_summary(bool left_undone) {
    if (!rows_.empty() && !arguments_.common.quiet) {
        Table table(solution_columns());
        for (auto& [place, row] : rows_) table.add(std::move(row));
        fmt::print("{}", table.text());
    }
    if (skipped_ > 0) note(fmt::format("{} skipped: {} has their answers", skipped_.load(), arguments_.results));
    if (left_undone) note(fmt::format("interrupted: {} begun, the rest left undone", begun_.load()));
    const bool nothing_else = begun_ == 0 && skipped_ == 0 && !left_undone && exit_code_ == exit_solved;
    if (strange_ > 0 && nothing_else && shard_.count == 1) {
        complain(exit_bad_input, fmt::format("there are no instances among {} files", strange_.load()));
    }
}

template <class Work>
void SolveRun::attempt(const std::string& input, Work&& work) {
    try {
        work();
    } catch (const Infeasible& error) {
        complain(exit_infeasible, error.what());
    } catch (const InputError& error) {
        complain(exit_bad_input, error.what());
    } catch (const std::bad_alloc&) {
        complain(exit_bad_input, fmt::format("{}: not enough memory for this input", input));
    }
}

void SolveRun::complain(int exit_code, const std::string& message) {
    progress_.aside([&] {
        fmt::print(stderr, "neuroprim: {}\n", message);
        exit_code_ = std::max(exit_code_, exit_code);
    });
}

void SolveRun::note(const std::string& message) {
    if (arguments_.common.quiet) return;
    progress_.aside([&] { fmt::print(stderr, "neuroprim: {}\n", message); });
}

}  // namespace neuroprim::cli
