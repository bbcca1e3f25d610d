#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"
#include "support/complaint.hpp"

namespace neuroprim {
namespace {

using testing::complaint_of;

class CableTable : public ::testing::Test {
protected:
    [[nodiscard]] std::vector<Cable> read(std::string_view text) const {
        return read_cables(folder_.file("cables.csv", text));
    }
    [[nodiscard]] std::string complaint(std::string_view text) const {
        return complaint_of([&] { static_cast<void>(read(text)); });
    }

private:
    testing::Folder folder_;
};

TEST_F(CableTable, ColumnsAreNamedOrInTheirOrder) {
    for (const auto* text : {"5,100\n8,140\n", "capacity,price\n5,100\n8,140\n", "price;capacity\n100;5\n140;8\n"}) {
        const auto cables = read(text);
        ASSERT_EQ(cables.size(), 2U) << text;
        EXPECT_EQ(cables[0].capacity, 5);
        EXPECT_EQ(cables[0].price, 100);
        EXPECT_EQ(cables[1].capacity, 8);
        EXPECT_EQ(cables[1].price, 140);
    }
}

TEST_F(CableTable, IsSortedByCapacity) {
    const auto cables = read("8,140\n5,100\n");
    EXPECT_EQ(cables[0].capacity, 5);
    EXPECT_EQ(cables[1].price, 140);
}

TEST_F(CableTable, RefusalsNameTheLineAndWhatWasExpected) {
    EXPECT_NE(complaint("capacity,price\n").find("expected rows with a capacity"), std::string::npos);
    EXPECT_NE(complaint("capacity,colour\n5,red\n").find("expected a header with capacity and price"),
              std::string::npos);
    EXPECT_NE(complaint("5,100\n8\n").find("cables.csv:2"), std::string::npos) << complaint("5,100\n8\n");
    EXPECT_NE(complaint("5,100\n8,dear\n").find("a price"), std::string::npos) << complaint("5,100\n8,dear\n");
}

}  // namespace
}  // namespace neuroprim
