#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace neuroprim::test {

/// The part of OpenAPI 3.0 that src/serve/openapi.json uses, to hold answers against it.
class Description {
public:
    explicit Description(const std::string& text) : document_(nlohmann::json::parse(text)) {}

    [[nodiscard]] const nlohmann::json& document() const { return document_; }

    /// What `$ref` points at, or the value itself.
    [[nodiscard]] const nlohmann::json& resolved(const nlohmann::json& value) const;

    /// The first place where `value` is not what `schema` says, or nothing.
    [[nodiscard]] std::optional<std::string> mismatch(const nlohmann::json& value, const nlohmann::json& schema,
                                                      const std::string& path = "$") const;

    /// Why an answer is not among those that are described for this operation, or nothing.
    [[nodiscard]] std::optional<std::string> objection(const std::string& method, const std::string& path, int status,
                                                       const std::string& type, const std::string& body) const;

    /// The schema of a component.
    [[nodiscard]] const nlohmann::json& schema(const std::string& name) const;

private:
    nlohmann::json document_;
};

}  // namespace neuroprim::test
