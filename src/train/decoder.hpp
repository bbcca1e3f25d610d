#pragma once

#include "train/open_edges.hpp"
#include "train/policy_parts.hpp"
#include "train/tables.hpp"

namespace neuroprim::train {

/// (G, K, d_e): what the decoder sees of K actions (u, v) per graph, (v, v) standing for a start: [h^g ; h^e] pooled
/// in pairs of neighbouring numbers. `u` and `v` are (G, K) int64.
[[nodiscard]] at::Tensor decoder_inputs(const Tables& tables, const at::Tensor& u, const at::Tensor& v);

/// Attention of states (G, K, d_e) over their open edges, residual, norm, then the layer's feed-forward part.
[[nodiscard]] at::Tensor attend_to_edges(DecoderParts& layer, const at::Tensor& states, const OpenEdges& open,
                                         const Tables::Layer& table, std::int64_t heads, std::int64_t first_term = 0);

/// (…, row_terms): what the rows with these facts (…, row_facts) add to scores; undefined where the facts are.
[[nodiscard]] at::Tensor row_terms(PolicyParts& policy, const at::Tensor& facts);

/// (G, K, R·n): log-probabilities of the candidate edges, −∞ for closed ones.
[[nodiscard]] at::Tensor action_log_probabilities(PolicyParts& policy, const at::Tensor& states,
                                                  const OpenEdges& open, const Tables& tables);

}  // namespace neuroprim::train
