#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/solution.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;

    friend bool operator==(const Colour&, const Colour&) = default;
};

/// How a shape is painted: nothing is filled without `fill`, nothing outlined without `stroke`. Ends are round.
struct Paint {
    std::optional<Colour> fill = {};
    std::optional<Colour> stroke = {};
    double stroke_width = 1;
    double opacity = 1;
    double dash = 0;  ///< length of the dashes and of the gaps between them; 0 draws solid lines

    friend bool operator==(const Paint&, const Paint&) = default;
};

struct Segment {
    Point from;
    Point to;
};

/// Many segments painted alike, as one shape. Segments that follow each other end to end are joined;
/// a segment of no length is a round dot.
struct Lines {
    std::vector<Segment> segments;
    Paint paint;
};

struct Circle {
    Point centre;
    double radius = 1;
    Paint paint;
    std::string title;  ///< shown under the pointer
};

struct Box {
    Point centre;
    double width = 1;
    double height = 1;
    double corner = 0;  ///< radius of the rounded corners
    Paint paint;
    std::string title;
};

enum class Anchor { left, centre, right };

struct LabelStyle {
    double size = 12;
    Colour colour = {};
    Anchor anchor = Anchor::left;
    bool bold = false;
    bool halo = false;  ///< a white rim, for text over lines
    double opacity = 1;

    friend bool operator==(const LabelStyle&, const LabelStyle&) = default;
};

/// A line of text.
struct Label {
    Point at;  ///< the anchor on the baseline
    std::string text;
    LabelStyle style;
};

using Shape = std::variant<Lines, Circle, Box, Label>;

/// A drawing in pixels, origin at the top left, on white; later shapes lie above earlier ones.
/// Large drawings put many segments into few `Lines`, which keeps files small and drawing quick.
struct Picture {
    double width = 0;
    double height = 0;
    std::string title;
    std::vector<Shape> shapes;
};

struct PictureOptions {
    double width = 800;   ///< pixels; the height follows the shape of the instance
    bool graph = true;    ///< draw the edges of a sparse graph faintly behind the tree
    bool legend = true;   ///< what the marks mean
    bool caption = true;  ///< a line with instance, problem, cost, bound and method
};

/// The tree at the positions of the instance, or, where it has none, around its middle, which the caption says.
/// Terminals are blue squares, the start is red, marks grow with the degree; vertices outside the tree are pale.
/// In large trees lines are the wider the larger the parts they join. O(n), and O(m) for a sparse graph behind it.
[[nodiscard]] Picture draw_tree(const Instance& instance, const Solution& solution,
                                const PictureOptions& options = {});

/// The vertices and, on sparse graphs, the edges.
[[nodiscard]] Picture draw_instance(const Instance& instance, const PictureOptions& options = {});

[[nodiscard]] std::string to_svg(const Picture& picture);

/// The bytes of a PNG file with `scale` pixels for each pixel of the picture. Throws InputError on sizes that no
/// image can have.
[[nodiscard]] std::string to_png(const Picture& picture, double scale = 2);

/// Writes whole files or none; `-` is standard output.
void write_svg(const std::string& path, const Picture& picture);
void write_png(const std::string& path, const Picture& picture, double scale = 2);

/// One of these by the ending, .svg or .png; `-` is SVG on standard output. `scale` is for PNG.
void write_picture(const std::string& path, const Picture& picture, double scale = 2);

/// Throws what `write_picture` would throw about this path now: an unknown ending, a folder that does not exist or
/// may not be written in. Leaves nothing behind.
void check_picture_path(const std::string& path);

}  // namespace neuroprim
