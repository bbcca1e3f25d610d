#pragma once

#include <span>
#include <string>
#include <string_view>

#include "neuroprim/picture.hpp"

/// The parts of an SVG file, for those who put something of their own between them.
namespace neuroprim::formats {

/// The opening tag, the title and the white ground.
void append_svg_head(std::string& out, const Picture& picture);

/// One element per shape; neighbours that are painted alike share a group.
void append_svg_shapes(std::string& out, std::span<const Shape> shapes);

void append_svg_tail(std::string& out);

/// The text with U+FFFD in place of what XML 1.0 does not allow: control characters and broken UTF-8.
[[nodiscard]] std::string valid_text(std::string_view text);

/// The same with markup escaped.
[[nodiscard]] std::string xml_text(std::string_view text);

/// Two decimals at most, no needless digits: `12.5`, `-.25`, `7`.
void append_svg_number(std::string& out, double value);

[[nodiscard]] std::string hex(Colour colour);

}  // namespace neuroprim::formats
