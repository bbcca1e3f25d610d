#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace neuroprim {

/// What a parameter's value is. Each interface writes it in its own way: a list of vertices is `A,B,C` on the command
/// line, an array of numbers in JSON, any iterable of vertices in Python.
enum class ParameterType {
    whole,     ///< a whole number
    number,    ///< a number
    choice,    ///< one of a few words
    vertex,    ///< a vertex by its name or number
    vertices,  ///< several of them
    edges,     ///< pairs of vertices
    amounts,   ///< a number for each vertex, or for some
    groups,    ///< sets of vertices
    cables,    ///< pairs of capacity and price
    matrix,    ///< a number for each pair of vertices
    tree,      ///< a tree of the instance
    size,      ///< bytes
    file,      ///< a file
};

/// What a parameter is about.
enum class ParameterGroup {
    limits,    ///< the specification; they combine
    vertices,  ///< what an input may say about its vertices as well
    method,    ///< which method, and where it begins
    policy,    ///< for methods that ask a policy
    search,    ///< for `search`
    machine,   ///< what the work may use
};

/// A line of the table that flags, JSON fields, Python keywords and the page's form are made from.
struct Parameter {
    std::string_view name;  ///< `time_limit` in JSON and Python; the flag is `--time-limit`
    ParameterType type = ParameterType::whole;
    ParameterGroup group = ParameterGroup::limits;
    std::string_view value;         ///< what stands for the value in help texts: `SECONDS`
    double least = 0;               ///< of numbers
    double most = 0;                ///< of numbers; infinity: whatever the type holds
    bool above = false;             ///< numbers must be greater than `least`
    std::string_view usual;         ///< what holds unless it is given, as text; empty: nothing
    std::string_view help;          ///< one sentence without a full stop
    std::string_view choices = {};  ///< of `choice`, where no registry has them: "best classical policy both"
    bool in_http = true;            ///< false: a server's own affair, such as files and threads
};

/// All of them, in the order of help texts.
[[nodiscard]] std::span<const Parameter> parameters();

/// Throws std::out_of_range when there is none.
[[nodiscard]] const Parameter& parameter(std::string_view name);

/// What was expected, unless the number is within the range: "a whole number from 1 to 64", "a number above 0".
[[nodiscard]] std::optional<std::string> expected_instead_of(const Parameter& parameter, double value);

/// How an interface writes the name of a parameter.
enum class Spelling {
    flag,     ///< --time-limit
    keyword,  ///< time_limit=...
    field,    ///< "time_limit"
};

[[nodiscard]] std::string spelled(std::string_view name, Spelling spelling);

/// The library's messages name parameters as flags with their values, `--hops H`. The message with names as another
/// interface writes them; the letters of values are left out there.
[[nodiscard]] std::string respelled(std::string_view message, Spelling spelling);

}  // namespace neuroprim
