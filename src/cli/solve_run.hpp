#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/instance_queue.hpp"
#include "cli/progress.hpp"
#include "cli/results_file.hpp"
#include "cli/shard.hpp"
#include "cli/solve_arguments.hpp"

namespace neuroprim::cli {

/// Reads and solves all instances of this shard, `--jobs` at a time, and reports them; a bad input does not stop the
/// others. After a signal the running ones end with their best trees and no other begins.
class SolveRun {
public:
    /// Throws InputError when the work cannot be listed (a bad shard, an empty folder) or what comes of it cannot be
    /// kept: no results file, outputs that cannot be written.
    explicit SolveRun(const SolveArguments& arguments);

    /// The exit code: the worst of all instances.
    [[nodiscard]] int run();

private:
    void check_outputs(bool several) const;

    /// Those of this shard that the results file does not have.
    [[nodiscard]] std::vector<formats::Input> inputs_to_do();
    [[nodiscard]] std::vector<Task> read(const formats::Input& input, std::size_t file);
    [[nodiscard]] std::vector<Task> tasks_in(const formats::Input& input, std::size_t file);
    [[nodiscard]] bool skip(const std::string& input);

    void work(InstanceQueue& queue);
    void solve_one(const Task& task);
    [[nodiscard]] std::vector<std::string> claim_outputs(const Task& task);
    void write(const std::string& path, const Instance& instance, const Solution& solution);
    void report(const Task& task, const Solution& solution, bool cut_short);
    void print_summary(bool left_undone);

    template <class Work>
    void attempt(const std::string& input, Work&& work);
    void complain(int exit_code, const std::string& message);
    void note(const std::string& message);

    const SolveArguments& arguments_;
    Shard shard_;
    std::unique_ptr<ResultsFile> results_;
    std::vector<formats::Input> inputs_;  // of all shards
    bool many_;                           // a list of files or a folder was given
    Progress progress_;

    // Under the lock of progress_.with_lock.
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> rows_;  // by file and number
    std::set<std::string> outputs_;
    int exit_code_ = exit_solved;

    std::atomic<std::size_t> begun_ = 0;    // instances
    std::atomic<std::size_t> skipped_ = 0;  // instances that the results file has
    std::atomic<std::size_t> strange_ = 0;  // files of unknown format
};

}  // namespace neuroprim::cli
