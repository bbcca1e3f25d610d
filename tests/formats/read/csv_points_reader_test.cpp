#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;
using testing::warnings_of;

using Lines = std::vector<std::string>;

TEST(CsvPointsReader, ReadsAHeaderInAnyOrderAndCase) {
    const auto instance = read_one("Y,id,X\n1,a,2\n3,b,4\n");
    ASSERT_EQ(instance.size(), 2);
    EXPECT_EQ(instance.weights.points()[0], (Point{2, 1}));
    EXPECT_EQ(instance.weights.points()[1], (Point{4, 3}));
    EXPECT_EQ(instance.weights.metric(), Metric::euclidean);
    EXPECT_TRUE(instance.names.empty());
}

TEST(CsvPointsReader, SeparatorsAreCommasSemicolonsTabsOrSpaces) {
    for (const auto* text : {"x,y\n1,2\n", "x;y\n1;2\n", "x\ty\n1\t2\n", "x y\n1  2 \n", "1,2", "1;2", " 1 , 2 "}) {
        const auto instance = read_one(text);
        ASSERT_EQ(instance.size(), 1) << text;
        EXPECT_EQ(instance.weights.points()[0], (Point{1, 2})) << text;
    }
}

TEST(CsvPointsReader, LongitudeAndLatitudeAreMeasuredOnTheGlobe) {
    for (const auto* header : {"lon,lat", "Longitude,Latitude", "lng,lat"}) {
        const auto instance = read_one(std::string(header) + "\n10,20\n11,21\n");
        EXPECT_EQ(instance.weights.metric(), Metric::great_circle);
        EXPECT_EQ(instance.weights.points()[0], (Point{10, 20}));
    }
    EXPECT_EQ(read_one("lat,lon\n20,10\n").weights.points()[0], (Point{10, 20}));
    EXPECT_EQ(refusal("lon,lat\n10,20\n48.85,102.35\n"), "file:3: latitude 102.35 is outside -90 to 90");
}

TEST(CsvPointsReader, ReadsNamesTerminalsAndDegrees) {
    const auto instance = read_one("name,x,y,terminal,degree\na,0,0,yes,3\nb,1,0,FALSE,\n,2,0,,2\nd,3,0,1,1\n");
    EXPECT_EQ(instance.names, (std::vector<std::string>{"a", "b", "2", "d"}));
    EXPECT_EQ(instance.terminals, (std::vector<Vertex>{0, 3}));
    EXPECT_EQ(instance.degree_limits, (std::vector<int>{3, 3, 2, 1}));  // n − 1 binds nobody
}

TEST(CsvPointsReader, HeaderlessRowsAreXYOrNameXY) {
    EXPECT_EQ(read_one("1,2\n3,4\n").size(), 2);
    const auto named = read_one("home,1,2\nwork,3,4\n7,5,6\n");
    EXPECT_EQ(named.names, (std::vector<std::string>{"home", "work", "7"}));
    EXPECT_EQ(named.weights.points()[2], (Point{5, 6}));
}

TEST(CsvPointsReader, QuotesAreThoseOfRfc4180) {
    const auto instance = read_one(
        "\xef\xbb\xbf\"name\",\"x\",\"y\"\r\n\"a \"\"b\"\", c\",1,2\r\n \"two\r\nlines\" ,\"3\",4\r\n\"\",5,6");
    EXPECT_EQ(instance.names, (std::vector<std::string>{"a \"b\", c", "two\r\nlines", "2"}));
    EXPECT_EQ(instance.weights.points()[1], (Point{3, 4}));
}

TEST(CsvPointsReader, RefusesBrokenQuotes) {
    EXPECT_EQ(refusal("name,x,y\n\"a,1,2\n"),
              "file:2: expected a quote that ends this cell, found the end of the file");
    EXPECT_EQ(refusal("name,x,y\n\"a\"b,1,2\n"), "file:2: expected the cell to end after its closing quote");
}

TEST(CsvPointsReader, TakesAnyLineEndsAndBlankLines) {
    for (const auto* text : {"x,y\n1,2\n3,4", "x,y\r1,2\r3,4\r", "\n\nx,y\r\n\r\n1,2\r\n  \r\n3,4\r\n\r\n"}) {
        EXPECT_EQ(read_one(text).size(), 2) << text;
    }
    EXPECT_EQ(refusal("x,y\r1,2\r3,z\r"), "file:3: expected a number, found \"z\"");
}

