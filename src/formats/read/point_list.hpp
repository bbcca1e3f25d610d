#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/read/group_names.hpp"
#include "formats/text/text.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim::formats {

/// What the cables of a wind farm lead to: a vertex of this kind is a root.
inline constexpr std::string_view kind_of_roots = "substation";

/// Collects points, and what a file may say about some of them, into an instance.
class PointList {
public:
    void add(Point point) { points_.push_back(point); }

    /// How many were added; the last is number size() − 1.
    [[nodiscard]] std::size_t size() const { return points_.size(); }

    /// `at` is where the text gives it, or leaves it empty.
    void set_name(std::size_t v, std::string name, std::size_t at);
    void set_terminal(std::size_t v);
    void set_degree_limit(std::size_t v, int limit);
    void set_leaf(std::size_t v);
    void set_demand(std::size_t v, double demand);
    void set_mass(std::size_t v, double mass);
    void set_prize(std::size_t v, double prize);
    void set_group(std::size_t v, std::string name) { groups_.set(v, std::move(name)); }

    /// Vertices are marked in increasing order; more than one makes a forest.
    void set_root(std::size_t v);

    /// What becomes of a name that another vertex has: an error with its line, or `name (2)` and one warning.
    enum class SameName { refuse, number };

    /// Where some vertices have a name, the others get their number; where some have a degree limit, the others
    /// get one that does not bind; where some have a demand or a mass, the others have 1; prizes are 0 unless given.
    /// Fails when there are no points.
    [[nodiscard]] Instance to_instance(const Text& text, Metric metric, SameName same_name) &&;

private:
    void make_names_differ(const Text& text, SameName same_name);

    std::vector<Point> points_;
    std::vector<std::string> names_;              // up to the last one given; empty: not given
    std::vector<std::size_t> names_at_;           // as long
    std::vector<bool> terminals_;                 // up to the last one given
    std::vector<int> degree_limits_;              // up to the last one given; 0: not given
    std::vector<bool> leaves_;                    // up to the last one given
    std::vector<std::optional<double>> demands_;  // up to the last one given
    std::vector<std::optional<double>> masses_;   // up to the last one given
    std::vector<std::optional<double>> prizes_;   // up to the last one given
    GroupNames groups_;
    std::vector<Vertex> roots_;
};

}  // namespace neuroprim::formats
