#include "graph/available_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace neuroprim {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t megabyte = 1024 * 1024;

/// A folder that looks like the root of a system.
class AvailableMemory : public ::testing::Test {
protected:
    AvailableMemory() { fs::create_directories(root_ / "proc/self"); }
    ~AvailableMemory() override { fs::remove_all(root_); }

    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }

    fs::path root_ = fs::path(::testing::TempDir()) / ("available-memory-" + std::to_string(::getpid()));
};

TEST_F(AvailableMemory, IsUnknownWhereTheSystemDoesNotTell) {
    EXPECT_EQ(available_memory(root_), std::nullopt);
    write("proc/meminfo", "MemAvailable: a lot\n");
    EXPECT_EQ(available_memory(root_), std::nullopt);
}

TEST_F(AvailableMemory, IsWhatTheSystemHas) {
    write("proc/meminfo", "MemTotal:       24000000 kB\nMemFree:          102400 kB\nMemAvailable:    2097152 kB\n");
    EXPECT_EQ(available_memory(root_), 2048 * megabyte);
    write("proc/self/cgroup", "0::/user/me\n");
    write("sys/fs/cgroup/user/me/memory.max", "max\n");
    EXPECT_EQ(available_memory(root_), 2048 * megabyte);
}

TEST_F(AvailableMemory, IsWhatTheTightestControlGroupLeaves) {
    write("proc/meminfo", "MemAvailable:    2097152 kB\n");
    write("proc/self/cgroup", "0::/user/me\n");
    write("sys/fs/cgroup/user/memory.max", std::to_string(1000 * megabyte));
    write("sys/fs/cgroup/user/memory.current", std::to_string(700 * megabyte));
    write("sys/fs/cgroup/user/me/memory.max", "max\n");
    write("sys/fs/cgroup/user/me/memory.current", std::to_string(10 * megabyte));
    EXPECT_EQ(available_memory(root_), 300 * megabyte);
    write("sys/fs/cgroup/user/memory.stat",
          "anon 123\ninactive_file " + std::to_string(100 * megabyte) + "\nactive_file 7\n");
    EXPECT_EQ(available_memory(root_), 400 * megabyte);
}

TEST_F(AvailableMemory, KnowsTheFirstVersionOfControlGroups) {
    write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(100 * megabyte));
    EXPECT_GT(available_memory(root_).value(), 1'000'000 * megabyte);
    write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", std::to_string(512 * megabyte));
    write("sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", std::to_string(600 * megabyte));
    EXPECT_EQ(available_memory(root_), 0u);
}

}  // namespace

}  // namespace neuroprim
