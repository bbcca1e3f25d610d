#include "train/open_edges.hpp"

#include <ATen/ATen.h>

#include <limits>

namespace neuroprim::train {

OpenEdges::OpenEdges(const at::Tensor& row_open, const at::Tensor& column_open, const at::Tensor& ignored)
    : n_(row_open.size(2)) {
    const auto columns = column_open.unsqueeze(2);  // (G, K, 1, n)
    rows_count_ = std::max<std::int64_t>(1, row_open.sum(2).max().item<std::int64_t>());
    at::Tensor rows_valid = row_open;
    if (4 * rows_count_ <= n_) {
        const auto numbers = at::arange(n_, row_open.options().dtype(at::kLong));
        const auto open_numbers = at::where(row_open, numbers, at::full_like(numbers, n_));
        rows_ = std::get<0>(open_numbers.topk(rows_count_, 2, /*largest=*/false));
        rows_valid = rows_ < n_;
        rows_ = rows_.clamp_max(n_ - 1);
    } else {
        rows_count_ = n_;
    }
    mask_ = ((rows_valid.unsqueeze(3) & columns) | ignored.unsqueeze(2).unsqueeze(3)).flatten(2);
}

/// (G·K, R·n, d) out of (G, n, n, d). An embedding, because its backward pass adds whole rows in parallel.
at::Tensor OpenEdges::gathered(const at::Tensor& table) const {
    const std::int64_t graphs = table.size(0);
    const auto first_row = at::arange(graphs, rows_.options()).mul_(n_).view({-1, 1, 1});
    const auto flat = table.reshape({graphs * n_, n_ * table.size(3)});
    return at::embedding(flat, (rows_ + first_row).flatten()).view({-1, rows_count_ * n_, table.size(3)});
}

at::Tensor OpenEdges::scores(const at::Tensor& query, const at::Tensor& table, std::int64_t heads) const {
    const std::int64_t graphs = query.size(0);
    const std::int64_t queries = query.size(1);
    const std::int64_t width = query.size(2) / heads;
    if (rows_.defined()) {
        const auto keys = gathered(table).view({graphs * queries, -1, heads, width});
        const auto q = query.reshape({graphs * queries, 1, heads, width});
        return (keys * q).sum(3).transpose(1, 2).reshape({graphs, queries, heads, -1});
    }
    const auto keys = table.reshape({graphs, n_ * n_, heads, width}).permute({0, 2, 3, 1});
    const auto q = query.reshape({graphs, queries, heads, width}).transpose(1, 2);
    return at::matmul(q, keys).transpose(1, 2);
}

at::Tensor OpenEdges::masked(const at::Tensor& scores) const {
    return scores.masked_fill(mask_.logical_not().unsqueeze(2), -std::numeric_limits<double>::infinity());
}

at::Tensor OpenEdges::weighted_sums(const at::Tensor& weights, const at::Tensor& table) const {
    const std::int64_t graphs = weights.size(0);
    const std::int64_t queries = weights.size(1);
    const std::int64_t heads = weights.size(2);
    const std::int64_t width = table.size(3) / heads;
    if (rows_.defined()) {
        const auto values = gathered(table).view({graphs * queries, -1, heads, width});
        const auto shares = weights.reshape({graphs * queries, heads, -1}).transpose(1, 2).unsqueeze(3);
        return (values * shares).sum(1).reshape({graphs, queries, heads * width});
    }
    const auto values = table.reshape({graphs, n_ * n_, heads, width}).transpose(1, 2);
    return at::matmul(weights.transpose(1, 2), values).transpose(1, 2).reshape({graphs, queries, heads * width});
}

at::Tensor OpenEdges::number(const at::Tensor& u, const at::Tensor& v) const {
    if (!rows_.defined()) return u * n_ + v;
    const auto place = (rows_ == u.unsqueeze(2)).to(at::kInt).argmax(2);
    return place * n_ + v;
}

at::Tensor OpenEdges::source(const at::Tensor& number) const {
    const auto row = at::div(number, n_, "floor");
    return rows_.defined() ? rows_.gather(2, row.unsqueeze(2)).squeeze(2) : row;
}

}  // namespace neuroprim::train
