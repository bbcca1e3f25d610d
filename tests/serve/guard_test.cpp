#include "serve/guard.hpp"

#include <gtest/gtest.h>

namespace neuroprim::serve {

namespace {

TEST(Guard, KnowsTheNamesOfThisMachine) {
    const Guard guard("127.0.0.1", {});
    for (const char* host : {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:80"}) {
        EXPECT_FALSE(guard.objection(host, "")) << host;
    }
    for (const char* host : {"", "evil.example", "localhost.evil.example:8080", "192.168.0.1", "[::2]", "[::1"}) {
        EXPECT_TRUE(guard.objection(host, "")) << host;
    }
}

TEST(Guard, KnowsTheNamesItIsTold) {
    const Guard guard("10.0.0.5", {"trees.example"});
    EXPECT_FALSE(guard.objection("10.0.0.5:8080", ""));
    EXPECT_FALSE(guard.objection("trees.example", "https://trees.example"));
    EXPECT_TRUE(guard.objection("other.example", ""));
}

/// A name can be made to point here by whoever owns it; a number cannot.
TEST(Guard, EveryAddressMayBeCalledByNumberWhereItListensToAll) {
    const Guard guard("0.0.0.0", {});
    EXPECT_FALSE(guard.objection("192.168.0.7:8080", ""));
    EXPECT_FALSE(guard.objection("[fe80::1]:8080", ""));
    EXPECT_TRUE(guard.objection("evil.example:8080", ""));
}

TEST(Guard, PagesOfOtherSitesAreRefused) {
    const Guard guard("127.0.0.1", {});
    EXPECT_FALSE(guard.objection("localhost:8080", "http://localhost:8080"));
    for (const char* origin : {"null", "http://evil.example", "http://localhost:9090", "http://127.0.0.1:8080",
                               "file://", "localhost:8080"}) {
        EXPECT_TRUE(guard.objection("localhost:8080", origin)) << origin;
    }
}

}  // namespace

}  // namespace neuroprim::serve
