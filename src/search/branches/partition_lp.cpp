#include "search/branches/partition_lp.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "neuroprim/random.hpp"

namespace neuroprim::branches {

namespace {

constexpr double most_perturbation = 1e-4;
constexpr double least_pivot = 1e-7;
constexpr int pivots_of_inverse = 2000;
/// A pivot that lowers the value by less than this part of the column's cost gains nothing but rounding.
constexpr double least_gain = 1e-15;

}  // namespace

PartitionLp::PartitionLp(std::span<const double> costs)
    : size_(costs.size()),
      right_(size_),
      basis_(size_),
      inverse_(size_ * size_, 0),
      duals_(costs.begin(), costs.end()),
      step_(size_) {
    Random random(1);
    for (std::size_t k = 0; k < size_; ++k) {
        right_[k] = 1 + most_perturbation * random.uniform();
        basis_[k] = {{static_cast<Vertex>(k)}, costs[k], right_[k]};
        inverse_[k * size_ + k] = 1;
    }
}

double PartitionLp::value() const {
    double sum = 0;
    for (const Column& column : basis_) sum += column.cost * column.value;
    return sum;
}

void PartitionLp::compute_duals() {
    for (std::size_t v = 0; v < size_; ++v) {
        double sum = 0;
        for (std::size_t k = 0; k < size_; ++k) sum += inverse_[v * size_ + k] * basis_[k].cost;
        duals_[v] = sum;
    }
}

bool PartitionLp::enter(std::span<const Vertex> vertices, double cost) {
    std::fill(step_.begin(), step_.end(), 0);
    for (const Vertex v : vertices) {
        const double* row = &inverse_[index(v) * size_];
        for (std::size_t k = 0; k < size_; ++k) step_[k] += row[k];
    }
    std::size_t leaving = size_;
    double length = 0;
    for (std::size_t k = 0; k < size_; ++k) {
        if (step_[k] < least_pivot) continue;
        const double ratio = std::max(0.0, basis_[k].value) / step_[k];
        if (leaving == size_ || ratio < length) {
            leaving = k;
            length = ratio;
        }
    }
    if (leaving == size_) return false;  // a column of ones and zeros hits a bound, but for rounding
    const double reduced = reduced_cost(vertices, cost);
    for (std::size_t k = 0; k < size_; ++k) basis_[k].value -= length * step_[k];
    basis_[leaving].vertices.assign(vertices.begin(), vertices.end());
    basis_[leaving].cost = cost;
    basis_[leaving].value = length;
    pivot(leaving);
    for (std::size_t v = 0; v < size_; ++v) duals_[v] += reduced * inverse_[v * size_ + leaving];
    if (++pivots_ >= pivots_of_inverse) refactor();
    in_vain_ = -reduced * length > least_gain * cost ? 0 : in_vain_ + 1;
    return in_vain_ <= size_;
}

void PartitionLp::pivot(std::size_t place) {
    const double inverse_pivot = 1 / step_[place];
    step_[place] = 0;
    for (std::size_t v = 0; v < size_; ++v) {
        double* row = &inverse_[v * size_];
        if (row[place] == 0) continue;
        const double factor = row[place] * inverse_pivot;
        for (std::size_t k = 0; k < size_; ++k) row[k] -= factor * step_[k];
        row[place] = factor;
    }
}

/// Gauss and Jordan, from the identity: one column of the basis after the other takes the best row that is left.
void PartitionLp::refactor() {
    std::vector<Column> columns = std::exchange(basis_, std::vector<Column>(size_));
    std::fill(inverse_.begin(), inverse_.end(), 0);
    for (std::size_t k = 0; k < size_; ++k) inverse_[k * size_ + k] = 1;
    std::vector<char> taken(size_, 0);
    std::stable_sort(columns.begin(), columns.end(),
                     [](const Column& a, const Column& b) { return a.vertices.size() < b.vertices.size(); });
    for (Column& column : columns) {
        std::fill(step_.begin(), step_.end(), 0);
        for (const Vertex v : column.vertices) {
            for (std::size_t k = 0; k < size_; ++k) step_[k] += inverse_[index(v) * size_ + k];
        }
        std::size_t place = size_;
        for (std::size_t k = 0; k < size_; ++k) {
            if (!taken[k] && (place == size_ || std::abs(step_[k]) > std::abs(step_[place]))) place = k;
        }
        taken[place] = 1;
        pivot(place);
        basis_[place] = std::move(column);
    }
    for (std::size_t k = 0; k < size_; ++k) basis_[k].value = 0;
    for (std::size_t v = 0; v < size_; ++v) {
        for (std::size_t k = 0; k < size_; ++k) basis_[k].value += inverse_[v * size_ + k] * right_[v];
    }
    compute_duals();
    pivots_ = 0;
}

}  // namespace neuroprim::branches