TEST(CsvPointsReader, NamesTheLineOfABadCell) {
    EXPECT_EQ(refusal("x,y\n1,2\n3,abc\n"), "file:3: expected a number, found \"abc\"");
    EXPECT_EQ(refusal("x,y\n1,2\n3,\n"), "file:3: expected a number, found nothing");
    EXPECT_EQ(refusal("x,y\n1,nan\n"), "file:2: expected a number, found \"nan\"");
    EXPECT_EQ(refusal("x,y\n1,2\n3\n"), "file:3: expected 2 columns, found 1");
    EXPECT_EQ(refusal("x,y\n1,2,3\n"), "file:2: expected 2 columns, found 3");
    EXPECT_EQ(refusal("x,y,terminal\n1,2,maybe\n"), "file:2: expected 0/1, true/false or yes/no, found \"maybe\"");
    EXPECT_EQ(refusal("x,y,degree\n1,2,0\n"), "file:2: expected a degree limit of at least 1, found \"0\"");
    EXPECT_EQ(refusal("x,y,name\n1,2,\xff\xfe\n"),
              "file:2: name \"\\xff\\xfe\" is not valid UTF-8: save the file as UTF-8");
}

TEST(CsvPointsReader, DecimalCommasAreReadWhereTheySeparateNothing) {
    for (const auto* text :
         {"x;y\n0,5;-1,25\n", "0,5;-1,25\n", "0,5\t-1,25\n", "x y\n0,5 -1,25\n", "x,y\n\"0,5\",\"-1,25\"\n"}) {
        EXPECT_EQ(read_one(text).weights.points()[0], (Point{0.5, -1.25})) << text;
        const Lines warnings = warnings_of(text);
        ASSERT_EQ(warnings.size(), 1U) << text;
        EXPECT_NE(warnings[0].find("numbers have decimal commas: \"0,5\" is read as 0.5"), std::string::npos);
    }
    EXPECT_EQ(read_one("name;lon;lat\na, b;2,353;48,853\n").weights.points()[0], (Point{2.353, 48.853}));
    EXPECT_EQ(warnings_of("x;y\n0.5;1\n"), Lines{});
}

TEST(CsvPointsReader, CommasThatMayBeAnythingAreRefused) {
    constexpr std::string_view advice =
        ": where columns are separated by spaces, numbers need a decimal point (0.5), or put ; between the columns";
    const auto with_advice = [&](std::string_view message) { return fmt::format("file{}{}", message, advice); };
    EXPECT_EQ(refusal("0,5 1,5\n2,5 3,5\n"), with_advice(":1: found \"5 1\" in one cell"));
    EXPECT_EQ(refusal("a 0,5 1,5\n"), with_advice(":1: found \"5 1\" in one cell"));
    EXPECT_EQ(refusal("7.1,50.2 7.3,50.4\n"), with_advice(":1: found \"50.2 7.3\" in one cell"));
    EXPECT_EQ(refusal("0,1,2\n0,5 1,5\n"), with_advice(":2: found \"5 1\" in one cell"));
    EXPECT_EQ(refusal("0,5 1,5 2,5\n"), with_advice(": found \"0,5 1,5 2,5\""));
    EXPECT_EQ(refusal("x,y\n0,5 1,5\n"), with_advice(":2: expected 2 columns, found 3 with \"5 1\" in one of them"));
    EXPECT_EQ(refusal("x,y\n0,5,1,5\n"),
              "file:2: expected 2 columns, found 4 (if commas are decimal, put ; between the columns)");
    EXPECT_EQ(refusal("x,y\n\"1,234\",\"5\"\n"), "file:2: \"1,234\" may be 1.234 or 1234: write it without a comma");
    EXPECT_EQ(refusal("x;y\n1.234,5;2\n"), "file:2: expected a number, found \"1.234,5\"");
    EXPECT_EQ(refusal("1 2\n0,5 1,5\n"), "file:2: expected a number, found \"0,5\": write 0.5, with a decimal point");
}

TEST(CsvPointsReader, NamesMustDiffer) {
    EXPECT_EQ(refusal("name,x,y\na,0,0\nb,0,1\na,1,1\n"), "file:4: two vertices are named \"a\"");
    EXPECT_EQ(refusal("a,0,0\na,1,1\n"), "file:2: two vertices are named \"a\"");
    EXPECT_EQ(refusal("name,x,y\n1,0,0\n,1,1\n"), "file:3: vertex 1 has no name, and its number is another's");
    EXPECT_EQ(read_one("name,x,y\n,0,0\nb,1,1\n2,2,2\n,3,3\n").names, (Lines{"0", "b", "2", "3"}));
    EXPECT_TRUE(read_one("name,x,y\n,0,0\n,1,1\n").names.empty());
}

TEST(CsvPointsReader, ColumnsMustDiffer) {
    EXPECT_EQ(refusal("x,y,x\n0,1,2\n"), "file:1: column \"x\" is given twice");
    EXPECT_EQ(refusal("name,x,Name,y\na,1,b,2\n"), "file:1: column \"Name\" is given twice");
    EXPECT_EQ(read_one("note,x,y,note\na,1,2,b\n").size(), 1);  // nobody reads them
    EXPECT_EQ(warnings_of("lon,lat,longitude\n1,2,3\n"),
              Lines{"file:1: column \"lon\" is read, and \"longitude\" is ignored, which could mean the same"});
    EXPECT_EQ(warnings_of("x,y,lon,lat\n1,2,3,4\n"),
              Lines{"file:1: columns x and y are read and measured in the plane, "
                    "longitudes and latitudes are ignored"});
}

