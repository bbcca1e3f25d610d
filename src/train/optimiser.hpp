#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace neuroprim::train {

/// All parameters of a model as one array, and their gradients as another: the model's own tensors become views.
/// One long vector makes Adam, the norm and the sum over processes a handful of operations each.
class FlatParameters {
public:
    /// The tensors must be of one type on one device, require gradients and stay the model's.
    explicit FlatParameters(const std::vector<at::Tensor>& parameters);

    /// Before the backward passes of an update: the first one then hands over what it computed and adds nothing up.
    void forget_gradients();

    /// After them: `gradients` becomes what they left.
    void collect_gradients();

    at::Tensor values;     // (P)
    at::Tensor gradients;  // (P)

private:
    std::vector<at::Tensor> parameters_;
};

/// Adam (Kingma and Ba) with bias correction, β = (0.9, 0.999), ε = 1e-8.
class Adam {
public:
    explicit Adam(const at::Tensor& values);

    /// What update number `steps` (from 1) needs to know besides the gradient: the learning rate, 1 − β₁^k, 1 − β₂^k.
    [[nodiscard]] std::array<float, 3> factors(double learning_rate) const;

    /// `factors` is (3) on the device of the vectors.
    void update(at::Tensor& values, const at::Tensor& gradients, const at::Tensor& factors);

    at::Tensor first_moments;   // (P)
    at::Tensor second_moments;  // (P)
    std::int64_t steps = 0;     ///< for the caller to count
};

/// Shortens the vector to at most `longest` (0: leaves it) and returns its length before. No wait for the device.
at::Tensor clip_gradient(at::Tensor& gradients, double longest);

/// The learning rate of update `step` (from 0): linear warm-up, then constant or half a cosine down to 0 at
/// `updates`.
struct Schedule {
    double learning_rate = 1e-4;
    bool cosine = false;
    std::int64_t warmup = 0;
    std::int64_t updates = 1;

    [[nodiscard]] double at(std::int64_t step) const;
};

}  // namespace neuroprim::train
