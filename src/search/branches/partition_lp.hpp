#pragma once

#include <span>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::branches {

/// The linear relaxation of choosing branches such that every vertex is in exactly one, by the primal simplex method
/// on a dense inverse. Columns come from outside, one at a time: `enter` those whose reduced cost is negative.
///
/// The right-hand sides are a little more than one, each differently, so that no pivot is in vain.
class PartitionLp {
public:
    /// Every vertex alone, at these costs.
    explicit PartitionLp(std::span<const double> costs);

    [[nodiscard]] std::span<const double> duals() const { return duals_; }  // (n)
    [[nodiscard]] double reduced_cost(std::span<const Vertex> vertices, double cost) const {
        for (const Vertex v : vertices) cost -= duals_[index(v)];
        return cost;
    }

    /// Takes a column with a negative reduced cost into the basis. O(n²). False when that leads nowhere: nothing
    /// could leave the basis, or as many columns as there are vertices have gained nothing one after the other. Only
    /// rounding does that, and whoever went on might not end.
    [[nodiscard]] bool enter(std::span<const Vertex> vertices, double cost);

    struct Column {
        std::vector<Vertex> vertices;
        double cost = 0;
        double value = 0;
    };
    [[nodiscard]] std::span<const Column> basis() const { return basis_; }  // (n)
    [[nodiscard]] double value() const;

    /// Changes the costs of basic columns: `cost(column)` says what each costs from now on. O(n²).
    template <class Cost>
    void change_costs(Cost&& cost) {
        for (Column& column : basis_) column.cost = cost(column);
        compute_duals();
    }

    /// Computes the inverse anew, so that rounding does not add up. O(n³).
    void refactor();

private:
    void compute_duals();
    void pivot(std::size_t place);

    std::size_t size_;
    std::vector<double> right_;    // (n) the right-hand sides
    std::vector<Column> basis_;    // (n)
    std::vector<double> inverse_;  // (n, n) of the basis; row = vertex, column = place in the basis
    std::vector<double> duals_;    // (n)
    std::vector<double> step_;     // (n) the entering column in terms of the basis
    int pivots_ = 0;               // since the inverse was computed
    std::size_t in_vain_ = 0;      // pivots since one that lowered the value
};

}  // namespace neuroprim::branches
