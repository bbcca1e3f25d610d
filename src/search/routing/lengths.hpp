#pragma once

#include <vector>

#include "neuroprim/weights.hpp"

namespace neuroprim::routing {

/// Edge lengths as the searches ask for them: a table while one fits the caches, computed otherwise.
class Lengths {
public:
    /// `weights` must outlive it. O(n²) for few vertices, O(1) for many.
    explicit Lengths(const Weights& weights);

    [[nodiscard]] double operator()(Vertex u, Vertex v) const {
        return table_.empty() ? (*weights_)(u, v) : table_[index(u) * n_ + index(v)];
    }
    [[nodiscard]] const Weights& weights() const { return *weights_; }
    [[nodiscard]] bool sparse() const { return weights_->form() == Weights::Form::sparse; }

    /// Do lengths keep the triangle inequality, rounding aside? Then a leaf never wants to hang from a leaf.
    [[nodiscard]] bool metric() const { return weights_->form() == Weights::Form::points; }

private:
    const Weights* weights_;
    std::size_t n_;
    std::vector<double> table_;  // (n, n) or empty
};

}  // namespace neuroprim::routing
