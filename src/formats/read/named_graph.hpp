#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/text/text.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim::formats {

/// Collects the nodes and edges of a graph whose nodes go by identifiers, with what attributes say about them.
class NamedGraph {
public:
    explicit NamedGraph(const Text& text) : text_(text) {}

    /// Fails when there is one of this identifier already.
    Vertex add_node(const std::string& id, std::size_t at);

    /// Fails when there is none.
    [[nodiscard]] Vertex node(std::string_view id, std::size_t at) const;

    /// What an attribute says: positions (`x`, `y`, `lon`, `lat`, …), `terminal`, `leaf`, `root`, `demand`, `mass`,
    /// `prize`, `degree`, by any case. Others are no concern of ours.
    void set_attribute(Vertex v, std::string_view name, const Token& value);

    /// A loop is left out; a missing weight is 1. Both are told once.
    void add_edge(Vertex u, Vertex v, std::optional<double> weight, std::size_t at);

    /// Is an attribute of this name the weight of an edge? The first of several names counts more.
    [[nodiscard]] static std::optional<std::size_t> weight_rank(std::string_view name);

    /// Fails when there are no nodes. Identifiers that are just the numbers of the vertices are no names.
    [[nodiscard]] Instance to_instance() &&;

private:
    struct Place {
        std::optional<double> x;
        std::optional<double> y;
    };

    const Text& text_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, Vertex> numbers_;
    std::vector<WeightedEdge> edges_;
    std::vector<Place> places_;
    std::vector<Vertex> terminals_;
    std::vector<Vertex> leaves_;
    std::vector<Vertex> roots_;
    std::vector<std::optional<double>> demands_;
    std::vector<std::optional<double>> masses_;
    std::vector<std::optional<double>> prizes_;
    std::vector<std::optional<int>> degrees_;
    std::size_t loops_ = 0;
    std::size_t first_loop_at_ = 0;
    std::size_t unweighted_ = 0;
    std::size_t first_unweighted_at_ = 0;
};

}  // namespace neuroprim::formats
