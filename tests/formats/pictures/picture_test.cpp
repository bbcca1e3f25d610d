#include "neuroprim/picture.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <regex>

#include "formats/pictures/caption.hpp"
#include "formats/pictures/svg.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/tree_spec.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using testing::of_edges;
using testing::of_points;

Instance random_instance(Vertex n) {
    Random random(7);
    std::vector<Point> points;
    for (Vertex v = 0; v < n; ++v) {
        const double x = random.uniform();
        points.push_back({x, random.uniform()});
    }
    return of_points(std::move(points));
}

Solution solved(const Instance& instance) {
    Solution solution;
    solution.instance = instance.name;
    solution.problem = "mst";
    solution.n = instance.size();
    solution.method = "kruskal";
    solution.tree = minimum_spanning_tree(instance.weights);
    solution.cost = total_weight(solution.tree, instance.weights);
    solution.bound = solution.cost;
    return solution;
}

template <class S>
std::vector<S> shapes_of(const Picture& picture) {
    std::vector<S> found;
    for (const auto& shape : picture.shapes) {
        if (const S* each = std::get_if<S>(&shape)) found.push_back(*each);
    }
    return found;
}

std::size_t segments(const Picture& picture) {
    std::size_t count = 0;
    for (const auto& lines : shapes_of<Lines>(picture)) {
        for (const auto& segment : lines.segments) count += segment.from == segment.to ? 0 : 1;
    }
    return count;
}

bool has_label(const Picture& picture, std::string_view part) {
    const auto labels = shapes_of<Label>(picture);
    return std::any_of(labels.begin(), labels.end(),
                       [&](const Label& label) { return label.text.find(part) != std::string::npos; });
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// Whether every tag is closed in its turn, and no bare markup is left in the text between them.
::testing::AssertionResult is_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    std::size_t at = 0;
    while (at < xml.size()) {
        if (xml[at] == '&' && !std::regex_search(xml.substr(at, 8), std::regex("^&(amp|lt|gt|quot);"))) {
            return ::testing::AssertionFailure() << "a bare & at " << xml.substr(at, 20);
        }
        if (xml[at] != '<') {
            ++at;
            continue;
        }
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return ::testing::AssertionFailure() << "a tag without end";
        const std::string tag = xml.substr(at + 1, end - at - 1);
        const bool closes = tag.front() == '/';
        const bool is_whole = tag.back() == '/';
        const std::string name = tag.substr(closes ? 1 : 0, tag.find_first_of(" /", 1) - (closes ? 1 : 0));
        if (count(tag, "\"") % 2 != 0) return ::testing::AssertionFailure() << "an open attribute in <" << tag << ">";
        if (closes) {
            if (open.empty() || open.back() != name)
                return ::testing::AssertionFailure() << "stray </" << name << ">";
            open.pop_back();
        } else if (!is_whole) {
            open.push_back(name);
        }
        at = end + 1;
    }
    if (!open.empty()) return ::testing::AssertionFailure() << "<" << open.back() << "> is never closed";
    return ::testing::AssertionSuccess();
}

TEST(DrawTree, DrawsEveryEdgeOnceAndEveryVertexWithItsTitle) {
    const Instance instance = random_instance(200);
    PictureOptions plain;
    plain.legend = plain.caption = false;
    const Picture picture = draw_tree(instance, solved(instance), plain);
    EXPECT_EQ(segments(picture), 199U);
    EXPECT_EQ(shapes_of<Circle>(picture).size(), 200U);
    for (const auto& circle : shapes_of<Circle>(picture))
        EXPECT_NE(circle.title.find(", degree "), std::string::npos);
}

