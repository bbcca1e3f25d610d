#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "formats/pictures/svg.hpp"
#include "formats/write/output_file.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double largest_side = 32767;  // Cairo's own limit

struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) {
        throw std::runtime_error(fmt::format("cannot draw the picture: {}", cairo_status_to_string(status)));
    }
}

void set_colour(cairo_t* context, Colour colour, double opacity) {
    cairo_set_source_rgba(context, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, opacity);
}

void set_pen(cairo_t* context, const Paint& paint) {
    cairo_set_line_width(context, paint.stroke_width);
    cairo_set_dash(context, &paint.dash, paint.dash > 0 ? 1 : 0, 0);
}

void fill_and_stroke(cairo_t* context, const Paint& paint) {
    if (paint.fill) {
        set_colour(context, *paint.fill, paint.opacity);
        cairo_fill_preserve(context);
    }
    if (paint.stroke) {
        set_colour(context, *paint.stroke, paint.opacity);
        set_pen(context, paint);
        cairo_stroke_preserve(context);
    }
    cairo_new_path(context);
}

/// Cairo's time for one stroke grows faster than its length, so long lists are stroked in pieces; a translucent
/// list is painted through a group, where pieces that overlap do not add up.
void draw(cairo_t* context, const Lines& lines) {
    if (!lines.paint.stroke) return;
    constexpr int segments_per_stroke = 200;
    const bool is_translucent = lines.paint.opacity < 1;
    if (is_translucent) cairo_push_group(context);
    set_colour(context, *lines.paint.stroke, 1);
    set_pen(context, lines.paint);
    Point pen;
    int pending = 0;
    for (const auto& [from, to] : lines.segments) {
        if (pending == segments_per_stroke) {
            cairo_stroke(context);
            pending = 0;
        }
        if (pending == 0 || !(from == pen)) cairo_move_to(context, from.x, from.y);
        cairo_line_to(context, to.x, to.y);
        pen = to;
        ++pending;
    }
    cairo_stroke(context);
    if (is_translucent) {
        cairo_pop_group_to_source(context);
        cairo_paint_with_alpha(context, lines.paint.opacity);
    }
}

void draw(cairo_t* context, const Circle& circle) {
    cairo_new_sub_path(context);
    cairo_arc(context, circle.centre.x, circle.centre.y, circle.radius, 0, 2 * pi);
    fill_and_stroke(context, circle.paint);
}

void draw(cairo_t* context, const Box& box) {
    const double left = box.centre.x - box.width / 2;
    const double top = box.centre.y - box.height / 2;
    const double right = left + box.width;
    const double bottom = top + box.height;
    const double r = std::min({box.corner, box.width / 2, box.height / 2});
    cairo_new_sub_path(context);
    cairo_arc(context, right - r, top + r, r, -pi / 2, 0);
    cairo_arc(context, right - r, bottom - r, r, 0, pi / 2);
    cairo_arc(context, left + r, bottom - r, r, pi / 2, pi);
    cairo_arc(context, left + r, top + r, r, pi, 3 * pi / 2);
    cairo_close_path(context);
    fill_and_stroke(context, box.paint);
}

void draw(cairo_t* context, const Label& label) {
    const LabelStyle& style = label.style;
    const std::string shown = formats::valid_text(label.text);
    cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context, style.size);
    cairo_text_extents_t extents;
    cairo_text_extents(context, shown.c_str(), &extents);
    const double before = style.anchor == Anchor::left ? 0 : style.anchor == Anchor::centre ? 0.5 : 1;
    cairo_move_to(context, label.at.x - before * extents.x_advance, label.at.y);
    cairo_text_path(context, shown.c_str());
    if (style.halo) {
        cairo_set_source_rgb(context, 1, 1, 1);
        cairo_set_line_width(context, 3);
        cairo_set_dash(context, nullptr, 0, 0);
        cairo_stroke_preserve(context);
    }
    set_colour(context, style.colour, style.opacity);
    cairo_fill(context);
}

cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned int length) {
    try {
        static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
        return CAIRO_STATUS_SUCCESS;
    } catch (const std::bad_alloc&) {
        return CAIRO_STATUS_NO_MEMORY;
    }
}

int pixels(double length, double scale) {
    const double result = std::ceil(length * scale);
    if (!(result >= 1 && result <= largest_side)) {
        throw InputError(
            fmt::format("a picture of {:.6g} pixels a side cannot be drawn: expected 1 to {}", result, largest_side));
    }
    return static_cast<int>(result);
}

}  // namespace

std::string to_png(const Picture& picture, double scale) {
    const std::unique_ptr<cairo_surface_t, Destroy> surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(picture.width, scale), pixels(picture.height, scale)));
    check(cairo_surface_status(surface.get()));
    const std::unique_ptr<cairo_t, Destroy> context(cairo_create(surface.get()));
    cairo_set_source_rgb(context.get(), 1, 1, 1);
    cairo_paint(context.get());
    cairo_scale(context.get(), scale, scale);
    cairo_set_line_cap(context.get(), CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context.get(), CAIRO_LINE_JOIN_ROUND);
    for (const auto& shape : picture.shapes) {
        std::visit([&](const auto& each) { draw(context.get(), each); }, shape);
    }
    check(cairo_status(context.get()));
    std::string bytes;
    check(cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes));
    return bytes;
}

void write_png(const std::string& path, const Picture& picture, double scale) {
    formats::write_file(path, to_png(picture, scale));
}

}  // namespace neuroprim
