#pragma once

#include <c10/core/Device.h>

#include <optional>

#include "train/trajectories.hpp"

/// Copies to a device without waiting for it. Tensors that are there keep their places in memory as long as their
/// sizes stay, so that a recorded update finds them.
namespace neuroprim::train {

/// Both have the same size.
void send(at::Tensor& to, const at::Tensor& from);

void send(std::optional<Trajectories>& to, const Trajectories& from, c10::Device device);
void send(Graphs& to, const Graphs& from, c10::Device device);

}  // namespace neuroprim::train
