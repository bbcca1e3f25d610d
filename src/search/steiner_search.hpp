#pragma once

#include <memory>

#include "search/local_search.hpp"

namespace neuroprim {

/// Iterated local search for Steiner trees. Preparing makes the graph smaller without losing an optimum (points with
/// very many near pairs keep a short list of edges instead). A worker perturbs weights everywhere or in one place, or
/// combines two of its trees, grows a tree by shortest paths, and descends by vertex insertion, key-path exchange
/// and key-vertex elimination. Where weights hardly differ it anneals by small moves instead (VertexAnnealing). A
/// stop token that expires while preparing leaves workers that keep the tree they are given, or that search a larger
/// graph.
[[nodiscard]] std::unique_ptr<LocalSearch> prepare_steiner(const Problem& problem, int threads,
                                                           const StopToken& stop);

[[nodiscard]] bool steiner_search_suits(const Problem& problem);

}  // namespace neuroprim
