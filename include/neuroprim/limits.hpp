#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// Where a structure keeps a number that may be given.
template <class Owner>
using NumberMember = std::variant<std::optional<int> Owner::*, std::optional<double> Owner::*>;

/// A limit that is one number, as a line of a table. From it come the check of its range, its phrase in answers, the
/// messages of its preset, and its flag, field and keyword with their help.
struct NumberLimit {
    Limit limit;
    std::string_view name;                     ///< of its parameter; the flag is `--hops`
    std::string_view value;                    ///< what stands for the number in help texts: `H`
    std::string_view noun;                     ///< for messages: "hop limit"
    std::string_view help;                     ///< one sentence without a full stop
    NumberMember<ProblemOptions> option;       ///< whole numbers where it is an `int`
    std::optional<NumberMember<TreeSpec>> in;  ///< none: the specification has one for each vertex
    double least = 1;
    bool above = false;                ///< `least` itself is too small
    std::string_view preset = "tree";  ///< that asks for this limit alone; `tree`: none has a name for it
    std::string_view counted = {};     ///< from the root: "hops are"; empty: it needs none
    std::string (*phrase)(double number, const std::string& root) = nullptr;  ///< for `describe`

    [[nodiscard]] bool is_whole() const { return option.index() == 0; }
    [[nodiscard]] std::optional<double> of(const ProblemOptions& options) const;
    [[nodiscard]] std::optional<double> of(const TreeSpec& spec) const;
    void set(ProblemOptions& options, double number) const;

    /// Into the specification of n vertices, where it is given.
    void copy(const ProblemOptions& options, TreeSpec& spec, Vertex n) const;

    /// "a whole number of at least 1", "a number above 0".
    [[nodiscard]] std::string expected() const;
};

/// All of them, in the order of help texts.
[[nodiscard]] std::span<const NumberLimit> number_limits();

/// The line of this limit; it must be one number.
[[nodiscard]] const NumberLimit& number_limit(Limit limit);

/// The line with this name, or nothing.
[[nodiscard]] const NumberLimit* find_number_limit(std::string_view name);

}  // namespace neuroprim
