#include "train/optimiser.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <numbers>

namespace neuroprim::train {

FlatParameters::FlatParameters(const std::vector<at::Tensor>& parameters) {
    std::vector<at::Tensor> pieces;
    for (const at::Tensor& parameter : parameters) pieces.push_back(parameter.detach().reshape({-1}));
    values = at::cat(pieces);
    gradients = at::zeros_like(values);
    std::int64_t offset = 0;
    for (at::Tensor parameter : parameters) {
        const auto view = [&](const at::Tensor& flat) {
            return flat.narrow(0, offset, parameter.numel()).view(parameter.sizes());
        };
        parameter.set_data(view(values));
        parameter.mutable_grad() = view(gradients);
        offset += parameter.numel();
    }
}

Adam::Adam(const at::Tensor& values)
    : first_moments(at::zeros_like(values)), second_moments(at::zeros_like(values)) {}

void Adam::update(at::Tensor& values, const at::Tensor& gradients, double learning_rate) {
    constexpr double beta1 = 0.9;
    constexpr double beta2 = 0.999;
    constexpr double epsilon = 1e-8;
    ++steps;
    const double correction1 = 1 - std::pow(beta1, static_cast<double>(steps));
    const double correction2 = 1 - std::pow(beta2, static_cast<double>(steps));
    first_moments.mul_(beta1).add_(gradients, 1 - beta1);
    second_moments.mul_(beta2).addcmul_(gradients, gradients, 1 - beta2);
    const auto deviation = second_moments.sqrt().div_(std::sqrt(correction2)).add_(epsilon);
    values.addcdiv_(first_moments, deviation, -learning_rate / correction1);
}

at::Tensor clip_gradient(at::Tensor& gradients, double longest) {
    const auto length = gradients.norm();
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
