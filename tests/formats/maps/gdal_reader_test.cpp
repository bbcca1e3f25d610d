// Files that only GDAL reads; KML, since it is text.
#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"
#include "support/complaint.hpp"

namespace neuroprim {
namespace {

using testing::complaint_of;

constexpr std::string_view kml_hamlet = R"(<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
  <Placemark><name>High Street</name><LineString><coordinates>8.000,47.000 8.001,47.001 8.002,47.000</coordinates></LineString></Placemark>
  <Placemark><name>Lane</name><LineString><coordinates>8.001,47.001 8.001,47.003</coordinates></LineString></Placemark>
  <Placemark><name>farm</name><Point><coordinates>8.001,47.003</coordinates></Point></Placemark>
  <Placemark><name>inn</name><Point><coordinates>8.000,47.000</coordinates></Point></Placemark>
</Document></kml>)";

class GdalReader : public ::testing::Test {
protected:
    void SetUp() override {
        const std::string complaint = complaint_of([&] { static_cast<void>(read(kml_hamlet)); });
        for (const auto* reason : {"needs GDAL", "GDAL cannot read it", "this build cannot read"}) {
            if (complaint.find(reason) != std::string::npos) GTEST_SKIP() << complaint;
        }
    }

    [[nodiscard]] Instance read(std::string_view text) const {
        return std::move(read_instances(folder_.file("hamlet.kml", text), "gdal").front());
    }

private:
    testing::Folder folder_;
};

TEST_F(GdalReader, LinesAreStreetsThatMeetWhereTheyEnd) {
    const Instance instance = read(kml_hamlet);
    EXPECT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.weights.edge_count(), 3U);
    EXPECT_EQ(instance.terminals.size(), 2U);
    EXPECT_NEAR(instance.weights.edges().front().weight, 134.8, 0.5) << "metres";
}

TEST_F(GdalReader, SaysWhatIsMissing) {
    const auto complaint = [&](std::string_view text) {
        return complaint_of([&] { static_cast<void>(read(text)); });
    };
    EXPECT_NE(complaint("no map at all").find("GDAL cannot read it"), std::string::npos);
    EXPECT_NE(complaint(R"(<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark>
        <Point><coordinates>8,47</coordinates></Point></Placemark></Document></kml>)")
                  .find("no lines"),
              std::string::npos);
}

}  // namespace
}  // namespace neuroprim
