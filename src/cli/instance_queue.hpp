#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "formats/read/input_list.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim::cli {

/// An instance to solve and where it stood among all of them.
struct Task {
    Instance instance;
    std::string input;        ///< the file, as `file#2` when that holds several instances
    std::size_t file = 0;     ///< its place among the inputs
    std::size_t number = 0;   ///< its place in the file
    bool one_of_many = true;  ///< whether there are other instances, of this shard or not
};

/// Hands out the instances of many files, in their order, to any number of threads. Each thread reads files by
/// itself, and no more than it needs: a file is opened when no instance is waiting.
class InstanceQueue {
public:
    using Read = std::function<std::vector<Task>(const formats::Input& input, std::size_t file)>;

    InstanceQueue(std::vector<formats::Input> inputs, Read read)
        : inputs_(std::move(inputs)), read_(std::move(read)) {}

    /// Waits while other threads read what may be the last instances; nothing when none is left. What `read` throws
    /// ends the queue for all threads.
    [[nodiscard]] std::optional<Task> next();

    /// From now on `next` gives nothing.
    void close();

    /// Whether there are instances or files that nobody took.
    [[nodiscard]] bool has_more();

private:
    std::vector<formats::Input> inputs_;
    Read read_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> waiting_;
    std::size_t next_file_ = 0;
    std::size_t readers_ = 0;  // threads that read a file now
    bool closed_ = false;
};

}  // namespace neuroprim::cli
