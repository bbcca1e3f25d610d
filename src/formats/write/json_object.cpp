#include "formats/write/json_object.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace neuroprim::formats {

std::string json_string(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append_json_number(std::string& out, double value) {
    if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(out), "{}", value);
    } else {
        out += "null";
    }
}

std::string json_number(std::optional<double> value) {
    std::string out;
    append_json_number(out, value.value_or(std::numeric_limits<double>::infinity()));
    return out;
}

void JsonObject::begin(std::string_view key) {
    const bool lines = layout_ == Layout::lines;
    if (!is_empty_) out_ += lines ? "," : ", ";
    if (lines) out_ += "\n  ";
    is_empty_ = false;
    fmt::format_to(std::back_inserter(out_), "\"{}\": ", key);
}

void JsonObject::raw(std::string_view key, std::string_view json) {
    begin(key);
    out_ += json;
}

void JsonObject::edges(std::string_view key, std::span<const Edge> edges) {
    begin(key);
    out_ += '[';
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (i > 0) out_ += comma();
        fmt::format_to(std::back_inserter(out_), "[{}{}{}]", edges[i].u, comma(), edges[i].v);
    }
    out_ += ']';
}

std::string JsonObject::finish() && {
    out_ += layout_ == Layout::lines ? "\n}\n" : "}";
    return std::move(out_);
}

}  // namespace neuroprim::formats
