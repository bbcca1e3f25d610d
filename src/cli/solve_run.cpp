#include "cli/solve_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>

#include "cli/complaint.hpp"
#include "cli/interrupt.hpp"
#include "cli/outputs.hpp"
#include "cli/search_watcher.hpp"
#include "cli/solve_report.hpp"
#include "cli/table.hpp"
#include "formats/write/json_object.hpp"
#include "formats/write/output_file.hpp"
#include "formats/write/standard_output.hpp"
#include "formats/write/writers.hpp"
#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::cli {

namespace {

/// Errors of the problem and the method do not know which instance they met.
template <class Work>
auto with_name(const Instance& instance, Work&& work) {
    try {
        return work();
    } catch (const Infeasible& error) {
        throw Infeasible(fmt::format("{}: {}", instance.name, error.what()));
    } catch (const Interrupted& error) {
        throw Interrupted(fmt::format("{}: {}", instance.name, error.what()));
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", instance.name, error.what()));
    }
}

/// What went wrong, to be thrown when the solution has been printed.
std::exception_ptr append(ResultsFile& results, const Task& task, const Solution& solution, bool cut_short) {
    try {
        results.append(task.input, task.instance, solution, cut_short);
        return nullptr;
    } catch (const std::exception&) {
        return std::current_exception();
    }
}

const char* process_environment(const char* name) {
    return std::getenv(name);
}

}  // namespace

SolveRun::SolveRun(const SolveArguments& arguments)
    : arguments_(arguments),
      shard_(arguments.shard.empty() ? Shard{} : shard_named(arguments.shard, process_environment)),
      inputs_(formats::list_inputs(arguments.inputs, arguments.results)),
      many_(inputs_.size() > 1 || inputs_.front().in_folder),
      progress_(0, arguments.common.quiet) {
    check_outputs(many_);
    if (!arguments.results.empty()) {
        results_ = std::make_unique<ResultsFile>(arguments.results, arguments.deciding);
    }
}

void SolveRun::check_outputs(bool several) const {
    for (const auto& pattern : arguments_.outputs) check_output(pattern, several, check_solution_path);
    if (!arguments_.log.empty()) check_output(arguments_.log, several, formats::check_writable);
}

int SolveRun::run() {
    if (arguments_.shard == "auto") {
        note(shard_.count == 1 ? "--shard auto: the environment names no rank, so this process takes everything"
                               : fmt::format("shard {}/{}", shard_.index + 1, shard_.count));
    }
    if (results_ && results_->damaged_lines() > 0) {
        note(fmt::format("{}: {} half-written line(s) ignored", arguments_.results, results_->damaged_lines()));
    }
    InstanceQueue queue(inputs_to_do(),
                        [this](const formats::Input& input, std::size_t file) { return read(input, file); });
    const auto jobs = static_cast<std::size_t>(arguments_.jobs);
    std::exception_ptr failure;
    try {
        parallel_for(arguments_.jobs, jobs, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t job = begin; job < end; ++job) work(queue);
        });
    } catch (...) {
        failure = std::current_exception();  // what was solved before is not lost
    }
    progress_.end();
    print_summary(!failure && queue.has_more());
    if (failure) std::rethrow_exception(failure);
    return exit_code_;
}

std::vector<formats::Input> SolveRun::inputs_to_do() {
    std::vector<formats::Input> result;
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

std::vector<Task> SolveRun::read(const formats::Input& input, std::size_t file) {
    std::vector<Task> tasks;
    attempt(input.path, [&] { tasks = tasks_in(input, file); });
    progress_.expect(static_cast<std::ptrdiff_t>(tasks.size()) - 1);
    return tasks;
}

std::vector<Task> SolveRun::tasks_in(const formats::Input& input, std::size_t file) {
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
    if (several) check_outputs(several);
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
    const auto problem = with_name(instance, [&] { return arguments_.problem.make(instance, arguments_.input); });
    SolveOptions options = arguments_.options_for(instance);
    const std::string log = arguments_.log.empty() ? "" : output_path(arguments_.log, instance, task.one_of_many);
    SearchWatcher watcher(instance.name, log, !task.one_of_many && !arguments_.common.quiet);
    options.watcher = std::ref(watcher);
    const Solution solution = with_name(instance, [&] { return solve(*problem, options); });
    const bool cut_short = interrupted();
    attempt(task.input, [&] { watcher.finish(solution); });
    for (const auto& warning : solution.warnings) note(fmt::format("{}: {}", instance.name, warning));
    for (const auto& path : paths) write(path, instance, solution);
    report(task, solution, cut_short);
    const std::string missed = cut_short ? "" : missed_target(options, solution);
    if (!missed.empty()) note(fmt::format("{}: {}", instance.name, missed));
}

/// A file that cannot be written is complained about; the tree, its line in the results and the other files are not
/// lost with it. Without standard output there is nobody to go on for.
void SolveRun::write(const std::string& path, const Instance& instance, const Solution& solution) {
    if (path != "-") {
        attempt(path, [&] { write_solution(path, instance, solution); });
        return;
    }
    progress_.with_lock([&] {
        formats::flush_standard_output();
        fmt::print("{}", solution_to_json(instance, solution));
        formats::flush_standard_output();
    });
}

std::vector<std::string> SolveRun::claim_outputs(const Task& task) {
    std::vector<std::string> paths;
    for (const auto& pattern : arguments_.outputs) {
        paths.push_back(output_path(pattern, task.instance, task.one_of_many));
    }
    for (const auto& path : paths) {
        check_solution_path(path);
        formats::check_solution_format(path, task.instance);
    }
    progress_.with_lock([&] {
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
    // Several answers are JSON lines: one object each.
    const auto to_json = task.one_of_many ? formats::solution_to_json_line : solution_to_json;
    const std::string text = arguments_.common.json ? to_json(task.instance, solution) : "";
    progress_.with_lock([&] {
        const std::exception_ptr failure = results_ ? append(*results_, task, solution, cut_short) : nullptr;
        if (arguments_.common.json) {
            fmt::print("{}{}", text, task.one_of_many ? "\n" : "");
            formats::flush_standard_output();
        } else if (task.one_of_many) {
            rows_[{task.file, task.number}] = solution_row(solution);
        } else if (!arguments_.common.quiet) {
            fmt::print("{}\n", one_line(solution));
        }
        if (failure) std::rethrow_exception(failure);
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
    } catch (const Interrupted& error) {
        complain(exit_infeasible, error.what());
    } catch (const std::bad_alloc&) {
        complain(exit_bad_input, fmt::format("{}: not enough memory for this input", input));
    }
}

void SolveRun::complain(int exit_code, const std::string& message) {
    progress_.with_lock([&] {
        cli::complain(message);
        exit_code_ = std::max(exit_code_, exit_code);
    });
}

void SolveRun::note(const std::string& message) {
    if (arguments_.common.quiet) return;
    progress_.with_lock([&] { cli::complain(message); });
}

}  // namespace neuroprim::cli
