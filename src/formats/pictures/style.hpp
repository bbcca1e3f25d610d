#pragma once

#include <array>
#include <span>
#include <vector>

#include "neuroprim/picture.hpp"

/// The look of our pictures: colours, and sizes that follow from how crowded they are.
namespace neuroprim::formats {

namespace palette {
inline constexpr Colour red{0xdc, 0x26, 0x26};
inline constexpr Colour blue{0x25, 0x63, 0xeb};
inline constexpr Colour white{0xff, 0xff, 0xff};
inline constexpr Colour ink{0x1e, 0x29, 0x3b};
inline constexpr Colour dark_slate{0x33, 0x41, 0x55};
inline constexpr Colour slate{0x64, 0x74, 0x8b};
inline constexpr Colour light_slate{0x94, 0xa3, 0xb8};
inline constexpr Colour pale{0xcb, 0xd5, 0xe1};
inline constexpr Colour faint{0xe2, 0xe8, 0xf0};
/// Kinds of cable, by rising capacity; the last one stands for all above it. They are those of the page.
inline constexpr std::array<Colour, 6> cables = {{{0x00, 0x72, 0xb2},
                                                  {0xd5, 0x5e, 0x00},
                                                  {0x00, 0x8a, 0x62},
                                                  {0xb0, 0x41, 0x7f},
                                                  {0x8a, 0x6d, 0x00},
                                                  {0x5b, 0x4f, 0xc4}}};
}  // namespace palette

/// Maps positions with the y axis up to pixels with the y axis down, aspect kept. The height follows the shape of
/// the positions, within reason.
class Canvas {
public:
    Canvas(std::span<const Point> at, double width, double margin);

    [[nodiscard]] Point operator()(Point p) const;
    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double height() const { return height_; }
    [[nodiscard]] double margin() const { return margin_; }

private:
    double width_;
    double height_ = 0;
    double margin_;
    double scale_ = 1;
    Point middle_;  // of the positions
};

/// How large things are drawn when so many vertices share the canvas.
struct Sizes {
    double dot = 0;         ///< radius of a vertex of degree one
    double line = 0;        ///< width of an edge
    bool numbers = false;   ///< room for a number inside each mark
    bool names = false;     ///< room for a name beside each mark
    bool titles = false;    ///< a shape of its own, with a title, for each vertex
    bool vertices = false;  ///< draw vertices at all

    Sizes(std::span<const Point> pixels, const Canvas& canvas, bool has_names);

    [[nodiscard]] double radius(int degree) const;
};

}  // namespace neuroprim::formats
