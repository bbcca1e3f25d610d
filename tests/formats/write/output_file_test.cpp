#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {
namespace {
namespace fs = std::filesystem;

class OutputFileTest : public ::testing::Test {
protected:
    OutputFileTest() {
        std::string pattern = (fs::temp_directory_path() / "neuroprim-output-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~OutputFileTest() override {
        fs::permissions(folder_, fs::perms::owner_all);
        fs::remove_all(folder_);
    }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

    [[nodiscard]] std::size_t files_in_folder() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    static std::string content(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static std::string reason_of_failing(const std::string& path) {
        try {
            write_file(path, "text");
        } catch (const InputError& error) {
            return error.what();
        }
        return "wrote it";
    }

    fs::path folder_;
};

TEST_F(OutputFileTest, AppearsOnlyWhenItIsComplete) {
    OutputFile file(path("tree.json"));
    file.write("first,");
    file.write("second");
    EXPECT_FALSE(fs::exists(path("tree.json")));
    file.commit();
    EXPECT_EQ(content(path("tree.json")), "first,second");
    EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(OutputFileTest, LeavesNothingBehindWhenAnExceptionPasses) {
    const auto interrupted = [&] {
        OutputFile file(path("tree.json"));
        file.write("half a tr");
        throw std::runtime_error("the sky fell");
    };
    EXPECT_THROW(interrupted(), std::runtime_error);
    EXPECT_EQ(files_in_folder(), 0U);
}

TEST_F(OutputFileTest, KeepsTheOldFileWhenTheNewOneFails) {
    write_file(path("tree.json"), "old");
    {
        OutputFile file(path("tree.json"));
        file.write("half a tr");
    }
    EXPECT_EQ(content(path("tree.json")), "old");
    EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(OutputFileTest, KeepsTheModeOfTheFileItReplaces) {
    write_file(path("tree.json"), "old");
    fs::permissions(path("tree.json"), fs::perms::owner_read | fs::perms::owner_write);
    write_file(path("tree.json"), "new");
    EXPECT_EQ(fs::status(path("tree.json")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(content(path("tree.json")), "new");
}

TEST_F(OutputFileTest, WritesThroughASymbolicLink) {
    write_file(path("target.json"), "old");
    fs::create_symlink("target.json", path("link.json"));
    write_file(path("link.json"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link.json")));
    EXPECT_EQ(content(path("target.json")), "new");
}

TEST_F(OutputFileTest, WritesToADeviceWithoutReplacingIt) {
    write_file("/dev/null", "text");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, CanBeCheckedAheadAndThenNothingIsThere) {
    EXPECT_NO_THROW(check_writable(path("new.json")));
    EXPECT_EQ(files_in_folder(), 0U);
    write_file(path("old.json"), "old");
    EXPECT_NO_THROW(check_writable(path("old.json")));
    EXPECT_EQ(content(path("old.json")), "old");
    EXPECT_EQ(files_in_folder(), 1U);
    EXPECT_NO_THROW(check_writable("-"));
    EXPECT_NO_THROW(check_writable("/dev/null"));
    EXPECT_THROW(check_writable(path("absent/new.json")), InputError);
    EXPECT_THROW(check_writable(folder_.string()), InputError);
}

TEST_F(OutputFileTest, ToAPipeIsCheckedWithoutWaitingForItsReader) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_NO_THROW(check_writable(path("pipe")));
}

TEST_F(OutputFileTest, SaysThatTheFolderDoesNotExist) {
    const std::string name = path("missing/tree.json");
    EXPECT_EQ(reason_of_failing(name),
              name + ": cannot write: the folder \"" + path("missing") + "\" does not exist");
}

TEST_F(OutputFileTest, SaysThatTheFolderIsAFile) {
    write_file(path("tree.json"), "text");
    const std::string name = path("tree.json") + "/tree.svg";
    EXPECT_EQ(reason_of_failing(name), name + ": cannot write: \"" + path("tree.json") + "\" is not a folder");
}

TEST_F(OutputFileTest, SaysThatTheNameIsAFolder) {
    EXPECT_EQ(reason_of_failing(folder_.string()), folder_.string() + ": cannot write: this is a folder, not a file");
}

TEST_F(OutputFileTest, SaysThatTheDiskIsFull) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    EXPECT_EQ(reason_of_failing("/dev/full"), "/dev/full: cannot write: the disk is full");
}

TEST_F(OutputFileTest, SaysThatTheFolderIsNotWritable) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(
        reason_of_failing(path("tree.json")),
        path("tree.json") + ": cannot write: no permission to write in the folder \"" + folder_.string() + "\"");
    EXPECT_EQ(files_in_folder(), 0U);
}

TEST_F(OutputFileTest, DoesNotReplaceAWriteProtectedFile) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    write_file(path("tree.json"), "old");
    fs::permissions(path("tree.json"), fs::perms::owner_read);
    EXPECT_EQ(reason_of_failing(path("tree.json")),
              path("tree.json") + ": cannot write: the file exists and is write-protected");
    EXPECT_EQ(content(path("tree.json")), "old");
}

TEST(StandardOutput, IsWrittenInTheOrderOfTheProgram) {
    ::testing::internal::CaptureStdout();
    std::printf("before,");
    write_file("-", "text,");
    std::printf("after");
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "before,text,after");
}

}  // namespace
}  // namespace neuroprim::formats