TEST(DrawTree, KeepsTheAspectAndTurnsTheYAxisUp) {
    const Instance instance = of_points({{0, 0}, {4, 0}, {4, 2}});
    Solution solution = solved(instance);
    const Picture picture = draw_tree(instance, solution);
    std::vector<Point> at(3);
    for (const auto& circle : shapes_of<Circle>(picture)) {
        if (circle.title.empty()) continue;
        at.at(static_cast<std::size_t>(circle.title.at(7) - '0')) = circle.centre;
    }
    EXPECT_NEAR(at[1].x - at[0].x, 2 * (at[1].y - at[2].y), 1e-9);
    EXPECT_LT(at[2].y, at[1].y);
    EXPECT_EQ(picture.width, 800);
}

TEST(DrawTree, GrowsMarksWithTheDegree) {
    const Instance star = of_points({{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}});
    Solution solution = solved(star);
    solution.tree = {1, {{1, 0}, {0, 2}, {0, 3}, {0, 4}}};
    double hub = 0;
    double leaf = 0;
    for (const auto& circle : shapes_of<Circle>(draw_tree(star, solution))) {
        if (circle.title == "vertex 0, degree 4") hub = circle.radius;
        if (circle.title == "vertex 2, degree 1") leaf = circle.radius;
    }
    EXPECT_GT(hub, 1.3 * leaf);
    EXPECT_GT(leaf, 0);
}

TEST(DrawTree, ShowsTerminalsAsBoxesAndTheStartInRed) {
    Instance instance = random_instance(30);
    instance.terminals = {3, 8, 20};
    Solution solution = solved(instance);
    solution.tree = grown_from(solution.tree, 8, 30);
    PictureOptions options;
    options.legend = false;
    const auto boxes = shapes_of<Box>(draw_tree(instance, solution, options));
    ASSERT_EQ(boxes.size(), 3U);
    const Colour red{0xdc, 0x26, 0x26};
    for (const auto& box : boxes) EXPECT_EQ(box.title.ends_with("start"), box.paint.fill == red) << box.title;
}

TEST(DrawTree, ShowsVerticesOutsideTheTreePale) {
    Instance instance = of_points({{0, 0}, {1, 0}, {5, 5}});
    instance.terminals = {0, 1};
    Solution solution = solved(instance);
    solution.tree = {0, {{0, 1}}};
    const auto circles = shapes_of<Circle>(draw_tree(instance, solution));
    const auto outside = std::find_if(circles.begin(), circles.end(), [](const Circle& circle) {
        return circle.title == "vertex 2, not in the tree";
    });
    ASSERT_NE(outside, circles.end());
    EXPECT_EQ(outside->paint.fill, (Colour{0xcb, 0xd5, 0xe1}));
}

TEST(DrawTree, WritesNumbersOnSmallPicturesOnly) {
    EXPECT_TRUE(has_label(draw_tree(random_instance(30), solved(random_instance(30))), "29"));
    PictureOptions plain;
    plain.legend = plain.caption = false;
    const Instance larger = random_instance(61);
    EXPECT_TRUE(shapes_of<Label>(draw_tree(larger, solved(larger), plain)).empty());
}

TEST(DrawTree, TellsTheFactsInTheCaption) {
    Instance instance = random_instance(30);
    instance.name = "thirty";
    const Picture picture = draw_tree(instance, solved(instance));
    for (const char* fact : {"thirty", "mst", "n = 30", "cost ", "bound ", "optimal", "kruskal"}) {
        EXPECT_TRUE(has_label(picture, fact)) << fact;
    }
    EXPECT_FALSE(has_label(picture, "schematic"));
}

TEST(DrawTree, SaysWhenPositionsAreSchematic) {
    const Instance instance = of_edges(4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 5}});
    const Picture picture = draw_tree(instance, solved(instance));
    EXPECT_TRUE(has_label(picture, "positions are schematic"));
    EXPECT_GE(segments(picture), 3U);
}

