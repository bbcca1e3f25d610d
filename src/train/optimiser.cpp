#include "train/optimiser.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>
#include <numbers>

namespace neuroprim::train {

namespace {

constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;

}  // namespace

FlatParameters::FlatParameters(const std::vector<at::Tensor>& parameters) : parameters_(parameters) {
    std::vector<at::Tensor> pieces;
    pieces.reserve(parameters.size());
    for (const at::Tensor& parameter : parameters) pieces.push_back(parameter.detach().reshape({-1}));
    values = at::cat(pieces);
    gradients = at::zeros_like(values);
    std::int64_t offset = 0;
    for (const at::Tensor& parameter : parameters) {
        parameter.set_data(values.narrow(0, offset, parameter.numel()).view(parameter.sizes()));
        offset += parameter.numel();
    }
}

void FlatParameters::forget_gradients() {
    for (at::Tensor& parameter : parameters_) parameter.mutable_grad() = at::Tensor();
}

void FlatParameters::collect_gradients() {
    const at::NoGradGuard no_gradients;
    std::vector<at::Tensor> pieces;
    pieces.reserve(parameters_.size());
    for (const at::Tensor& parameter : parameters_) {
        const at::Tensor& gradient = parameter.grad();
        pieces.push_back(gradient.defined() ? gradient.reshape({-1}) : at::zeros_like(parameter).reshape({-1}));
    }
    at::cat_out(gradients, pieces);
}

Adam::Adam(const at::Tensor& values)
    : first_moments(at::zeros_like(values)), second_moments(at::zeros_like(values)) {}

std::array<float, 3> Adam::factors(double learning_rate) const {
    const auto k = static_cast<double>(steps);
    return {static_cast<float>(learning_rate), static_cast<float>(1 - std::pow(beta1, k)),
            static_cast<float>(1 - std::pow(beta2, k))};
}

void Adam::update(at::Tensor& values, const at::Tensor& gradients, const at::Tensor& factors) {
    first_moments.mul_(beta1).add_(gradients, 1 - beta1);
    second_moments.mul_(beta2).addcmul_(gradients, gradients, 1 - beta2);
    const auto deviation = (second_moments / factors[2]).sqrt_().add_(epsilon);
    values.sub_(first_moments / deviation * (factors[0] / factors[1]));
}

at::Tensor clip_gradient(at::Tensor& gradients, double longest) {
    auto length = gradients.norm();
    if (longest > 0) gradients.mul_((longest / (length + 1e-6)).clamp_max(1.0));
    return length;
}

double Schedule::at(std::int64_t step) const {
    const auto done = static_cast<double>(step);
    if (step < warmup) return learning_rate * (done + 1) / static_cast<double>(warmup);
    if (!cosine) return learning_rate;
    const double share =
        (done - static_cast<double>(warmup)) / static_cast<double>(std::max<std::int64_t>(1, updates - warmup));
    return learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, share)));
}

}  // namespace neuroprim::train
