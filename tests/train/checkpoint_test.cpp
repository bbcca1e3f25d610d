#include "train/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <vector>

#include "neuroprim/error.hpp"
#include "train_support.hpp"

namespace neuroprim::train {
namespace {

Checkpoint example(std::int64_t step) {
    Checkpoint checkpoint;
    checkpoint.step = step;
    checkpoint.seconds = 0.1 + 0.2;
    checkpoint.configuration = "{\"n\": 20}";
    checkpoint.model["graph.weight"] = {{2, 3}, {1, 2, 3, 4, 5, 1e-38f}};
    checkpoint.optimiser["first_moments"] = {{2}, {0.1f, -0.7f}};
    return checkpoint;
}

void flip_last_byte(const std::filesystem::path& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(-1, std::ios::end);
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(-1, std::ios::end);
    file.put(byte);
}

TEST(Checkpoint, IsReadAsItWasWritten) {
    const TemporaryFolder folder;
    write_checkpoint(folder / "a.safetensors", example(7));
    const Checkpoint back = read_checkpoint(folder / "a.safetensors");
    EXPECT_EQ(back.step, 7);
    EXPECT_EQ(back.seconds, 0.1 + 0.2);
    EXPECT_EQ(back.configuration, example(7).configuration);
    EXPECT_EQ(back.model, example(7).model);
    EXPECT_EQ(back.optimiser, example(7).optimiser);
}

TEST(Checkpoint, OneFlippedBitIsNoticed) {
    const TemporaryFolder folder;
    write_checkpoint(folder / "a.safetensors", example(7));
    flip_last_byte(folder / "a.safetensors");
    EXPECT_THROW((void)read_checkpoint(folder / "a.safetensors"), InputError);
}

TEST(CheckpointFolder, KeepsTheLastOnes) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    for (const std::int64_t step : {1, 2, 10, 1000000000}) checkpoints.save(example(step), 2);
    ASSERT_EQ(checkpoints.list().size(), 2U);
    EXPECT_EQ(read_checkpoint(checkpoints.list()[0]).step, 10);
    EXPECT_EQ(read_checkpoint(checkpoints.list()[1]).step, 1000000000);
}

TEST(CheckpointFolder, NamesADamagedOneAndUsesThePreviousOne) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    for (const std::int64_t step : {1, 2, 3}) checkpoints.save(example(step), 5);
    flip_last_byte(checkpoints.list()[2]);
    std::filesystem::resize_file(checkpoints.list()[1], 20);
    std::vector<std::string> complaints;
    const auto found = checkpoints.latest([&](const std::string& text) { complaints.push_back(text); });
    ASSERT_TRUE(found);
    EXPECT_EQ(found->step, 1);
    ASSERT_EQ(complaints.size(), 2U);
    EXPECT_NE(complaints[0].find("checkpoint-000000003.safetensors"), std::string::npos);
    EXPECT_NE(complaints[1].find("checkpoint-000000002.safetensors"), std::string::npos);
}

TEST(CheckpointFolder, HasNothingToGoOnFromWhenAllAreDamaged) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    EXPECT_FALSE(checkpoints.latest([](const std::string&) {}));
    checkpoints.save(example(1), 5);
    flip_last_byte(checkpoints.list()[0]);
    EXPECT_THROW((void)checkpoints.latest([](const std::string&) {}), InputError);
}

/// A limit on the size of files fails as a full disk does: in the middle of a write.
TEST(CheckpointFolder, KeepsTheEarlierOneWhenTheDiskIsFull) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    checkpoints.save(example(1), 1);
    Checkpoint large = example(2);
    large.model["graph.weight"] = {{100000}, std::vector<float>(100000, 0.5f)};
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit tight = before;
    tight.rlim_cur = 50000;
    setrlimit(RLIMIT_FSIZE, &tight);
    std::string message;
    try {
        checkpoints.save(large, 1);
    } catch (const InputError& error) {
        message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_NE(message.find("checkpoint-000000002"), std::string::npos) << message;
    ASSERT_EQ(checkpoints.list().size(), 1U);
    EXPECT_EQ(read_checkpoint(checkpoints.list()[0]).step, 1);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
    EXPECT_EQ(files, 1U) << "nothing half written stays";
}

TEST(CheckpointFolder, SweepsWhatAKilledProcessLeft) {
    const TemporaryFolder folder;
    std::ofstream(folder / "checkpoint-000000003.safetensors.part") << "half";
    std::ofstream(folder / "checkpoint-000000003.safetensors.part.123.tmp") << "half";
    std::ofstream(folder / "notes.txt") << "mine";
    CheckpointFolder(folder.path()).sweep();
    EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint-000000003.safetensors.part"));
    EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint-000000003.safetensors.part.123.tmp"));
    EXPECT_TRUE(std::filesystem::exists(folder / "notes.txt"));
}

}  // namespace
}  // namespace neuroprim::train
