#include "neuroprim/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace neuroprim {

namespace {

std::string hops_in_words(double hops) {
    return fmt::format("{:g} hop{}", hops, hops == 1 ? "" : "s");
}

// A new limit that is one number is a line here.
constexpr std::array limits_table = {
    NumberLimit{.limit = Limit::degree,
                .name = "degree",
                .value = "D",
                .noun = "degree limit",
                .help = "The most tree edges at a vertex; replaces limits in the input",
                .option = &ProblemOptions::degree,
                .in = {},
                .preset = "dcmst"},
    NumberLimit{.limit = Limit::hops,
                .name = "hops",
                .value = "H",
                .noun = "hop limit",
                .help = "The most edges between the root and any vertex",
                .option = &ProblemOptions::hops,
                .in = &TreeSpec::hops,
                .preset = "hmst",
                .counted = "hops are",
                .phrase =
                    [](double hops, const std::string& root) {
                        return fmt::format("at most {} from {}", hops_in_words(hops), root);
                    }},
    NumberLimit{
        .limit = Limit::length,
        .name = "length",
        .value = "L",
        .noun = "length limit",
        .help = "The longest way from the root to any vertex",
        .option = &ProblemOptions::length,
        .in = &TreeSpec::length,
        .least = 0,
        .preset = "lmst",
        .counted = "lengths are",
        .phrase = [](double length,
                     const std::string& root) { return fmt::format("no farther than {:g} from {}", length, root); }},
    NumberLimit{.limit = Limit::capacity,
                .name = "capacity",
                .value = "Q",
                .noun = "capacity",
                .help = "The most demand behind an edge of the root; a vertex demands 1 unless the input says",
                .option = &ProblemOptions::capacity,
                .in = &TreeSpec::capacity,
                .least = 0,
                .above = true,
                .preset = "cmst",
                .counted = "loads are",
                .phrase =
                    [](double capacity, const std::string& root) {
                        return fmt::format("at most {:g} per branch of {}", capacity, root);
                    }},
    NumberLimit{.limit = Limit::diameter,
                .name = "diameter",
                .value = "D",
                .noun = "diameter",
                .help = "The most edges between any two vertices",
                .option = &ProblemOptions::diameter,
                .in = &TreeSpec::diameter,
                .preset = "bdmst",
                .phrase =
                    [](double diameter, const std::string&) {
                        return fmt::format("at most {} between any two", hops_in_words(diameter));
                    }},
};

template <class Owner>
std::optional<double> number_at(const Owner& owner, const NumberMember<Owner>& member) {
    return std::visit([&](auto at) -> std::optional<double> { return owner.*at; }, member);
}

template <class Owner>
void put(Owner& owner, const NumberMember<Owner>& member, double number) {
    std::visit(
        [&](auto at) {
            using Number = typename std::decay_t<decltype(owner.*at)>::value_type;
            owner.*at = static_cast<Number>(number);
        },
        member);
}

}  // namespace

std::optional<double> NumberLimit::of(const ProblemOptions& options) const {
    return number_at(options, option);
}

std::optional<double> NumberLimit::of(const TreeSpec& spec) const {
    return in ? number_at(spec, *in) : std::nullopt;
}

void NumberLimit::set(ProblemOptions& options, double number) const {
    put(options, option, number);
}

void NumberLimit::copy(const ProblemOptions& options, TreeSpec& spec, Vertex n) const {
    const std::optional<double> number = of(options);
    if (!number) return;
    if (in) return put(spec, *in, *number);
    spec.degrees.assign(index(n), static_cast<int>(*number));
}

std::string NumberLimit::expected() const {
    return fmt::format("a {}number {} {:g}", is_whole() ? "whole " : "", above ? "above" : "of at least", least);
}

std::span<const NumberLimit> number_limits() {
    return limits_table;
}

const NumberLimit& number_limit(Limit limit) {
    const auto found = std::find_if(limits_table.begin(), limits_table.end(),
                                    [&](const NumberLimit& line) { return line.limit == limit; });
    if (found == limits_table.end()) throw std::out_of_range("this limit is not one number");
    return *found;
}

const NumberLimit* find_number_limit(std::string_view name) {
    const auto found = std::find_if(limits_table.begin(), limits_table.end(),
                                    [&](const NumberLimit& line) { return line.name == name; });
    return found == limits_table.end() ? nullptr : &*found;
}

}  // namespace neuroprim
