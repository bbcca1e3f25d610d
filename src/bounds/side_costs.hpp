#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bounds/padded_table.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

/// What an edge uv of a tree costs when every vertex is free to lie on either side of it.
///
/// The edge pays for the pairs that it separates. A vertex o on the side of u sees the edge lead to v, and earns
/// `price[v][o]` for entering v; on the side of v it earns `price[u][o]`. The ends lie on their own sides.
class SideCosts {
public:
    virtual ~SideCosts() = default;

    /// Looks at the prices again: (n, n), row = the vertex that is entered, column = from where; 0 on the diagonal.
    /// They must stay where they are.
    void set_prices(const PaddedTable& prices);

    /// What each vertex pays for an edge between it and the root, in addition: `per_edge` + weight · `per_weight`,
    /// (n) each. They must stay where they are. Sides that know no root leave them out.
    void set_path_prices(std::span<const double> per_edge, std::span<const double> per_weight) {
        per_edge_ = per_edge;
        per_weight_ = per_weight;
    }

    /// No more than `least`, found much faster. O(n).
    [[nodiscard]] virtual double floor(const WeightedEdge& edge) const = 0;

    /// The least cost of the edge. `on_side_of_u`: (n) which sides that takes. O(n log n) for masses, a minimum cut
    /// for requirements.
    [[nodiscard]] virtual double least(const WeightedEdge& edge, std::vector<char>& on_side_of_u) = 0;

    /// How many looks at a number `floor` and `least` take, about.
    [[nodiscard]] virtual std::int64_t floor_looks() const = 0;
    [[nodiscard]] virtual std::int64_t least_looks() const = 0;

protected:
    [[nodiscard]] const double* prices_of(Vertex entered) const { return (*prices_)[index(entered)]; }
    [[nodiscard]] std::size_t stride() const { return prices_->stride(); }

    [[nodiscard]] double path_price(std::size_t o, double weight) const {
        return per_edge_.empty() ? 0 : per_edge_[o] + weight * per_weight_[o];
    }

    /// When u is alone on its side.
    [[nodiscard]] double earned_alone(const WeightedEdge& edge) const {
        return prices_of(edge.v)[edge.u] + row_sum_[index(edge.u)];
    }

private:
    const PaddedTable* prices_ = nullptr;
    std::vector<double> row_sum_;  // (n)
    std::span<const double> per_edge_;
    std::span<const double> per_weight_;
};

/// Weight × mass on one side × mass on the other.
[[nodiscard]] std::unique_ptr<SideCosts> side_costs_of_masses(std::vector<double> masses);

/// Weight × requirements of the pairs with an end on either side. `requirements`: a lower triangle.
[[nodiscard]] std::unique_ptr<SideCosts> side_costs_of_requirements(Vertex n, std::span<const double> requirements);

/// Weight × a price for the number of vertices on the side without the root; infinity: so many may not be there.
/// `price`: (n).
[[nodiscard]] std::unique_ptr<SideCosts> side_costs_of_counts(Vertex root, std::vector<double> price);

}  // namespace neuroprim
