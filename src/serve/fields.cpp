#include "serve/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/text/values.hpp"

namespace neuroprim::serve {

using formats::JsonCursor;
using formats::Text;

Fields::Fields(const Text& text, const std::vector<std::string_view>& known) {
    JsonCursor cursor(text);
    cursor.object([&](const std::string& key, std::size_t at) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            if (const auto now = renamed(key); !now.empty()) {
                text.fail(at, fmt::format("{} is called {} now", formats::in_quotes(key), formats::in_quotes(now)));
            }
            text.fail(at,
                      fmt::format("unknown key {}: expected {}", formats::in_quotes(key), fmt::join(known, ", ")));
        }
        if (!members_.try_emplace(key, Text{text.content, key, text.name}, cursor.at()).second) {
            text.fail(at, fmt::format("key {} is given twice", formats::in_quotes(key)));
        }
        cursor.skip();
    });
    cursor.finish();
}

bool Fields::has(std::string_view key) const {
    return with(key, [](JsonCursor&) {});
}

std::optional<std::string> Fields::string(std::string_view key) const {
    std::optional<std::string> result;
    with(key, [&](JsonCursor& cursor) { result = cursor.string(); });
    return result;
}

std::optional<bool> Fields::boolean(std::string_view key) const {
    std::optional<bool> result;
    with(key, [&](JsonCursor& cursor) { result = cursor.boolean(); });
    return result;
}

std::optional<std::int64_t> Fields::integer(std::string_view key, std::int64_t least, std::int64_t most) const {
    std::optional<std::int64_t> result;
    with(key, [&](JsonCursor& cursor) {
        const formats::Token token = cursor.number("a whole number");
        result = formats::to_integer(cursor.text(), token, "a whole number");
        if (*result >= least && *result <= most) return;
        const bool open = most == std::numeric_limits<std::int64_t>::max();
        formats::fail_expected(
            cursor.text(), token,
            open ? fmt::format("at least {}", least) : fmt::format("a whole number from {} to {}", least, most));
    });
    return result;
}

std::optional<std::int64_t> Fields::whole(const Parameter& parameter) const {
    std::optional<std::int64_t> result;
    with(parameter.name, [&](JsonCursor& cursor) {
        const formats::Token token = cursor.number("a whole number");
        result = formats::to_integer(cursor.text(), token, "a whole number");
        const auto expected = expected_instead_of(parameter, static_cast<double>(*result));
        if (expected) formats::fail_expected(cursor.text(), token, *expected);
    });
    return result;
}

std::optional<double> Fields::number(const Parameter& parameter) const {
    std::optional<double> result;
    with(parameter.name, [&](JsonCursor& cursor) {
        const formats::Token token = cursor.number();
        result = formats::to_number(cursor.text(), token);
        const auto expected = expected_instead_of(parameter, *result);
        if (expected) formats::fail_expected(cursor.text(), token, *expected);
    });
    return result;
}

std::optional<double> Fields::number(std::string_view key, double least, double most) const {
    std::optional<double> result;
    with(key, [&](JsonCursor& cursor) {
        const formats::Token token = cursor.number();
        result = formats::to_number(cursor.text(), token);
        if (*result >= least && *result <= most) return;
        formats::fail_expected(cursor.text(), token, fmt::format("a number from {} to {}", least, most));
    });
    return result;
}

}  // namespace neuroprim::serve