TEST(DrawTree, DrawsASparseGraphBehindItsTree) {
    Instance instance = of_edges(4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 5}});
    instance.layout = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    EXPECT_EQ(segments(draw_tree(instance, solved(instance))), 4U + 3U);
    PictureOptions options;
    options.graph = false;
    EXPECT_EQ(segments(draw_tree(instance, solved(instance), options)), 3U);
}

TEST(DrawTree, StaysInsideThePicture) {
    for (const Vertex n : {1, 2, 30, 500, 3000}) {
        const Instance instance = random_instance(n);
        const Picture picture = draw_tree(instance, solved(instance));
        for (const auto& lines : shapes_of<Lines>(picture)) {
            for (const auto& [from, to] : lines.segments) {
                EXPECT_GE(std::min(from.x, from.y), 0);
                EXPECT_LE(from.x, picture.width);
                EXPECT_LE(from.y, picture.height);
            }
        }
    }
}

TEST(DrawTree, TakesPointsThatAllLieTogetherOrOnALine) {
    for (const auto& points : {std::vector<Point>(5, {3, 3}), {{0, 0}, {0, 1}, {0, 2}}, {{0, 0}, {1e9, 0}}}) {
        const Instance instance = of_points(points);
        const Picture picture = draw_tree(instance, solved(instance));
        EXPECT_TRUE(std::isfinite(picture.height));
        EXPECT_GT(picture.height, 100);
        EXPECT_TRUE(is_well_formed(to_svg(picture)));
        EXPECT_EQ(to_svg(picture).find("nan"), std::string::npos);
    }
}

TEST(DrawTree, PutsLargeTreesIntoFewShapes) {
    const Instance instance = random_instance(40'000);
    const Picture picture = draw_tree(instance, solved(instance));
    EXPECT_EQ(segments(picture), 39'999U);
    EXPECT_LT(picture.shapes.size(), 20U);
    EXPECT_LE(count(to_svg(picture), "<path"), 10U);
}

TEST(DrawTree, WidensTheTrunksOfLargeTrees) {
    const Instance instance = random_instance(5000);
    const auto lines = shapes_of<Lines>(draw_tree(instance, solved(instance)));
    ASSERT_GE(lines.size(), 3U);
    const Lines& twigs = lines[lines.size() - 6];
    const Lines& trunks = lines.back();
    EXPECT_GT(twigs.segments.size(), trunks.segments.size());
    EXPECT_GT(trunks.paint.stroke_width, 2 * twigs.paint.stroke_width);
}

TEST(DrawInstance, ShowsVerticesAndSparseEdges) {
    Instance instance = of_edges(4, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 5}});
    instance.terminals = {1};
    const Picture picture = draw_instance(instance);
    EXPECT_EQ(segments(picture), 4U);
    EXPECT_TRUE(has_label(picture, "4 edges"));
    EXPECT_TRUE(has_label(picture, "schematic"));
    EXPECT_FALSE(has_label(draw_instance(random_instance(5)), "schematic"));
}

TEST(Svg, IsWellFormedAndEscapesNames) {
    Instance instance = of_points({{0, 0}, {1, 0}, {0, 1}});
    instance.name = "x < y & \"z\"";
    instance.names = {"a<b>&\"c\"", "bell\x07", "broken \xc3("};
    const std::string svg = to_svg(draw_tree(instance, solved(instance)));
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_NE(svg.find("<title>a&lt;b&gt;&amp;&quot;c&quot;, degree 2, start</title>"), std::string::npos) << svg;
    EXPECT_NE(svg.find("<title>x &lt; y &amp; &quot;z&quot;</title>"), std::string::npos) << svg;
    EXPECT_NE(svg.find("bell\xef\xbf\xbd"), std::string::npos);
    EXPECT_NE(svg.find("broken \xef\xbf\xbd("), std::string::npos);
}

TEST(Svg, GivesEveryVertexATooltip) {
    const Instance instance = random_instance(1000);
    const std::string svg = to_svg(draw_tree(instance, solved(instance)));
    EXPECT_TRUE(is_well_formed(svg));
    EXPECT_EQ(count(svg, "<title>vertex "), 1000U);
}