TEST(CsvPointsReader, CommasAtTheEndOfALineMeanNothing) {
    for (const auto* text : {"x,y,\n1,2,\n3,4,\n", "x,y\n1,2,\n3,4,,\n", "1,2,\n3,4,\n", "x,y,,\n1,2\n3,4\n"}) {
        EXPECT_EQ(read_one(text).size(), 2) << text;
    }
    EXPECT_EQ(refusal("x,y\n1,2,,3\n"),
              "file:2: expected 2 columns, found 4 (if commas are decimal, put ; between the columns)");
}

TEST(CsvPointsReader, WhatIsNotFiniteIsNoName) {
    EXPECT_EQ(refusal("a,nan,1\nb,0,1\n"), "file:1: expected a number, found \"nan\"");
    EXPECT_EQ(refusal("-Inf,1\n0,1\n"), "file:1: expected a number, found \"-Inf\"");
}

TEST(CsvPointsReader, RefusesTablesWithoutPoints) {
    EXPECT_EQ(refusal("x,y\n"), "file: an instance needs at least one vertex");
    EXPECT_EQ(refusal("a,b\n1,2\n", "csv"),
              "file:1: expected a header with x,y or lon,lat, or rows x,y or name,x,y (for edges: --format edges)");
}

TEST(CsvPointsReader, ReadsWhatSpecificationsNeedToKnow) {
    const auto instance = read_one(
        "x,y,demand,prize,group,root,leaf,mass\n"
        "0,0,,,,yes,,\n1,0,2.5,7,north,no,1,3\n2,0,,0,south,,0,0\n3,0,4,,north,,true,\n");
    EXPECT_EQ(instance.masses, (std::vector<double>{1, 3, 0, 1}));
    EXPECT_EQ(instance.demands, (std::vector<double>{1, 2.5, 1, 4}));
    EXPECT_EQ(instance.prizes, (std::vector<double>{0, 7, 0, 0}));
    EXPECT_EQ(instance.groups, (std::vector<int>{-1, 0, 1, 0}));
    EXPECT_EQ(instance.root, 0);
    EXPECT_EQ(instance.leaves, (std::vector<Vertex>{1, 3}));
    const auto plain = read_one("x,y\n0,0\n");
    EXPECT_TRUE(plain.demands.empty() && plain.prizes.empty() && plain.groups.empty() && plain.leaves.empty());
    EXPECT_FALSE(plain.root);
}

TEST(CsvPointsReader, GroupsThatAreNumberedAlreadyKeepTheirNumbers) {
    EXPECT_EQ(read_one("x,y,group\n0,0,1\n1,0,0\n2,0,-1\n3,0,1\n").groups, (std::vector<int>{1, 0, -1, 1}));
    EXPECT_EQ(read_one("x,y,group\n0,0,2\n1,0,1\n2,0,2\n").groups, (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(read_one("x,y,group\n0,0,1\n1,0,01\n").groups, (std::vector<int>{0, 1}));
}

TEST(CsvPointsReader, RefusesFactsThatCannotBe) {
    EXPECT_EQ(refusal("x,y,demand\n0,0,-1\n"), "file:2: expected a demand of at least 0, found \"-1\"");
    EXPECT_EQ(refusal("x,y,mass\n0,0,-2\n"), "file:2: expected a mass of at least 0, found \"-2\"");
    EXPECT_EQ(refusal("x,y,prize\n0,0,much\n"), "file:2: expected a prize, found \"much\"");
    EXPECT_EQ(refusal("x,y,leaf\n0,0,2\n"), "file:2: expected 0/1, true/false or yes/no, found \"2\"");
    EXPECT_EQ(refusal("x,y,demand,Demand\n0,0,1,1\n"), "file:1: column \"Demand\" is given twice");
}

TEST(CsvPointsReader, TheSubstationsOfAWindFarmAreItsRoots) {
    const auto farm = read_one("name,lon,lat,kind\nT1,7.1,55.1,turbine\nOSS,7.2,55.2,Substation\n");
    EXPECT_EQ(farm.root, 1);
    constexpr std::string_view two = "name,lon,lat,kind\nA,7.1,55.1,substation\nB,7.2,55.2,substation\n";
    EXPECT_EQ(read_one(two).root, 0);
    EXPECT_EQ(read_one(two).other_roots, std::vector<Vertex>{1});
    EXPECT_EQ(read_one("x,y,root\n0,0,1\n1,0,0\n2,0,1\n").other_roots, std::vector<Vertex>{2});
    const auto told = read_one("x,y,kind,root\n0,0,substation,0\n1,0,turbine,1\n");
    EXPECT_EQ(told.root, 1);  // a column of its own says it best
}

}  // namespace
}  // namespace neuroprim
