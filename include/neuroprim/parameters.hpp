#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neuroprim {

struct SolveOptions;
struct TreeSpec;

/// What a parameter's value is. Each interface writes it in its own way: a list of vertices is `A,B,C` on the command
/// line, an array of numbers in JSON, any iterable of vertices in Python.
enum class ParameterType {
    whole,     ///< a whole number
    number,    ///< a number
    flag,      ///< yes or no
    choice,    ///< one of a few words
    vertex,    ///< a vertex by its name or number
    vertices,  ///< several of them
    roots,     ///< one of them or several
    edges,     ///< pairs of vertices
    amounts,   ///< a number for each vertex, or for some
    groups,    ///< sets of vertices
    cables,    ///< pairs of capacity and price
    matrix,    ///< a number for each pair of vertices
    tree,      ///< a tree of the instance
    size,      ///< bytes
    file,      ///< a file
};

/// The type's name, as tables of parameters tell it: "whole".
[[nodiscard]] std::string_view name_of(ParameterType type);

/// What a parameter is about.
enum class ParameterGroup {
    limits,    ///< the specification; they combine
    vertices,  ///< what an input may say about its vertices as well
    method,    ///< which method, and where it begins
    policy,    ///< for methods that ask a policy
    search,    ///< for `search`
    machine,   ///< what the work may use
};

/// The numbers that a parameter may be.
struct ParameterRange {
    double least = 0;
    double most = 0;
    bool above = false;  ///< `least` itself is too small

    /// Is there no largest number worth naming?
    [[nodiscard]] bool is_open() const;
};

/// A line of the table that flags, JSON fields, Python keywords and the page's form are made from.
struct Parameter {
    std::string_view name;  ///< `time_limit` in JSON and Python; the flag is `--time-limit`
    ParameterType type = ParameterType::whole;
    ParameterGroup group = ParameterGroup::limits;
    std::string_view value;         ///< what stands for the value in help texts: `SECONDS`
    ParameterRange range;           ///< of numbers
    std::string_view usual;         ///< what holds unless it is given, as text; empty: nothing
    std::string_view help;          ///< one sentence without a full stop
    std::string_view readers = {};  ///< methods that read it, `classical` for all constructions; empty: all methods
    std::string_view choices = {};  ///< of `choice`, where no registry has them: "best classical policy both"
    bool in_command = true;         ///< false: too much for a command line
    bool in_http = true;            ///< false: a server's own affair, such as files and threads
};

/// All of them, in the order of help texts.
[[nodiscard]] std::span<const Parameter> parameters();

/// Throws std::out_of_range when there is none.
[[nodiscard]] const Parameter& parameter(std::string_view name);

/// What the parameter of this former name is called now; empty: there was none.
[[nodiscard]] std::string_view renamed(std::string_view former);

/// What was expected, unless the number is within the range: "a whole number from 1 to 64", "a number above 0".
[[nodiscard]] std::optional<std::string> expected_instead_of(const Parameter& parameter, double value);

/// The words of a list in the table.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view list);

/// Throws InputError when the method of this name (empty: `search`) does not read a parameter that was given:
/// "--samples is for --method sample, and this one is search: leave out one of them".
void check_use(const Parameter& parameter, std::string_view method);

/// Throws InputError where options of the method contradict each other: a start and a number of starts, augmentations
/// to choose from where there is one.
void check_use(const SolveOptions& options);

/// The parameters that the preset of this name is about; limits add to any.
[[nodiscard]] std::vector<std::string_view> parameters_of(std::string_view preset);

/// Throws InputError when a fact about vertices, by the name of its parameter, was given and has no say in the
/// specification: "--terminals is of no use for hmst: …".
void check_use(std::string_view fact, const TreeSpec& spec, std::string_view preset);

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
