#pragma once

#include <functional>

#include "train/tables.hpp"

namespace neuroprim::train {

/// Every tensor of the tables through `change`. Side work belongs to the tables as they were made.
template <class Change>
[[nodiscard]] Tables changed(const Tables& tables, Change&& change) {
    Tables result;
    result.graph = change(tables.graph);
    result.edges = change(tables.edges);
    for (const Tables::Layer& layer : tables.layers) {
        result.layers.push_back({change(layer.keys), change(layer.values)});
    }
    result.action_keys = change(tables.action_keys);
    return result;
}

/// The sum of values times their weights, which are numbers. It is never computed: the weights are the values'
/// gradients. Without weights the value is one number.
struct WeightedSum {
    at::Tensor values;
    at::Tensor weights = {};

    void backward() const { values.backward(weights); }
};

/// The loss of graphs first … first + count − 1, whose tables are given. The whole loss is the sum over its parts.
using PartialLoss = std::function<WeightedSum(const Tables& part, std::int64_t first, std::int64_t count)>;

/// Adds the gradient of the whole loss to that of everything the tables and the loss depend on. At most `piece`
/// graphs are replayed at a time, which bounds the memory; the encoder is passed once, whatever the number of pieces.
void differentiate(const Tables& tables, std::int64_t piece, const PartialLoss& loss);

}  // namespace neuroprim::train
