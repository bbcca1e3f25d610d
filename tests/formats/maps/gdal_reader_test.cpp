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
        <Polygon><outerBoundaryIs><LinearRing><coordinates>8,47 9,47 9,48 8,47</coordinates></LinearRing>
        </outerBoundaryIs></Polygon></Placemark></Document></kml>)")
                  .find("no points"),
              std::string::npos);
}

TEST_F(GdalReader, PointsWithoutLinesAreAnInstanceOfPoints) {
    const Instance instance = read(R"(<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
        <Placemark><name>OSS</name><ExtendedData><SchemaData><SimpleData name="kind">substation</SimpleData>
        </SchemaData></ExtendedData><Point><coordinates>8,47</coordinates></Point></Placemark>
        <Placemark><name>T1</name><Point><coordinates>8.1,47</coordinates></Point></Placemark></Document></kml>)");
    EXPECT_EQ(instance.names, (std::vector<std::string>{"OSS", "T1"}));
    EXPECT_EQ(instance.weights.form(), Weights::Form::points);
    EXPECT_NEAR(instance.weights(0, 1), 7583, 1);
}

}  // namespace
}  // namespace neuroprim