TEST(Svg, SharesAttributesBetweenShapesThatLookAlike) {
    const Paint blue{.fill = Colour{0, 0, 255}, .opacity = 0.5};
    const Picture picture{100, 50, "", {Circle{{1, 2}, 3, blue, ""}, Circle{{4, 5}, 6, blue, ""}}};
    const std::string svg = to_svg(picture);
    EXPECT_EQ(count(svg, "#0000ff"), 1U);
    EXPECT_NE(svg.find("<g fill=\"#0000ff\" fill-opacity=\".5\">"), std::string::npos) << svg;
}

TEST(Svg, JoinsSegmentsThatFollowEachOther) {
    const Paint dashed{.stroke = Colour{}, .stroke_width = 2, .dash = 4};
    const Picture picture{100, 50, "", {Lines{{{{0, 0}, {10, 0}}, {{10, 0}, {10, -5.5}}, {{3, 3}, {3, 3}}}, dashed}}};
    EXPECT_NE(to_svg(picture).find("stroke-width=\"2\" stroke-dasharray=\"4\" d=\"M0 0l10 0l0-5.5M3 3h0\""),
              std::string::npos)
        << to_svg(picture);
}

TEST(Svg, SplitsPathsThatXmlReadersWouldRefuse) {
    Lines lines;
    for (int i = 0; i < 120'000; ++i) lines.segments.push_back({{i / 300.0, 0}, {(i + 1) / 300.0, 0}});
    lines.paint.stroke = Colour{};
    const std::string svg = to_svg({400, 10, "", {lines}});
    EXPECT_EQ(count(svg, "<path"), 3U);
    EXPECT_EQ(count(svg, "M166.67 0"), 1U);
    EXPECT_TRUE(is_well_formed(svg));
}

TEST(Svg, DoesNotAddUpRoundingErrors) {
    Lines lines;
    for (int i = 0; i < 1000; ++i) lines.segments.push_back({{i / 3.0, 0}, {(i + 1) / 3.0, 0}});
    lines.paint.stroke = Colour{};
    const std::string svg = to_svg({400, 10, "", {lines}});
    const std::string path = svg.substr(svg.find("d=\"M") + 4);
    double x = 0;
    for (std::size_t at = path.find('l'); at != std::string::npos; at = path.find('l', at + 1)) {
        x += std::stod(path.substr(at + 1));
    }
    EXPECT_NEAR(x, 1000 / 3.0, 0.01);
}

TEST(SvgNumber, IsShort) {
    const auto text = [](double value) {
        std::string out;
        formats::append_svg_number(out, value);
        return out;
    };
    EXPECT_EQ(text(0), "0");
    EXPECT_EQ(text(7), "7");
    EXPECT_EQ(text(-0.001), "0");
    EXPECT_EQ(text(-0.25), "-.25");
    EXPECT_EQ(text(12.5), "12.5");
    EXPECT_EQ(text(3.049), "3.05");
}

TEST(Readable, SeparatesThousands) {
    EXPECT_EQ(formats::readable(0), "0");
    EXPECT_EQ(formats::readable(999), "999");
    EXPECT_EQ(formats::readable(1000), "1,000");
    EXPECT_EQ(formats::readable(-1234567), "-1,234,567");
    EXPECT_EQ(formats::readable(1234.5678), "1,234.57");
    EXPECT_EQ(formats::readable(0.000012), "1.2e-05");
    EXPECT_EQ(formats::readable(123456.78), "123,457");
    EXPECT_EQ(formats::readable(1e20), "1e+20");
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes.at(at + i));
    return value;
}

