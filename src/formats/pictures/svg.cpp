#include "formats/pictures/svg.hpp"

#include <algorithm>
#include <cmath>

#include "formats/write/output_file.hpp"

namespace neuroprim::formats {

namespace {

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
    out.append(" ").append(name).append("=\"").append(value).append("\"");
}

void append_attribute(std::string& out, std::string_view name, double value) {
    out.append(" ").append(name).append("=\"");
    append_svg_number(out, value);
    out += '"';
}

/// The root element sets `fill="none"`, so only what is painted needs a word.
void append_paint(std::string& out, const Paint& paint) {
    if (paint.fill) {
        append_attribute(out, "fill", hex(*paint.fill));
        if (paint.opacity < 1) append_attribute(out, "fill-opacity", paint.opacity);
    }
    if (paint.stroke) {
        append_attribute(out, "stroke", hex(*paint.stroke));
        append_attribute(out, "stroke-width", paint.stroke_width);
        if (paint.opacity < 1) append_attribute(out, "stroke-opacity", paint.opacity);
        if (paint.dash > 0) append_attribute(out, "stroke-dasharray", paint.dash);
    }
}

void append_paint(std::string& out, const LabelStyle& style) {
    append_attribute(out, "fill", hex(style.colour));
    append_attribute(out, "font-size", style.size);
    if (style.anchor != Anchor::left) {
        append_attribute(out, "text-anchor", style.anchor == Anchor::centre ? "middle" : "end");
    }
    if (style.bold) append_attribute(out, "font-weight", "bold");
    if (style.halo) out += " stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"";
    if (style.opacity < 1) append_attribute(out, "fill-opacity", style.opacity);
}

/// Numbers of a path need a separator only where the second has no sign.
void append_step(std::string& out, double x, double y) {
    append_svg_number(out, x);
    const std::size_t before = out.size();
    append_svg_number(out, y);
    if (out[before] != '-') out.insert(before, 1, ' ');
}

double rounded(double value) {
    return std::round(value * 100) / 100;
}

/// Steps are relative, which is shorter, and taken between rounded positions, so that errors do not add up.
void append_path(std::string& out, std::span<const Segment> segments) {
    Point pen;
    bool drawing = false;
    for (const auto& [from, to] : segments) {
        const Point start{rounded(from.x), rounded(from.y)};
        const Point end{rounded(to.x), rounded(to.y)};
        if (!drawing || !(start == pen)) {
            out += 'M';
            append_step(out, start.x, start.y);
        }
        if (start == end) {
            out += "h0";
        } else {
            out += 'l';
            append_step(out, end.x - start.x, end.y - start.y);
        }
        pen = end;
        drawing = true;
    }
}

void append_end(std::string& out, std::string_view tag, const std::string& title) {
    if (title.empty()) {
        out += "/>\n";
    } else {
        out.append("><title>").append(xml_text(title)).append("</title></").append(tag).append(">\n");
    }
}

void append_element(std::string& out, const Lines& lines, const std::string& attributes) {
    // XML readers refuse attributes of more than some megabytes.
    constexpr std::size_t segments_per_path = 50'000;
    std::span<const Segment> rest = lines.segments;
    while (!rest.empty()) {
        const auto part = rest.first(std::min(rest.size(), segments_per_path));
        out.append("<path").append(attributes).append(" d=\"");
        append_path(out, part);
        out += "\"/>\n";
        rest = rest.subspan(part.size());
    }
}

void append_element(std::string& out, const Circle& circle, const std::string& attributes) {
    out.append("<circle").append(attributes);
    append_attribute(out, "cx", circle.centre.x);
    append_attribute(out, "cy", circle.centre.y);
    append_attribute(out, "r", circle.radius);
    append_end(out, "circle", circle.title);
}

void append_element(std::string& out, const Box& box, const std::string& attributes) {
    out.append("<rect").append(attributes);
    append_attribute(out, "x", box.centre.x - box.width / 2);
    append_attribute(out, "y", box.centre.y - box.height / 2);
    append_attribute(out, "width", box.width);
    append_attribute(out, "height", box.height);
    if (box.corner > 0) append_attribute(out, "rx", box.corner);
    append_end(out, "rect", box.title);
}

void append_element(std::string& out, const Label& label, const std::string& attributes) {
    out.append("<text").append(attributes);
    append_attribute(out, "x", label.at.x);
    append_attribute(out, "y", label.at.y);
    out.append(">").append(xml_text(label.text)).append("</text>\n");
}

const Paint& look(const Lines& lines) {
    return lines.paint;
}
const Paint& look(const Circle& circle) {
    return circle.paint;
}
const Paint& look(const Box& box) {
    return box.paint;
}
const LabelStyle& look(const Label& label) {
    return label.style;
}

/// How many of the leading shapes are of type S and painted as the first one.
template <class S>
std::size_t run_length(std::span<const Shape> shapes) {
    const auto& first = look(std::get<S>(shapes.front()));
    std::size_t length = 1;
    while (length < shapes.size()) {
        const S* shape = std::get_if<S>(&shapes[length]);
        if (!shape || !(look(*shape) == first)) break;
        ++length;
    }
    return length;
}

/// Appends the leading run and returns its length.
template <class S>
std::size_t append_run(std::string& out, std::span<const Shape> shapes) {
    const std::size_t length = run_length<S>(shapes);
    std::string attributes;
    append_paint(attributes, look(std::get<S>(shapes.front())));
    if (length > 1) {
        out.append("<g").append(attributes).append(">\n");
        attributes.clear();
    }
    for (const auto& shape : shapes.first(length)) append_element(out, std::get<S>(shape), attributes);
    if (length > 1) out += "</g>\n";
    return length;
}

}  // namespace

void append_svg_head(std::string& out, const Picture& picture) {
    out += "<svg xmlns=\"http://www.w3.org/2000/svg\"";
    append_attribute(out, "width", picture.width);
    append_attribute(out, "height", picture.height);
    out += " viewBox=\"0 0 ";
    append_step(out, picture.width, picture.height);
    out +=
        "\" font-family=\"Inter, 'Helvetica Neue', Arial, sans-serif\" fill=\"none\" stroke-linecap=\"round\""
        " stroke-linejoin=\"round\">\n";
    if (!picture.title.empty()) out.append("<title>").append(xml_text(picture.title)).append("</title>\n");
    out += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
}

void append_svg_shapes(std::string& out, std::span<const Shape> shapes) {
    while (!shapes.empty()) {
        const std::size_t length =
            std::visit([&](const auto& shape) { return append_run<std::decay_t<decltype(shape)>>(out, shapes); },
                       shapes.front());
        shapes = shapes.subspan(length);
    }
}

void append_svg_tail(std::string& out) {
    out += "</svg>\n";
}

}  // namespace neuroprim::formats

namespace neuroprim {

std::string to_svg(const Picture& picture) {
    std::string out;
    formats::append_svg_head(out, picture);
    formats::append_svg_shapes(out, picture.shapes);
    formats::append_svg_tail(out);
    return out;
}

void write_svg(const std::string& path, const Picture& picture) {
    formats::write_file(path, to_svg(picture));
}

}  // namespace neuroprim
