#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "neuroprim/map_options.hpp"
#include "neuroprim/metric.hpp"
#include "serve/methods.hpp"
#include "serve/page.hpp"
#include "serve/parameter_fields.hpp"

// What the server tells about its parameters, made from the table: /api/about and openapi.json.
namespace neuroprim::serve {

namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(ParameterGroup group) {
    switch (group) {
        case ParameterGroup::limits:
            return "limits";
        case ParameterGroup::vertices:
            return "vertices";
        case ParameterGroup::method:
            return "method";
        case ParameterGroup::policy:
            return "policy";
        case ParameterGroup::search:
            return "search";
        case ParameterGroup::machine:
            return "machine";
    }
    return "";
}

/// Whole numbers without a point.
Json plain(double value) {
    constexpr double exact = 9007199254740992.0;  // 2⁵³
    return std::abs(value) < exact && value == std::floor(value) ? Json(static_cast<std::int64_t>(value))
                                                                 : Json(value);
}

Json choices_of(const Parameter& parameter) {
    Json result = Json::array();
    if (parameter.name == "problem") {
        for (const auto& kind : problem_kinds()) result.push_back(kind.name);
    } else if (parameter.name == "method") {
        for (const auto& facts : all_method_facts()) result.push_back(facts.name);
    } else if (parameter.name == "metric") {
        for (const Metric metric : all_metrics()) result.push_back(to_string(metric));
    } else {
        for (const auto word : words_of(parameter.choices)) result.push_back(word);
    }
    return result;
}

bool is_number(const Parameter& parameter) {
    return parameter.type == ParameterType::whole || parameter.type == ParameterType::number;
}

Json usual_of(const Parameter& parameter) {
    if (parameter.usual.empty()) return nullptr;
    return is_number(parameter) ? plain(std::stod(std::string(parameter.usual))) : Json(parameter.usual);
}

Json pairs_of(std::string_view type) {
    return {{"type", "array"}, {"items", {{"type", type}}}, {"minItems", 2}, {"maxItems", 2}};
}

std::string sentence_about(const Parameter& parameter) {
    std::string result = std::string(parameter.help) + ".";
    if (parameter.readers.empty()) return result;
    std::string readers;
    for (const auto name : words_of(parameter.readers))
        readers += fmt::format("{}{}", readers.empty() ? "" : ", ", name);
    return fmt::format("{} Read by {}.", result, readers);
}

Json vertex_schema() {
    return {{"type", "integer"}, {"minimum", 0}};
}

Json schema_of(const Parameter& parameter) {
    Json schema;
    switch (parameter.type) {
        case ParameterType::choice:
            schema = {{"type", "string"}, {"enum", choices_of(parameter)}};
            break;
        case ParameterType::edges:
            schema = {{"type", "array"}, {"items", pairs_of("integer")}};
            break;
        case ParameterType::cables:
            schema = {{"type", "array"}, {"items", pairs_of("number")}};
            break;
        case ParameterType::flag:
            schema = {{"type", "boolean"}};
            break;
        case ParameterType::vertex:
            schema = vertex_schema();
            break;
        case ParameterType::roots:
            schema = {{"oneOf", Json::array({vertex_schema(), {{"type", "array"}, {"items", vertex_schema()}}})}};
            break;
        default:
            schema = {{"type", parameter.type == ParameterType::whole ? "integer" : "number"},
                      {"minimum", plain(parameter.range.least)}};
            if (parameter.range.above) schema["exclusiveMinimum"] = true;
            if (!parameter.range.is_open()) schema["maximum"] = plain(parameter.range.most);
    }
    if (!parameter.usual.empty()) schema["default"] = usual_of(parameter);
    schema["description"] = sentence_about(parameter);
    return schema;
}

/// The properties, with the parameters where the file says `x-parameters`; what the file says itself is left as it
/// is.
Json with_parameters(const Json& properties) {
    Json result = Json::object();
    for (const auto& [key, member] : properties.items()) {
        if (key != "x-parameters") {
            result[key] = member;
            continue;
        }
        for (const Parameter& one : parameters()) {
            const bool is_member = one.in_http && one.group != ParameterGroup::vertices;
            if (is_member && !properties.contains(one.name)) result[std::string(one.name)] = schema_of(one);
        }
    }
    return result;
}

std::string made_description() {
    Json document = Json::parse(embedded_description());
    for (auto& [name, schema] : document["components"]["schemas"].items()) {
        if (schema.contains("properties") && schema["properties"].contains("x-parameters")) {
            schema["properties"] = with_parameters(schema["properties"]);
        }
    }
    Json& read_parameters = document["paths"]["/api/read"]["post"]["parameters"];
    for (const MapOption& option : map_options()) {
        Json schema = std::visit([](auto member) { return Json{{"default", MapOptions{}.*member}}; }, option.member);
        schema["type"] = schema["default"].is_string() ? "string" : "number";
        read_parameters.push_back({{"name", option.name},
                                   {"in", "query"},
                                   {"schema", std::move(schema)},
                                   {"description", fmt::format("Streets: {}.", option.help)}});
    }
    return document.dump(2) + "\n";
}

}  // namespace

Json parameters_to_json(const Limits& limits) {
    Json result = Json::array();
    for (const Parameter& known : parameters()) {
        if (!known.in_http) continue;
        const Parameter one = narrowed(known, limits);
        Json row = {{"name", one.name}, {"type", name_of(one.type)}, {"group", name_of(one.group)}};
        row["least"] = is_number(one) ? plain(one.range.least) : Json();
        row["most"] = is_number(one) && !one.range.is_open() ? plain(one.range.most) : Json();
        row["above"] = one.range.above;
        row["usual"] = usual_of(one);
        row["choices"] = choices_of(one);
        row["readers"] = Json::array();
        for (const auto reader : words_of(one.readers)) row["readers"].push_back(reader);
        row["help"] = one.help;
        result.push_back(std::move(row));
    }
    return result;
}

const std::string& description() {
    static const std::string text = made_description();
    return text;
}

}  // namespace neuroprim::serve
