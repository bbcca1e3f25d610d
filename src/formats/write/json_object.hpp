#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/solution.hpp"

namespace neuroprim::formats {

/// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);

/// JSON has no infinity: what is not a number is written as null. Numbers read back exactly.
void append_json_number(std::string& out, double value);
[[nodiscard]] std::string json_number(std::optional<double> value);

/// Writes one JSON object, member after member. There is one dialect for files, results and the server; it has two
/// layouts.
class JsonObject {
public:
    enum class Layout {
        lines,  ///< a line for each member, and one for each element of long lists: to be looked at and compared
        line,   ///< all on one line: for JSON lines and for what travels
    };

    explicit JsonObject(Layout layout) : layout_(layout) {}

    /// A value that is JSON already.
    void raw(std::string_view key, std::string_view json);

    void text(std::string_view key, std::string_view value) { raw(key, json_string(value)); }
    void text_or_null(std::string_view key, std::string_view value) {
        raw(key, value.empty() ? "null" : json_string(value));
    }
    void number(std::string_view key, std::optional<double> value) { raw(key, json_number(value)); }
    void flag(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }

    template <class Integer>
    void integer(std::string_view key, Integer value) {
        raw(key, fmt::format("{}", value));
    }

    /// A list that is short, or not worth a line for each element.
    template <class Values>
    void list(std::string_view key, const Values& values) {
        raw(key, fmt::format("[{}]", fmt::join(values, comma())));
    }

    /// A list whose elements get lines of their own; `append(out, i)` adds element i to `out`.
    template <class Append>
    void long_list(std::string_view key, std::size_t count, Append&& append) {
        begin(key);
        const bool lines = layout_ == Layout::lines;
        out_ += '[';
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) out_ += ',';
            if (lines) out_ += "\n    ";
            append(out_, i);
        }
        out_ += lines && count > 0 ? "\n  ]" : "]";
    }

    /// [[u, v], …], in one line.
    void edges(std::string_view key, std::span<const Edge> edges);

    /// Between the numbers of a list.
    [[nodiscard]] std::string_view comma() const { return layout_ == Layout::lines ? ", " : ","; }

    /// The object; a line break ends a file.
    [[nodiscard]] std::string finish() &&;

private:
    void begin(std::string_view key);

    Layout layout_;
    std::string out_ = "{";
    bool is_empty_ = true;
};

/// The members that docs/formats.md lists.
void add_instance(JsonObject& object, const Instance& instance);
void add_solution(JsonObject& object, const Instance& instance, const Solution& solution);

/// `instance_to_json` and `solution_to_json` on one line, without a line break at the end.
[[nodiscard]] std::string instance_to_json_line(const Instance& instance);
[[nodiscard]] std::string solution_to_json_line(const Instance& instance, const Solution& solution);

}  // namespace neuroprim::formats
