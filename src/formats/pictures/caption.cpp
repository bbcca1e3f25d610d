#include "formats/pictures/caption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neuroprim::formats {

namespace {

constexpr double caption_margin = 24;
constexpr double legend_size = 11;
constexpr double caption_size = 12.5;

/// An estimate: the fonts on the reader's machine are not known here.
double text_width(const std::string& text, double size) {
    constexpr std::string_view narrow = " .,:;'|!()ijlftr";
    double width = 0;
    for (const char c : text) {
        const bool continues_character = (c & 0xc0) == 0x80;
        if (!continues_character) width += narrow.find(c) == std::string_view::npos ? 0.62 : 0.35;
    }
    return width * size;
}

void append_legend(Picture& picture, const std::vector<LegendEntry>& legend) {
    constexpr double between = 16;
    double x = caption_margin;
    double y = picture.height + 4;
    for (const auto& entry : legend) {
        const bool has_symbol = entry.role != Role::hidden || entry.line;
        const double symbol = has_symbol ? 2 * entry.radius + 6 : 0;
        const double width = symbol + text_width(entry.text, legend_size);
        if (x > caption_margin && x + width > picture.width - caption_margin) {
            x = caption_margin;
            y += 18;
        }
        if (entry.line) {
            const Segment stroke{{x, y - 4}, {x + 2 * entry.radius, y - 4}};
            picture.shapes.emplace_back(Lines{{stroke}, {.stroke = *entry.line, .stroke_width = 3}});
        } else if (entry.role != Role::hidden) {
            append_mark(picture.shapes, entry.role, {x + entry.radius, y - 4}, entry.radius);
        }
        picture.shapes.emplace_back(
            Label{{x + symbol, y}, entry.text, {.size = legend_size, .colour = palette::slate}});
        x += width + between;
    }
    picture.height = y + 14;
}

void append_caption(Picture& picture, const std::vector<std::string>& facts) {
    double y = picture.height + 8;
    std::string line;
    const auto put = [&] {
        picture.shapes.emplace_back(
            Label{{caption_margin, y}, line, {.size = caption_size, .colour = palette::dark_slate}});
    };
    for (const auto& fact : facts) {
        const std::string longer = line.empty() ? fact : fmt::format("{}  ·  {}", line, fact);
        if (!line.empty() && text_width(longer, caption_size) > picture.width - 2 * caption_margin) {
            put();
            y += 19;
            line = fact;
        } else {
            line = longer;
        }
    }
    put();
    picture.height = y + 20;
}

/// A comma after every third digit of the whole part, counted from its end.
std::string with_separators(const std::string& number) {
    const std::size_t first = number.front() == '-' ? 1 : 0;
    const std::size_t end = std::min(number.find_first_of(".e"), number.size());
    std::string out;
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (i > first && i < end && (end - i) % 3 == 0) out += ',';
        out += number[i];
    }
    return out;
}

}  // namespace

std::string readable(double value) {
    const double size = std::abs(value);
    if (!(size < 1e15)) return fmt::format("{:.6g}", value);
    const bool as_integer = size >= 1e5 || value == std::round(value);
    return with_separators(as_integer ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value));
}

std::vector<std::string> tree_facts(const Instance& instance, const Solution& solution) {
    std::vector<std::string> facts;
    const auto add = [&](std::string fact) {
        if (!fact.empty()) facts.push_back(std::move(fact));
    };
    add(solution.instance.empty() ? instance.name : solution.instance);
    add(solution.problem);
    add(fmt::format("n = {}", readable(instance.size())));
    add(fmt::format("cost {}", readable(solution.cost)));
    if (solution.bound) add(fmt::format("bound {}", readable(*solution.bound)));
    if (const auto gap = solution.gap_percent()) {
        add(solution.proven() ? "optimal" : fmt::format("gap {:.2g} %", *gap));
    }
    add(solution.method);
    return facts;
}

std::vector<std::string> instance_facts(const Instance& instance) {
    std::vector<std::string> facts;
    if (!instance.name.empty()) facts.push_back(instance.name);
    facts.push_back(fmt::format("n = {}", readable(instance.size())));
    facts.push_back(instance.weights.form() == Weights::Form::points
                        ? fmt::format("metric {}", to_string(instance.weights.metric()))
                        : fmt::format("{} edges", readable(static_cast<double>(instance.weights.edge_count()))));
    return facts;
}

void append_footer(Picture& picture, const std::vector<LegendEntry>& legend, const std::vector<std::string>& facts) {
    if (!legend.empty()) append_legend(picture, legend);
    if (!facts.empty()) append_caption(picture, facts);
}

}  // namespace neuroprim::formats
