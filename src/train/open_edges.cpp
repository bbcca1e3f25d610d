#include "train/open_edges.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace neuroprim::train {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

/// (d, heads) with ones where channel c belongs to head h. Heads are two or three channels wide: summing them by a
/// product with this matrix is several times quicker than a reduction over so few numbers.
at::Tensor head_matrix(std::int64_t width, std::int64_t heads, const at::TensorOptions& options) {
    return at::eye(heads, options).repeat_interleave(width / heads, 0);
}

}  // namespace

OpenEdges::OpenEdges(const at::Tensor& row_open, const at::Tensor& column_open, const at::Tensor& ignored,
                     const at::Tensor& pair_open, const at::Tensor& terms)
    : n_(row_open.size(2)), terms_(terms) {
    const auto columns = column_open.unsqueeze(2);  // (G, K, 1, n)
    rows_count_ = std::max<std::int64_t>(1, row_open.sum(2).max().item<std::int64_t>());
    at::Tensor rows_valid = row_open;
    if (4 * rows_count_ <= n_) {
        const auto numbers = at::arange(n_, row_open.options().dtype(at::kLong));
        const auto open_numbers = at::where(row_open, numbers, at::full_like(numbers, n_));
        rows_ = std::get<0>(open_numbers.topk(rows_count_, 2, /*largest=*/false));
        rows_valid = rows_ < n_;
        rows_ = rows_.clamp_max(n_ - 1);
        if (terms_.defined()) terms_ = terms_.gather(2, rows_.unsqueeze(3).expand({-1, -1, -1, terms_.size(3)}));
    } else {
        rows_count_ = n_;
    }
    at::Tensor open = rows_valid.unsqueeze(3) & columns;
    if (pair_open.defined()) {
        open =
            open & (rows_.defined() ? pair_open.gather(2, rows_.unsqueeze(3).expand({-1, -1, -1, n_})) : pair_open);
    }
    mask_ = (open | ignored.unsqueeze(2).unsqueeze(3)).flatten(2);
}

/// (G·K, R·n, d) out of (G, n, n, d). An embedding, because its backward pass adds whole rows in parallel.
at::Tensor OpenEdges::gathered(const at::Tensor& table) const {
    const std::int64_t graphs = table.size(0);
    const auto first_row = at::arange(graphs, rows_.options()).mul_(n_).view({-1, 1, 1});
    const auto flat = table.reshape({graphs * n_, n_ * table.size(3)});
    return at::embedding(flat, (rows_ + first_row).flatten()).view({-1, rows_count_ * n_, table.size(3)});
}

at::Tensor OpenEdges::attend_to_gathered(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                                         std::int64_t heads, std::int64_t first_term) const {
    const std::int64_t width = query.size(2);
    const auto by_head = head_matrix(width, heads, query.options());
    const std::int64_t head_width = width / heads;
    const auto q = query.reshape({-1, 1, width}) / std::sqrt(static_cast<double>(head_width));
    auto scores = at::matmul(gathered(keys) * q, by_head);  // (G·K, R·n, heads)
    if (terms_.defined()) {
        scores = scores + terms_.narrow(3, first_term, heads).flatten(0, 1).repeat_interleave(n_, 1);
    }
    const auto closed = mask_.view({q.size(0), -1, 1}).logical_not();
    const auto shares = scores.masked_fill(closed, nothing).softmax(1);
    return (at::matmul(shares, by_head.t()) * gathered(values)).sum(1).view_as(query);
}

at::Tensor OpenEdges::attend(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                             std::int64_t heads, std::int64_t first_term) const {
    if (rows_.defined()) return attend_to_gathered(query, keys, values, heads, first_term);
    const std::int64_t head_width = query.size(2) / heads;
    const auto by_head = [&](const at::Tensor& x) {
        return x.reshape({x.size(0), -1, heads, head_width}).transpose(1, 2);  // (G, heads, ·, d/heads)
    };
    const auto q = by_head(query) / std::sqrt(static_cast<double>(head_width));
    auto scores = at::matmul(q, by_head(keys).transpose(2, 3));  // (G, heads, K, n²)
    if (terms_.defined()) {
        scores = scores + terms_.narrow(3, first_term, heads).permute({0, 3, 1, 2}).repeat_interleave(n_, 3);
    }
    const auto shares = scores.masked_fill(mask_.logical_not().unsqueeze(1), nothing).softmax(3);
    return at::matmul(shares, by_head(values)).transpose(1, 2).reshape(query.sizes());
}

at::Tensor OpenEdges::scores(const at::Tensor& query, const at::Tensor& table) const {
    if (rows_.defined()) {
        const auto products = gathered(table) * query.reshape({-1, 1, query.size(2)});
        return at::matmul(products, at::ones({query.size(2)}, query.options())).view_as(mask_);
    }
    return at::matmul(query, table.flatten(1, 2).transpose(1, 2));
}

at::Tensor OpenEdges::with_row_terms(const at::Tensor& scores) const {
    return terms_.defined() ? scores + terms_.select(3, -1).repeat_interleave(n_, 2) : scores;
}

at::Tensor OpenEdges::masked(const at::Tensor& scores) const {
    return scores.masked_fill(mask_.logical_not(), nothing);
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
