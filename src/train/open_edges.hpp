#pragma once

#include <ATen/core/Tensor.h>

namespace neuroprim::train {

/// The open edges of K queries on each of G graphs, and what attention needs of them.
///
/// A mask is an outer product of open rows and outside columns. When few rows are open (two for d = 2) only those are
/// gathered from the tables, R of n; otherwise all rows take part and the mask does the rest. Edges of a query are
/// numbered r·n + v, r counting the candidate rows, increasing in (u, v).
class OpenEdges {
public:
    /// `row_open` and `column_open` are (G, K, n) bool. `ignored` (G, K) bool marks queries whose answers nobody
    /// reads: all their candidate edges count as open, which keeps a softmax over them finite.
    /// `pair_open` (G, K, n, n) bool closes more edges, where it is defined. `terms` (G, K, n, count), where it is,
    /// are what rows add to scores.
    OpenEdges(const at::Tensor& row_open, const at::Tensor& column_open, const at::Tensor& ignored,
              const at::Tensor& pair_open = {}, const at::Tensor& terms = {});

    [[nodiscard]] const at::Tensor& mask() const { return mask_; }  // (G, K, R·n) bool

    /// (G, K, d): multi-head attention of query (G, K, d) over its open edges, keys and values (G, n, n, d), before
    /// the output projection. Heads are blocks of d/heads neighbouring numbers; their terms begin at `first_term`.
    [[nodiscard]] at::Tensor attend(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                                    std::int64_t heads, std::int64_t first_term = 0) const;

    /// (G, K, R·n): dot products of query (G, K, d) and table (G, n, n, d), open or not.
    [[nodiscard]] at::Tensor scores(const at::Tensor& query, const at::Tensor& table) const;

    /// The same scores with the last of the rows' terms added.
    [[nodiscard]] at::Tensor with_row_terms(const at::Tensor& scores) const;

    /// The same scores with −∞ where edges are closed.
    [[nodiscard]] at::Tensor masked(const at::Tensor& scores) const;

    /// (G, K) number of the edge (u, v) among the candidates of its query. Both are (G, K) int64.
    [[nodiscard]] at::Tensor number(const at::Tensor& u, const at::Tensor& v) const;

    /// (G, K) int64: the row u of numbered edges; the column is `number % n`.
    [[nodiscard]] at::Tensor source(const at::Tensor& number) const;

private:
    [[nodiscard]] at::Tensor gathered(const at::Tensor& table) const;
    [[nodiscard]] at::Tensor attend_to_gathered(const at::Tensor& query, const at::Tensor& keys,
                                                const at::Tensor& values, std::int64_t heads,
                                                std::int64_t first_term) const;

    std::int64_t n_;
    std::int64_t rows_count_;
    at::Tensor rows_;  // (G, K, R) int64, undefined when all rows take part
    at::Tensor mask_;
    at::Tensor terms_;  // (G, K, R, count) of the candidate rows, or undefined
};

}  // namespace neuroprim::train
