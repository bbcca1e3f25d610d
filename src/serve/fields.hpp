#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::serve {

/// The members of a request's JSON object. Errors begin with the member they are about: `degree:1: expected …`.
class Fields {
public:
    /// Throws InputError on anything but one object with members among `known`, each at most once. `text` must stay.
    Fields(const formats::Text& text, const std::vector<std::string_view>& known);

    /// Calls `read(cursor)` at the value of this member; returns whether there is one. A null counts as none.
    template <class Read>
    bool with(std::string_view key, Read&& read) const;

    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] std::optional<std::string> string(std::string_view key) const;
    [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;

    /// Throws InputError outside [least, most].
    [[nodiscard]] std::optional<std::int64_t> integer(
        std::string_view key, std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;

    /// A number within the range of a parameter. Throws InputError outside it.
    [[nodiscard]] std::optional<std::int64_t> whole(const Parameter& parameter) const;
    [[nodiscard]] std::optional<double> number(const Parameter& parameter) const;

    /// A finite number within [least, most].
    [[nodiscard]] std::optional<double> number(std::string_view key, double least, double most) const;

private:
    struct Member {
        Member(formats::Text named, std::size_t begin) : text(std::move(named)), at(begin) {}

        formats::Text text;  // the whole text, under the name of the member
        std::size_t at;
    };

    std::map<std::string, Member, std::less<>> members_;
};

template <class Read>
bool Fields::with(std::string_view key, Read&& read) const {
    const auto member = members_.find(key);
    if (member == members_.end()) return false;
    formats::JsonCursor cursor(member->second.text, member->second.at);
    if (cursor.null()) return false;
    read(cursor);
    return true;
}

}  // namespace neuroprim::serve
