#include "serve/schema.hpp"

#include <algorithm>

namespace neuroprim::test {

namespace {

using nlohmann::json;

bool has_type(const json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return false;
}

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return text;
}

}  // namespace

const json& Description::resolved(const json& value) const {
    if (!value.is_object() || !value.contains("$ref")) return value;
    return document_.at(json::json_pointer(value.at("$ref").get<std::string>().substr(1)));
}

const json& Description::schema(const std::string& name) const {
    return document_.at("components").at("schemas").at(name);
}

std::optional<std::string> Description::mismatch(const json& value, const json& unresolved,
                                                 const std::string& path) const {
    const json& schema = resolved(unresolved);
    if (value.is_null() && schema.value("nullable", false)) return std::nullopt;
    if (schema.contains("type") && !has_type(value, schema.at("type"))) {
        return path + ": expected " + schema.at("type").get<std::string>() + ", found " + value.dump();
    }
    if (schema.contains("enum")) {
        const auto& choice = schema.at("enum");
        if (std::find(choice.begin(), choice.end(), value) == choice.end()) return path + ": " + value.dump();
    }
    if (value.is_number()) {
        if (schema.contains("minimum") && value < schema.at("minimum")) return path + ": too small " + value.dump();
        if (schema.contains("maximum") && value > schema.at("maximum")) return path + ": too large " + value.dump();
    }
    if (value.is_array()) {
        if (value.size() < schema.value("minItems", std::size_t{0})) return path + ": too short";
        if (schema.contains("maxItems") && value.size() > schema.at("maxItems")) return path + ": too long";
        for (std::size_t k = 0; k < value.size() && schema.contains("items"); ++k) {
            auto reason = mismatch(value[k], schema.at("items"), path + "[" + std::to_string(k) + "]");
            if (reason) return reason;
        }
    }
    if (value.is_object() && schema.contains("properties")) {
        for (const auto& key : schema.value("required", json::array())) {
            if (!value.contains(key.get<std::string>())) return path + ": " + key.dump() + " is missing";
        }
        for (const auto& [key, member] : value.items()) {
            if (!schema.at("properties").contains(key)) return path + ": " + key + " is not described";
            if (auto reason = mismatch(member, schema.at("properties").at(key), path + "." + key)) return reason;
        }
    }
    return std::nullopt;
}

std::optional<std::string> Description::objection(const std::string& method, const std::string& path, int status,
                                                  const std::string& type, const std::string& body) const {
    const json& paths = document_.at("paths");
    const bool known = paths.contains(path) && paths.at(path).contains(lower_case(method));
    if (!known) {
        const int expected = paths.contains(path) ? 405 : 404;
        if (status != expected && status != 403) return "not described: " + method + " " + path;
        return mismatch(json::parse(body), schema("Error"));
    }
    const json& responses = paths.at(path).at(lower_case(method)).at("responses");
    if (!responses.contains(std::to_string(status))) return "status is not described: " + std::to_string(status);
    const json& content = resolved(responses.at(std::to_string(status))).at("content");
    const std::string plain_type = type.substr(0, type.find(';'));
    if (!content.contains(plain_type)) return "type is not described: " + type;
    if (plain_type.find("json") == std::string::npos) return std::nullopt;
    return mismatch(json::parse(body), content.at(plain_type).at("schema"));
}

}  // namespace neuroprim::test
