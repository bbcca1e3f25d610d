#include "formats/text/values.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace neuroprim::formats {
namespace {

TEST(PlausibleSize, LeavesAtMostAMillionVerticesWithoutAnEdge) {
    EXPECT_TRUE(is_plausible_size(1'000'000, 0));
    EXPECT_FALSE(is_plausible_size(1'000'001, 0));
    EXPECT_TRUE(is_plausible_size(1'000'002, 1));
    EXPECT_FALSE(is_plausible_size(1'000'003, 1));
    EXPECT_FALSE(is_plausible_size(std::numeric_limits<std::int64_t>::max(), 1));
}

TEST(PlausibleSize, TakesAnyNumberOfEdges) {
    EXPECT_TRUE(is_plausible_size(1'000'000, 4'975'542'244'881'494'511));
    EXPECT_TRUE(is_plausible_size(2'000'000, std::numeric_limits<std::size_t>::max()));
}

}  // namespace
}  // namespace neuroprim::formats
