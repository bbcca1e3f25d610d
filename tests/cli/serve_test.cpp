#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "cli/command_line.hpp"

namespace neuroprim {
namespace {

using testing::neuroprim_command;
using testing::StartedCommand;

#ifdef NEUROPRIM_SERVES

TEST(Serve, TellsItsAddressAndEndsWhenAsked) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const StartedCommand server({"serve", "--port", "0"});
        for (int k = 0; k < 1000 && server.output().empty(); ++k) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        server.signal(signal);
        const auto outcome = server.wait();
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(outcome.out.substr(0, 17), "http://127.0.0.1:");
        EXPECT_EQ(outcome.err, "");
    }
}

TEST(Serve, AnAddressThatCannotBeHadIsAnError) {
    const auto outcome = neuroprim_command({"serve", "--host", "192.0.2.1"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err.substr(0, 53), "neuroprim: cannot listen on 192.0.2.1 port 8080: Cann");
    EXPECT_EQ(neuroprim_command({"serve", "--port", "70000"}).exit_code, 2);
    EXPECT_EQ(neuroprim_command({"serve", "--jobs", "0"}).exit_code, 2);
}

#else

TEST(Serve, ABuildWithoutAServerSaysSo) {
    const auto outcome = neuroprim_command({"serve", "--port", "8080"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err,
              "neuroprim: this build has no server: install libcpp-httplib-dev and esbuild, then run make build\n");
}

#endif

}  // namespace
}  // namespace neuroprim