TEST(Png, HasItsSignatureAndTheScaledSize) {
    const Instance instance = random_instance(50);
    const Picture picture = draw_tree(instance, solved(instance));
    const std::string png = to_png(picture, 1.5);
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(png.substr(12, 4), "IHDR");
    EXPECT_EQ(big_endian(png, 16), 1200U);
    EXPECT_EQ(big_endian(png, 20), static_cast<std::uint32_t>(std::ceil(picture.height * 1.5)));
    EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
}

TEST(Png, DrawsNamesThatAreNotUtf8) {
    Instance instance = of_points({{0, 0}, {1, 0}});
    instance.names = {"broken \xc3(", ""};
    EXPECT_FALSE(to_png(draw_tree(instance, solved(instance))).empty());
}

TEST(Png, RefusesSizesThatNoImageHas) {
    EXPECT_THROW(static_cast<void>(to_png({800, 800, "", {}}, 100)), InputError);
    EXPECT_THROW(static_cast<void>(to_png({800, 800, "", {}}, 0)), InputError);
    EXPECT_THROW(static_cast<void>(to_png({800, 800, "", {}}, std::nan(""))), InputError);
}

TEST(Png, LeavesNothingBehindWhenItFails) {
    std::string pattern = (std::filesystem::temp_directory_path() / "neuroprim-png-XXXXXX").string();
    const std::filesystem::path folder = ::mkdtemp(pattern.data());
    EXPECT_THROW(write_png((folder / "x.png").string(), {800, 800, "", {}}, 100), InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    write_png((folder / "x.png").string(), {80, 80, "", {}});
    EXPECT_GT(std::filesystem::file_size(folder / "x.png"), 50U);
    std::filesystem::remove_all(folder);
}

/// A root with two branches: three vertices in a row, and one alone.
Solution solved_with_cables(std::vector<Cable> cables) {
    Solution solution;
    solution.tree = {0, {{0, 1}, {1, 2}, {2, 3}, {0, 4}}};
    TreeSpec spec;
    spec.root = 0;
    spec.capacity = 3;
    spec.cables = std::move(cables);
    if (!spec.cables.empty()) spec.objective = Objective::cables;
    solution.spec = std::make_shared<const TreeSpec>(spec);
    return solution;
}

const std::vector<Point> two_branches = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 2}};

TEST(Picture, DrawsLoadsAsWidthsAndCablesAsColours) {
    const Instance instance = of_points(two_branches);
    const Picture picture = draw_tree(instance, solved_with_cables({{1, 1}, {3, 2}}));
    std::map<std::string, double> width;  // by colour, the widest
    std::size_t drawn = 0;
    for (const auto& lines : shapes_of<Lines>(picture)) {
        const Colour& colour = *lines.paint.stroke;
        double& widest = width[std::to_string(colour.red) + "," + std::to_string(colour.blue)];
        widest = std::max(widest, lines.paint.stroke_width);
        drawn += lines.segments.size();
    }
    EXPECT_EQ(drawn, 4U + 2U) << "edges, and two strokes of the legend";
    EXPECT_EQ(width.size(), 2U) << "a colour for each kind of cable";
    EXPECT_TRUE(has_label(picture, "cables for up to 1"));
    EXPECT_TRUE(has_label(picture, "up to 3"));
    EXPECT_TRUE(has_label(picture, "wider lines carry more"));
}

TEST(Picture, DrawsLoadsOfOneKindOfCableInOneColour) {
    const Picture picture = draw_tree(of_points(two_branches), solved_with_cables({}));
    const auto lines = shapes_of<Lines>(picture);
    ASSERT_EQ(lines.size(), 3U) << "loads 1, 2 and 3";
    EXPECT_LT(lines[0].paint.stroke_width, lines[1].paint.stroke_width);
    EXPECT_LT(lines[1].paint.stroke_width, lines[2].paint.stroke_width);
    EXPECT_EQ(lines[0].segments.size(), 2U);
    EXPECT_EQ(lines[0].paint.stroke, lines[2].paint.stroke);
}

}  // namespace
}  // namespace neuroprim
