#pragma once

#include <array>
#include <span>
#include <string_view>

#include "formats/text/text.hpp"

/// SteinLib files also hold problems that an instance has no place for. To skip what makes them different would solve
/// another problem in silence.
namespace neuroprim::formats {

struct OtherProblem {
    std::string_view keyword;
    std::string_view meaning;
};

inline constexpr std::string_view no_vertex_weights =
    "vertices that cost or earn something cannot be read, only edges have weights here";
inline constexpr std::string_view no_prizes = "prizes are read from lines TP of section Terminals only";
inline constexpr std::string_view no_groups =
    "group Steiner trees cannot be read, since a terminal is one vertex here";

inline constexpr std::string_view no_obstacles = "obstacles in the plane cannot be read, only graphs";

inline constexpr std::array<OtherProblem, 7> steinlib_section_problems = {
    {{"NodeWeights", no_vertex_weights},
     {"Obstacles", no_obstacles},
     {"Prizes", no_prizes},
     {"TerminalPrizes", no_prizes},
     {"Groups", no_groups},
     {"Capacities", "capacities cannot be read"},
     {"Demands", "demands cannot be read"}}};

inline constexpr std::array<OtherProblem, 3> steinlib_graph_problems = {
    {{"Obstacles", no_obstacles},
     {"HopLimit", "a limit on hops cannot be read from the file: leave the line out and use --hops"},
     {"NW", no_vertex_weights}}};

inline constexpr std::array<OtherProblem, 3> steinlib_terminal_problems = {
    {{"TF", no_prizes}, {"TG", no_groups}, {"Groups", no_groups}}};

/// Fails when the keyword belongs to one of these problems, with its meaning.
void refuse_other_problems(const Text& text, const Token& keyword, std::span<const OtherProblem> problems);

}  // namespace neuroprim::formats
