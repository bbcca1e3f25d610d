#include <gtest/gtest.h>

#include <set>

#include "formats/read/reader_support.hpp"
#include "formats/read/sniffing.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

Weights::Form form_of(std::string_view text) {
    return read_one(text).weights.form();
}

constexpr auto points = Weights::Form::points;
constexpr auto matrix = Weights::Form::matrix;
constexpr auto sparse = Weights::Form::sparse;

TEST(FormatDetection, TwoNumbersOnEveryLineArePoints) {
    EXPECT_EQ(form_of("1 2\n3 4\n5 6\n"), points);  // 6 is triangular too
    EXPECT_EQ(form_of("1\t2\n3\t4\n"), points);
    EXPECT_EQ(form_of("1 0\n"), points);
}

TEST(FormatDetection, GrowingRowsAreATriangle) {
    EXPECT_EQ(form_of("1\n2 3\n4 5 6\n"), matrix);  // 6 is even too
    EXPECT_EQ(form_of("5\n"), matrix);
    EXPECT_NE(refusal("1\n2\n3\n4\n5\n6\n"), "");  // a column of numbers may be anything
}

TEST(FormatDetection, OtherwiseTheCountDecides) {
    EXPECT_EQ(form_of("1 2 3 4 5 6 7 8"), points);                       // 8: even, not triangular
    EXPECT_EQ(form_of("1 2 3 4 5 6 7 8\n9 10 11 12 13 14 15"), matrix);  // 15: odd, triangular
    EXPECT_EQ(refusal("1 2 3 4 5 6"),
              "file: the 6 numbers can be read as plain pairs x y (--format crd) or as a plain lower triangle of "
              "weights (--format sym): name the format");
    EXPECT_EQ(read_one("1 2 3 4 5 6", "crd").size(), 3);
    EXPECT_EQ(read_one("1 2 3 4 5 6", "sym").size(), 4);
}

TEST(FormatDetection, AnOddCountThatIsNoTriangleIsNothing) {
    EXPECT_EQ(
        refusal("1 2 3 4 5"),
        "file: the content does not tell the format: name it with --format (tsplib, steinlib, graphml, mtx, metis, "
        "geojson, node-link, json, "
        "matrix, csv, edges, capmst, orlib, ocst, crd, sym, osm, gdal)");
}

TEST(FormatDetection, ThreeNumbersOnEveryLineMayBeEdges) {
    EXPECT_EQ(form_of("0 1 5\n1 2 6\n0 3 7\n"), sparse);  // 9 is neither even nor triangular
    EXPECT_EQ(form_of("0\t1\t5\n1\t2\t6\n"), sparse);
    EXPECT_EQ(
        refusal("0 1 5\n1 2 6\n"),
        "file: the 6 numbers can be read as CSV edges: u,v,weight (--format edges) or as plain pairs x y (--format "
        "crd) or as a plain lower triangle of weights (--format sym): name the format");
}

TEST(FormatDetection, CountsOfCommunicationTreesFit) {
    EXPECT_FALSE(read_one("3 2\n0 1 5\n1 2 6\n1 1 1\n").requirements.empty());
    EXPECT_FALSE(read_one("3 2\n0 1 5 1 2 6 1 1 1\n").requirements.empty());
    EXPECT_TRUE(read_one("3 2\n0 1\n5 1\n2 6\n").requirements.empty());
}

TEST(FormatDetection, APartOfAFileIsNotTakenForAnotherFormat) {
    EXPECT_EQ(refusal("6 15\n0 1 166\n0 2 180\n"),
              "file:3: expected a vertex from 0 to 5, found the end of the file");
    EXPECT_EQ(refusal("7\n50\n.1 .2\n.3 .4\n"), "file:4: expected a coordinate, found the end of the file");
}

TEST(FormatDetection, TablesAreToldByTheirFirstRow) {
    EXPECT_EQ(form_of("x,y\n1,2\n"), points);
    EXPECT_EQ(form_of("1,2\n"), points);
    EXPECT_EQ(form_of("a,1,2\n"), points);
    EXPECT_EQ(form_of("0,1,2\n0,2,3\n"), sparse);
    EXPECT_EQ(form_of("a,b,2\na,c,1\n"), sparse);
    EXPECT_EQ(form_of("name,x,y\nTYPE,1,2\n"), points);
    EXPECT_NE(refusal("a,b,c\n1,2,3\n"), "");
}

TEST(FormatDetection, JunkIsRefused) {
    for (const std::string& text : {std::string("hello world"),
                                    std::string("\x7f"
                                                "ELF\x02\x01\x01\0\0",
                                                9),
                                    std::string(1000, '\0'), std::string("\x89PNG\r\n\x1a\n"), std::string(",,,,"),
                                    std::string("\"\"\"\"\"\""), std::string("<xml/>"), std::string("]")}) {
        EXPECT_NE(refusal(text), "");
    }
    EXPECT_EQ(refusal("\xff\xfe"
                      "1\0,\0"),
              "file: the text is UTF-16: save it as UTF-8");
}

TEST(FormatDetection, FormatsHaveDistinctNamesAndTitles) {
    std::set<std::string_view> names;
    for (const auto& [name, title] : input_formats()) {
        EXPECT_FALSE(title.empty());
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_NE(refusal("\x01", name), "") << name;
    }
    EXPECT_EQ(refusal("1 2", "excel"),
              "unknown format \"excel\": expected one of tsplib, steinlib, graphml, mtx, metis, geojson, node-link, "
              "json, matrix, csv, edges, "
              "capmst, orlib, "
              "ocst, crd, sym, osm, gdal");
}

TEST(Sniffed, TellTheShapeOfNumbers) {
    const formats::Text text{"\r\n1 2\r\n\r\n3\r4 5 6", "file", "file"};
    const formats::Sniffed sniffed(text);
    ASSERT_TRUE(sniffed.numbers);
    EXPECT_EQ(sniffed.numbers->numbers, 6U);
    EXPECT_EQ(sniffed.numbers->lines, 3U);
    EXPECT_EQ(sniffed.numbers->head, (std::array<std::size_t, 3>{2, 1, 3}));
    EXPECT_EQ(sniffed.numbers->per_line, 0U);
    EXPECT_FALSE(sniffed.numbers->rows_grow);
    EXPECT_EQ(sniffed.first_line.value, "1 2");
}

}  // namespace
}  // namespace neuroprim
