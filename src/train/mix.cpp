#include "train/mix.hpp"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <sstream>

#include "neuroprim/error.hpp"
#include "neuroprim/limits.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim::train {

namespace {

struct NamedRange {
    const char* name;
    Range SpecificationKind::*member;
};

constexpr NamedRange ranges[] = {
    {"degree", &SpecificationKind::degree},     {"hops", &SpecificationKind::hops},
    {"diameter", &SpecificationKind::diameter}, {"capacity", &SpecificationKind::capacity},
    {"demands", &SpecificationKind::demands},   {"length", &SpecificationKind::length},
    {"spare", &SpecificationKind::spare},
};

bool parse_number(const std::string& text, auto& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

void read_word(const std::string& word, SpecificationKind& kind) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) {
        kind.preset = word;
        return;
    }
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (name == "weight") {
        if (!parse_number(value, kind.weight) || !(kind.weight > 0)) {
            throw InputError(fmt::format("mix: weight: expected a positive number, found \"{}\"", value));
        }
        return;
    }
    if (name == "weights") {
        if (value != "straight") {
            throw InputError(fmt::format("mix: weights: expected straight, found \"{}\"", value));
        }
        kind.straight = true;
        return;
    }
    if (name == "imitates") {
        kind.imitates = value;
        return;
    }
    for (const NamedRange& range : ranges) {
        if (name != range.name) continue;
        kind.*range.member = parse_range(value, "mix: " + name);
        return;
    }
    throw InputError(fmt::format("mix: unknown limit \"{}\"", name));
}

/// The rules with each limit where `place` puts it in its range.
Rules rules_at(const SpecificationKind& kind, const std::function<std::int64_t(const Range&)>& place) {
    ProblemOptions options;
    for (const NamedRange& range : ranges) {
        const NumberLimit* limit = find_number_limit(range.name);
        if (limit != nullptr && (kind.*range.member).is_given()) {
            limit->set(options, static_cast<double>(place(kind.*range.member)));
        }
    }
    const Rules rules = make_rules(kind.preset, options);
    return kind.leaf_start ? from_a_leaf(rules) : rules;
}

}  // namespace

Range parse_range(const std::string& text, const std::string& source) {
    const auto dots = text.find("..");
    Range range;
    const bool is_range = dots != std::string::npos;
    const bool is_read = parse_number(text.substr(0, dots), range.low) &&
                         (!is_range || parse_number(text.substr(dots + 2), range.high));
    if (!is_range) range.high = range.low;
    if (!is_read || range.low < 0 || range.high < range.low) {
        throw InputError(
            fmt::format("{}: expected a whole number or a range such as 2..8, found \"{}\"", source, text));
    }
    return range;
}

std::string to_text(const Range& range) {
    return range.low == range.high ? fmt::format("{}", range.low) : fmt::format("{}..{}", range.low, range.high);
}

std::vector<SpecificationKind> parse_mix(const std::string& text) {
    std::vector<SpecificationKind> kinds;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        std::istringstream words(part);
        SpecificationKind kind;
        kind.preset.clear();
        for (std::string word; words >> word;) read_word(word, kind);
        if (kind == SpecificationKind{.preset = ""}) continue;  // nothing after the last semicolon
        if (kind.preset.empty()) kind.preset = "tree";
        (void)tightest_rules(kind);
        kinds.push_back(std::move(kind));
    }
    if (kinds.empty())
        throw InputError("mix: expected specifications such as \"hmst hops=2..8; cmst capacity=5..20\"");
    return kinds;
}

std::string to_text(const SpecificationKind& kind) {
    std::string text = kind.preset;
    for (const NamedRange& range : ranges) {
        if ((kind.*range.member).is_given()) text += fmt::format(" {}={}", range.name, to_text(kind.*range.member));
    }
    if (kind.straight) text += " weights=straight";
    return text;
}

BatchRules draw_rules(const std::vector<SpecificationKind>& kinds, std::uint64_t seed, std::uint64_t number) {
    constexpr std::uint64_t purpose = 0x73706563;  // apart from what else a batch draws
    Random random(Random(seed, number).next(), purpose);
    double total = 0;
    for (const SpecificationKind& kind : kinds) total += kind.weight;
    double left = random.uniform() * total;
    std::size_t chosen = 0;
    while (chosen + 1 < kinds.size() && left >= kinds[chosen].weight) left -= kinds[chosen++].weight;
    const SpecificationKind& kind = kinds[chosen];
    const auto draw = [&](const Range& range) {
        return range.low +
               static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(range.high - range.low + 1)));
    };
    BatchRules result{rules_at(kind, draw), kind};
    if (kind.spare.is_given()) result.spare = 0.01 * static_cast<double>(draw(kind.spare));
    return result;
}

Rules tightest_rules(const SpecificationKind& kind) {
    return rules_at(kind, [](const Range& range) { return range.low; });
}

}  // namespace neuroprim::train
