#include "train/sending.hpp"

#include <ATen/ATen.h>

namespace neuroprim::train {

void send(at::Tensor& to, const at::Tensor& from) {
    if (to.is_cuda()) {
        to.copy_(from.pin_memory(), /*non_blocking=*/true);
    } else {
        to.copy_(from);
    }
}

void send(std::optional<Trajectories>& to, const Trajectories& from, c10::Device device) {
    if (!to || to->enter.sizes() != from.enter.sizes()) {
        to = from.changed([&](const at::Tensor& x) { return at::empty_like(x, x.options().device(device)); });
    }
    for (const auto member : Trajectories::members) send((*to).*member, from.*member);
}

void send(Graphs& to, const Graphs& from, c10::Device device) {
    for (const auto member : Graphs::members) {
        at::Tensor& there = to.*member;
        const at::Tensor& here = from.*member;
        if (!here.defined()) {
            there = at::Tensor();
            continue;
        }
        if (!there.defined() || there.sizes() != here.sizes()) there = at::empty_like(here, device);
        send(there, here);
    }
}

}  // namespace neuroprim::train
