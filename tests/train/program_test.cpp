#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "train/checkpoint.hpp"
#include "train_support.hpp"

// The program as people run it: processes, signals, several of them at once.
namespace neuroprim::train {
namespace {

using namespace std::chrono_literals;

class Process {
public:
    Process(std::vector<std::string> arguments, const std::filesystem::path& log,
            const std::vector<std::pair<std::string, std::string>>& environment = {}) {
        arguments.insert(arguments.begin(), NEUROPRIM_TRAIN_PROGRAM);
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        id_ = ::fork();
        if (id_ != 0) return;
        const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        ::dup2(output, STDOUT_FILENO);
        ::dup2(output, STDERR_FILENO);
        for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    ~Process() {
        if (id_ <= 0) return;
        ::kill(id_, SIGKILL);
        (void)wait();
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void signal(int number) const { ::kill(id_, number); }

    /// The exit code; −1 when a signal ended it.
    int wait() {
        int status = 0;
        ::waitpid(id_, &status, 0);
        id_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    pid_t id_ = 0;
};

std::vector<std::string> training(const std::filesystem::path& run, int updates) {
    return {"train",
            "-o",
            run.string(),
            "--resume",
            "--problem",
            "dcmst",
            "--degree",
            "2",
            "--d-v",
            "16",
            "--d-e",
            "8",
            "--d-f",
            "16",
            "--heads",
            "4",
            "--encoder-layers",
            "1",
            "--n",
            "6",
            "--graphs",
            "4",
            "--trajectories",
            "4",
            "--threads",
            "1",
            "--device",
            "cpu",
            "--learning-rate",
            "1e-3",
            "--log-every",
            "10",
            "--keep",
            "2",
            "--checkpoint-every",
            "5",
            "--validate-every",
            "50",
            "--validation-graphs",
            "5",
            "--updates",
            std::to_string(updates)};
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

Checkpoint last_checkpoint(const std::filesystem::path& run) {
    return CheckpointFolder(run).latest([](const std::string& message) { ADD_FAILURE() << message; }).value();
}

bool wait_for_checkpoint(const std::filesystem::path& run, std::int64_t beyond) {
    const CheckpointFolder checkpoints(run);
    for (int k = 0; k < 3000; ++k, std::this_thread::sleep_for(10ms)) {
        const auto paths = checkpoints.list();
        if (!paths.empty() && std::stoll(paths.back().stem().string().substr(11)) > beyond) return true;
    }
    return false;
}

int free_port() {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(descriptor);
    return ntohs(address.sin_port);
}

TEST(Program, KilledAgainAndAgainEndsAsOneNeverStopped) {
    const TemporaryFolder folder;
    constexpr int updates = 300;
    ASSERT_EQ(Process(training(folder / "straight", updates), folder / "log").wait(), 0) << text_of(folder / "log");
    std::int64_t reached = 0;
    for (int k = 0; k < 3; ++k) {
        Process process(training(folder / "killed", updates), folder / "log");
        ASSERT_TRUE(wait_for_checkpoint(folder / "killed", reached)) << text_of(folder / "log");
        std::this_thread::sleep_for(std::chrono::milliseconds(7 * k));
        process.signal(SIGKILL);
        (void)process.wait();
        reached = last_checkpoint(folder / "killed").step;
    }
    ASSERT_EQ(Process(training(folder / "killed", updates), folder / "log").wait(), 0) << text_of(folder / "log");
    const Checkpoint straight = last_checkpoint(folder / "straight");
    const Checkpoint killed = last_checkpoint(folder / "killed");
    EXPECT_EQ(killed.step, updates);
    EXPECT_EQ(killed.model, straight.model);
    EXPECT_EQ(killed.optimiser, straight.optimiser);
    EXPECT_EQ(CheckpointFolder(folder / "killed").list().size(), 2U);

    std::ifstream metrics(folder / "killed" / "metrics.jsonl");
    std::int64_t before = 0;
    for (std::string line; std::getline(metrics, line);) {
        const auto step = nlohmann::json::parse(line).at("step").get<std::int64_t>();
        EXPECT_GT(step, before);
        before = step;
    }
    EXPECT_EQ(before, updates);
}

TEST(Program, SavesAndEndsWellWhenAskedToStop) {
    for (const int number : {SIGINT, SIGTERM}) {
        const TemporaryFolder folder;
        Process process(training(folder / "run", 1000000), folder / "log");
        ASSERT_TRUE(wait_for_checkpoint(folder / "run", 0)) << text_of(folder / "log");
        process.signal(number);
        EXPECT_EQ(process.wait(), 0) << text_of(folder / "log");
        const Checkpoint last = last_checkpoint(folder / "run");
        EXPECT_NE(text_of(folder / "log").find("stopped and saved after update " + std::to_string(last.step)),
                  std::string::npos)
            << text_of(folder / "log");
    }
}

TEST(Program, LetsNoSecondProcessWriteIntoTheSameFolder) {
    const TemporaryFolder folder;
    Process first(training(folder / "run", 1000000), folder / "log");
    ASSERT_TRUE(wait_for_checkpoint(folder / "run", 0)) << text_of(folder / "log");
    EXPECT_EQ(Process(training(folder / "run", 1000000), folder / "log2").wait(), 2);
    EXPECT_EQ(text_of(folder / "log2"),
              fmt::format("neuroprim-train: {}: another process is training here\n", (folder / "run").string()));
}

struct OneAndTwo {
    Checkpoint one;
    Checkpoint two;
};

/// The same run by one process and by two that share its batches.
OneAndTwo train_by_one_and_two(int updates) {
    const TemporaryFolder folder;
    EXPECT_EQ(Process(training(folder / "one", updates), folder / "log").wait(), 0) << text_of(folder / "log");
    const std::string port = std::to_string(free_port());
    const auto place = [&](const char* rank) -> std::vector<std::pair<std::string, std::string>> {
        return {{"RANK", rank}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", port}};
    };
    Process first(training(folder / "two", updates), folder / "log0", place("0"));
    Process second(training(folder / "two", updates), folder / "log1", place("1"));
    EXPECT_EQ(first.wait(), 0) << text_of(folder / "log0");
    EXPECT_EQ(second.wait(), 0) << text_of(folder / "log1");
    EXPECT_EQ(text_of(folder / "log1"), "") << "only process 0 speaks";
    return {last_checkpoint(folder / "one"), last_checkpoint(folder / "two")};
}

/// A tenth of the gradient is the first moment after one update.
TEST(Program, TwoProcessesHaveTheGradientOfTheJoinedBatch) {
    const auto [one, two] = train_by_one_and_two(1);
    const auto& expected = one.optimiser.at("first_moments").values;
    const auto& found = two.optimiser.at("first_moments").values;
    ASSERT_EQ(found.size(), expected.size());
    float largest = 0;
    for (const float value : expected) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < expected.size(); ++k) ASSERT_NEAR(found[k], expected[k], 1e-5 * largest);
}

/// What a softmax or a batch norm takes out again: biases before them, and the scale before the encoder's closing
/// norm. Their gradient is rounding, which Adam makes whole steps of, and running statistics follow them.
bool is_without_effect(const std::string& name) {
    const bool before_batch_norm = name.starts_with("encoder") && name.ends_with(".bias");
    const bool before_closing_norm = name == "encoder.0.output_norm.weight" || name == "encoder_norm.running_var";
    return name.ends_with("key.bias") || before_batch_norm || before_closing_norm || name.ends_with("running_mean");
}

TEST(Program, TwoProcessesLearnWhatOneLearnsFromTheJoinedBatch) {
    constexpr int updates = 6;
    const auto [one, two] = train_by_one_and_two(updates);
    EXPECT_EQ(two.step, updates);
    for (const auto& [name, tensor] : one.model) {
        if (is_without_effect(name)) continue;
        for (std::size_t k = 0; k < tensor.values.size(); ++k) {
            ASSERT_NEAR(two.model.at(name).values[k], tensor.values[k], 2e-4) << name << "[" << k << "]";
        }
    }
}

TEST(Program, ExplainsWhatIsWrongAndEndsWithTwo) {
    const TemporaryFolder folder;
    const auto complaint = [&](const std::vector<std::string>& arguments) {
        EXPECT_EQ(Process(arguments, folder / "log").wait(), 2);
        return text_of(folder / "log");
    };
    EXPECT_EQ(complaint({"train", "-o", folder / "run", "--n", "many"}),
              "neuroprim-train: command line: n: expected a whole number, found \"many\"\n");
    std::ofstream(folder / "a.toml") << "n = 20\nlearning_rat = 1";
    EXPECT_EQ(complaint({"train", "-o", folder / "run", "--config", folder / "a.toml"}),
              "neuroprim-train: " + (folder / "a.toml").string() + ":2: unknown option \"learning_rat\"\n");
    EXPECT_NE(complaint({"train", "-o", folder / "run", "--learning-rat", "1"}).find("--learning-rat"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / "run"));

    std::ofstream(folder / "file") << "in the way";
    EXPECT_NE(complaint(training(folder / "file" / "run", 5)).find("cannot be made"), std::string::npos);
    EXPECT_NE(complaint({"export", folder.path(), "-o", folder / "m.safetensors"}).find("holds no checkpoint"),
              std::string::npos);
}

TEST(Program, NamesADamagedCheckpointAndGoesOnFromTheOneBefore) {
    const TemporaryFolder folder;
    ASSERT_EQ(Process(training(folder / "run", 10), folder / "log").wait(), 0) << text_of(folder / "log");
    const auto paths = CheckpointFolder(folder / "run").list();
    ASSERT_EQ(paths.size(), 2U);
    std::filesystem::resize_file(paths[1], std::filesystem::file_size(paths[1]) / 2);
    ASSERT_EQ(Process(training(folder / "run", 12), folder / "log").wait(), 0) << text_of(folder / "log");
    EXPECT_NE(text_of(folder / "log").find(paths[1].string()), std::string::npos) << text_of(folder / "log");
    EXPECT_NE(text_of(folder / "log").find("from update 5"), std::string::npos) << text_of(folder / "log");
    EXPECT_EQ(last_checkpoint(folder / "run").step, 12);

    std::vector<std::string> anew = training(folder / "run", 12);
    anew.erase(std::find(anew.begin(), anew.end(), "--resume"));
    EXPECT_EQ(Process(anew, folder / "log").wait(), 2);
    EXPECT_NE(text_of(folder / "log").find("--resume goes on with it"), std::string::npos);
}

TEST(Program, DecodesFilesIntoCostsAndTrees) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "points");
    std::ofstream(folder / "points" / "a.csv") << "x,y\n0,0\n1,0\n0,1\n";
    std::ofstream(folder / "points" / "b.csv") << "x,y\n0,0\n3,0\n0,4\n";
    PolicyConfig config;
    config.d_v = 16;
    config.d_e = 8;
    config.heads = 4;
    config.problem = "mst";
    Policy::random(config, 1).save(folder / "policy.safetensors");
    const auto decoding = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = {"decode",  folder / "points",   "--model", folder / "policy.safetensors",
                                          "--trees", folder / "trees.npy"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    ASSERT_EQ(Process(decoding({"--costs", folder / "costs.csv"}), folder / "log").wait(), 0)
        << text_of(folder / "log");
    EXPECT_EQ(text_of(folder / "costs.csv").substr(0, 12), "name,cost\na,");
    EXPECT_NE(text_of(folder / "trees.npy").find("'shape': (2, 2, 2,)"), std::string::npos);
    EXPECT_NE(text_of(folder / "log").find("6 trees in"), std::string::npos) << text_of(folder / "log");

    std::ofstream(folder / "points" / "c.csv") << "x,y\n0,0\n3,0\n";
    EXPECT_EQ(Process(decoding({}), folder / "log").wait(), 2);
    EXPECT_NE(text_of(folder / "log").find("equally many vertices: a has 3, c 2"), std::string::npos)
        << text_of(folder / "log");
    EXPECT_EQ(Process(decoding({"--hops", "1.5"}), folder / "log").wait(), 2);
    EXPECT_NE(text_of(folder / "log").find("--hops: expected a whole number"), std::string::npos)
        << text_of(folder / "log");
}

}  // namespace
}  // namespace neuroprim::train
