#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {
namespace {

constexpr std::string_view hamlet = R"(<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6">
  <node id="1" lat="47.000" lon="8.000"/>
  <node id="2" lat="47.001" lon="8.001"/>
  <node id="3" lat="47.000" lon="8.002"/>
  <node id="4" lat="47.003" lon="8.001"/>
  <node id="5" lat="47.0001" lon="8.0005"><tag k="addr:housenumber" v="7"/><tag k="addr:street" v="High Street"/></node>
  <node id="6" lat="47.003" lon="8.0011"><tag k="addr:housenumber" v="9"/></node>
  <node id="7" lat="47.002" lon="8.0011"><tag k="amenity" v="bench"/></node>
  <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/><tag k="name" v="High Street"/></way>
  <way id="11"><nd ref="2"/><nd ref="4"/><tag k="highway" v="track"/></way>
  <way id="12"><nd ref="4"/><nd ref="99"/><tag k="highway" v="track"/></way>
  <way id="13"><nd ref="1"/><nd ref="4"/><tag k="highway" v="proposed"/></way>
  <way id="14"><nd ref="1"/><nd ref="3"/><tag k="waterway" v="river"/></way>
</osm>)";

/// The same as PBF, in base 64.
constexpr std::string_view packed_hamlet =
    "AAAADQoJT1NNSGVhZGVyGDsQLxo3eJxT4vMvzg1OzkjNTdQNM9AzU+JySc0rTvXLT0ktbmIUyMlMyi/OzSzN1TfSM7TUMwAA"
    "X3QOlwAAAAwKB09TTURhdGEYoAEQwgEamgF4nONy42IAQoHElJQiq4z80uLUvNLcpNQiLkZzLm6wYHFJUWpqCRe3R2Z6hkIw"
    "hMNoycWemJual1lSycWalJqXnCFUIVTGxc4EAVq6XOwMECAEY0jBGEowhhY7E4ThJN7QNvcA84I5jPPnMD64wtx/lHnCUWYg"
    "20uo4cJSH6A4RKrf70EsQxA/SAsTMwsrAxMbAzsHAwD8nStHAAAADAoHT1NNRGF0YRiiARDaARqcAXicbcsxDoIwFIDhvkeB"
    "+lBjOmFdiJPncHJz8ASNvkijAimNxAt4LM9mdcM4f/9PexKU1+5cD/ZBsrE3psJz707cBGevVOyiVYfgmUNM0+Dt8UKq823X"
    "9nwiNdjA/jOn3t3Z6yeYlSKNgAYTuSYlFqIUldik2wQRTakKDWAgGxFKaZZq+kcS9YI4zb6UjyfMosw1KAOTH5FvuJIh7Q==";

std::string decoded(std::string_view text) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
        if (c == '=') break;
        bits = bits << 6 | static_cast<unsigned>(digits.find(c));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    return bytes;
}

bool has_osmium() {
    return testing::refusal(hamlet).find("cannot read") == std::string::npos;
}

class OsmReader : public ::testing::Test {
protected:
    void SetUp() override {
        if (!has_osmium()) GTEST_SKIP() << "built without libosmium";
    }

    static Instance read(const MapOptions& options, std::vector<std::string>* warnings = nullptr) {
        ReadOptions read;
        read.map = options;
        read.warn = [&](const std::string& message) {
            if (warnings != nullptr) warnings->push_back(message);
        };
        return std::move(parse_instances(hamlet, "file", read).front());
    }
};

TEST_F(OsmReader, HighwaysAreEdgesThatMeetAtSharedNodes) {
    std::vector<std::string> warnings;
    const Instance instance = read({}, &warnings);
    EXPECT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.weights.edge_count(), 3U) << "neither the river nor what is only proposed";
    EXPECT_TRUE(instance.terminals.empty());
    EXPECT_EQ(warnings,
              std::vector<std::string>{"file: way 12 has nodes that the file does not hold, one of 1 such ways: ways "
                                       "end there"});
}

TEST_F(OsmReader, NodesWithATagAreTerminals) {
    const Instance instance = read({.terminal_tag = "addr:housenumber"});
    EXPECT_EQ(instance.size(), 5) << "one house cuts its street";
    ASSERT_EQ(instance.terminals.size(), 2U);
    EXPECT_EQ(instance.label(instance.terminals[0]), "High Street 7");
    EXPECT_EQ(instance.map->addresses[0].feature, 5);
    EXPECT_EQ(read({.terminal_tag = "amenity=bench"}).terminals.size(), 1U);
    EXPECT_TRUE(read({.terminal_tag = "amenity=school"}).terminals.empty());
}

TEST_F(OsmReader, FilesAreReadToo) {
    const testing::Folder folder;
    EXPECT_EQ(read_instances(folder.file("hamlet.osm", hamlet)).front().size(), 4);
    EXPECT_EQ(read_instances(folder.file("plain", hamlet), "osm").front().name, "plain");
}

TEST_F(OsmReader, PackedFilesAreTheSame) {
    const testing::Folder folder;
    const Instance packed = std::move(read_instances(folder.file("hamlet.osm.pbf", decoded(packed_hamlet))).front());
    EXPECT_EQ(packed.weights.edges(), read({}).weights.edges());
    EXPECT_EQ(packed.layout, read({}).layout);
}

TEST_F(OsmReader, WhatIsBrokenIsSaid) {
    EXPECT_NE(testing::refusal("<osm version=\"0.6\"><node id=").find("file: is no OpenStreetMap file"),
              std::string::npos);
    EXPECT_EQ(testing::refusal("<osm version=\"0.6\"></osm>"), "file: there are no highways in this file");
    const testing::Folder folder;
    const std::string head("\0\0\0\x0d\x0a\x09OSMHeader\x18\x05 nothing more", 31);
    const std::string pbf = folder.file("cut.osm.pbf", head);
    EXPECT_THROW(static_cast<void>(read_instances(pbf)), InputError);
}

}  // namespace
}  // namespace neuroprim
