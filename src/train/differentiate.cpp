#include "train/differentiate.hpp"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

namespace neuroprim::train {

namespace {

std::vector<at::Tensor> tensors_of(const Tables& tables) {
    std::vector<at::Tensor> result = {tables.graph, tables.edges};
    for (const Tables::Layer& layer : tables.layers) {
        result.push_back(layer.keys);
        result.push_back(layer.values);
    }
    result.push_back(tables.action_keys);
    return result;
}

}  // namespace

void differentiate(const Tables& tables, std::int64_t piece, const PartialLoss& loss) {
    const std::int64_t graphs = tables.graphs();
    if (piece >= graphs) {
        loss(tables, 0, graphs).backward();
        return;
    }
    const std::vector<at::Tensor> roots = tensors_of(tables);
    std::vector<std::vector<at::Tensor>> pieces(roots.size());
    for (std::int64_t first = 0; first < graphs; first += piece) {
        const std::int64_t count = std::min(piece, graphs - first);
        const Tables part = changed(
            tables, [&](const at::Tensor& x) { return x.detach().narrow(0, first, count).requires_grad_(true); });
        loss(part, first, count).backward();
        const std::vector<at::Tensor> leaves = tensors_of(part);
        for (std::size_t k = 0; k < leaves.size(); ++k) pieces[k].push_back(leaves[k].grad());
    }
    std::vector<at::Tensor> gradients;
    gradients.reserve(pieces.size());
    for (const auto& parts : pieces) gradients.push_back(at::cat(parts));
    torch::autograd::backward(roots, gradients);
}

}  // namespace neuroprim::train
