#include "policy/vertex_encoder.hpp"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <numbers>

#include "graph/thread_group.hpp"
#include "policy/specification.hpp"

namespace neuroprim::policy {

namespace {

/// Rows of vertices that are worked on between two questions whether to stop. A multiple of every tile.
constexpr int row_block = 96;

/// Rows of queries whose scores are held at once: bounds the memory of attention at n = 10⁴ and keeps it in cache. In
/// larger graphs there are fewer, so that one block takes some milliseconds at most.
int query_block_of(int n) {
    constexpr int most_scores = 1 << 20;
    return std::clamp(most_scores / n / 12 * 12, 12, 96);
}

/// More threads than this would have nothing to do.
int most_shares(int count) {
    return (count + 11) / 12;
}

/// Which of `count` things, in blocks of twelve (a multiple of every tile), thread `k` of `threads` works on.
struct Share {
    int begin = 0;
    int size = 0;

    static Share of(int count, int k, int threads) {
        const int blocks = most_shares(count);
        const int begin = std::min(count, blocks * k / threads * 12);
        return {begin, std::min(count, blocks * (k + 1) / threads * 12) - begin};
    }
};

/// One pass of the encoder over one instance; every thread runs `work`.
class Pass {
public:
    Pass(const Model& model, std::span<const Point> points, const std::vector<bool>& is_terminal,
         const float* distances, const float* facts, int threads, StopRequest& stop, AlignedFloats& features)
        : model_(model),
          kernels_(*model.kernels),
          points_(points),
          is_terminal_(is_terminal),
          distances_(distances),
          facts_(facts),
          n_(static_cast<int>(points.size())),
          d_v_(model.config.d_v),
          d_f_(model.config.d_f),
          heads_(model.config.heads),
          head_size_(d_v_ / heads_),
          sharpness_(static_cast<float>(sharpness(model.config, n_))),
          query_block_(query_block_of(n_)),
          threads_(threads),
          stop_(stop),
          x_(features.data()),
          query_key_value_(rows(3 * d_v_)),
          context_(rows(d_v_)),
          packed_keys_(static_cast<std::size_t>(heads_) * packed_size(head_size_, n_)),
          packed_values_(static_cast<std::size_t>(heads_) * packed_size(n_, head_size_)),
          hidden_(rows(d_f_)),
          update_(rows(d_v_)),
          scores_(static_cast<std::size_t>(threads) * block_of_scores()),
          barrier_(threads) {}

    /// Once asked to stop, a thread leaves out its work but meets the others at every barrier all the same.
    void work(int thread) {
        const Share mine = Share::of(n_, thread, threads_);
        in_blocks(mine, [&](const Share& rows) { read_input(rows); });
        for (const EncoderLayer& layer : model_.prepared.encoder) {
            in_blocks(mine, [&](const Share& rows) {
                layer.query_key_value.apply(kernels_, x_ + at(rows, d_v_), rows.size,
                                            query_key_value_.data() + at(rows, 3 * d_v_));
                sharpen(rows);
            });
            barrier_.arrive_and_wait();
            for (int h = thread; h < heads_ && !stop_.is_made(); h += threads_) pack_head(h);
            barrier_.arrive_and_wait();
            const int blocks = (n_ + query_block_ - 1) / query_block_;
            for (int task = thread; task < heads_ * blocks && !stop_.is_made(); task += threads_) {
                attend(layer, task % heads_, task / heads_ * query_block_, thread);
            }
            barrier_.arrive_and_wait();
            in_blocks(mine, [&](const Share& rows) { feed_forward(layer, rows); });
        }
    }

private:
    [[nodiscard]] std::size_t rows(int width) const {
        return static_cast<std::size_t>(n_) * static_cast<std::size_t>(width);
    }
    [[nodiscard]] std::size_t block_of_scores() const {
        return static_cast<std::size_t>(query_block_) * static_cast<std::size_t>(n_);
    }
    static std::ptrdiff_t at(const Share& share, int width) {
        return static_cast<std::ptrdiff_t>(share.begin) * width;
    }

    template <class Work>
    void in_blocks(const Share& mine, Work&& work) {
        for (int first = 0; first < mine.size && !stop_.is_made(); first += row_block) {
            work(Share{mine.begin + first, std::min(row_block, mine.size - first)});
        }
    }

    void read_input(const Share& mine) {
        for (int v = mine.begin; v < mine.begin + mine.size; ++v) {
            const auto k = static_cast<std::size_t>(v);
            const float xy[2] = {static_cast<float>(points_[k].x), static_cast<float>(points_[k].y)};
            const Linear& input = is_terminal_[k] ? model_.prepared.terminal_input : model_.prepared.other_input;
            input.apply(kernels_, xy, 1, x_ + static_cast<std::ptrdiff_t>(v) * d_v_);
        }
        if (facts_ == nullptr) return;
        float* told = update_.data() + at(mine, d_v_);
        model_.prepared.specification.apply(kernels_, facts_ + at(mine, input_facts), mine.size, told);
        float* x = x_ + at(mine, d_v_);
        for (int k = 0; k < mine.size * d_v_; ++k) x[k] += told[k];
    }

    void sharpen(const Share& mine) {
        if (model_.config.attention_size == 0) return;
        for (int v = mine.begin; v < mine.begin + mine.size; ++v) {
            float* query = query_key_value_.data() + static_cast<std::ptrdiff_t>(v) * 3 * d_v_;
            for (int c = 0; c < d_v_; ++c) query[c] *= sharpness_;
        }
    }

    void pack_head(int h) {
        const float* keys = query_key_value_.data() + d_v_ + h * head_size_;
        const float* values = keys + d_v_;
        const std::ptrdiff_t stride = 3 * d_v_;
        const auto head = static_cast<std::size_t>(h);
        pack(packed_keys_.data() + head * packed_size(head_size_, n_), head_size_, n_,
             [&](int channel, int v) { return keys[v * stride + channel]; });
        pack(packed_values_.data() + head * packed_size(n_, head_size_), n_, head_size_,
             [&](int v, int channel) { return values[v * stride + channel]; });
    }

    void attend(const EncoderLayer& layer, int h, int first, int thread) {
        const int count = std::min(query_block_, n_ - first);
        const auto head = static_cast<std::size_t>(h);
        float* scores = scores_.data() + static_cast<std::size_t>(thread) * block_of_scores();
        kernels_.multiply(query_key_value_.data() + static_cast<std::ptrdiff_t>(first) * 3 * d_v_ + h * head_size_,
                          3 * d_v_, count, packed_keys_.data() + head * packed_size(head_size_, n_), head_size_, n_,
                          nullptr, false, scores, n_);
        if (distances_ != nullptr) {
            take_off(layer.distance[head], distances_ + static_cast<std::ptrdiff_t>(first) * n_, count * n_, scores);
        }
        kernels_.softmax_rows(scores, n_, count, n_);
        kernels_.multiply(scores, n_, count, packed_values_.data() + head * packed_size(n_, head_size_), n_,
                          head_size_, nullptr, false,
                          context_.data() + static_cast<std::ptrdiff_t>(first) * d_v_ + h * head_size_, d_v_);
    }

    static void take_off(float factor, const float* distances, int count, float* scores) {
        for (int k = 0; k < count; ++k) scores[k] -= factor * distances[k];
    }

    void feed_forward(const EncoderLayer& layer, const Share& mine) {
        float* x = x_ + at(mine, d_v_);
        float* update = update_.data() + at(mine, d_v_);
        float* hidden = hidden_.data() + at(mine, d_f_);
        layer.output.apply(kernels_, context_.data() + at(mine, d_v_), mine.size, update);
        add_and_norm(layer.attention_norm, update, mine.size, x);
        layer.expand.apply(kernels_, x, mine.size, hidden, true);
        layer.contract.apply(kernels_, hidden, mine.size, update);
        add_and_norm(layer.output_norm, update, mine.size, x);
    }

    void add_and_norm(const Norm& norm, const float* update, int count, float* x) const {
        const auto apply = norm.is_folded ? kernels_.add_scale_shift : kernels_.add_layer_norm;
        apply(x, update, norm.scale.data(), norm.shift.data(), count, d_v_);
    }

    const Model& model_;
    const Kernels& kernels_;
    std::span<const Point> points_;
    const std::vector<bool>& is_terminal_;
    const float* distances_;  // (n, n), or null
    const float* facts_;      // (n, input_facts), or null
    int n_;
    int d_v_;
    int d_f_;
    int heads_;
    int head_size_;
    float sharpness_;
    int query_block_;
    int threads_;
    StopRequest& stop_;
    float* x_;                       // (n, d_v)
    AlignedFloats query_key_value_;  // (n, 3·d_v)
    AlignedFloats context_;          // (n, d_v)
    AlignedFloats packed_keys_;      // (heads, head_size, n) in panels
    AlignedFloats packed_values_;    // (heads, n, head_size) in panels
    AlignedFloats hidden_;           // (n, d_f)
    AlignedFloats update_;           // (n, d_v)
    AlignedFloats scores_;           // (threads, query_block_, n)
    std::barrier<> barrier_;
};

}  // namespace

std::vector<Point> turned(std::vector<Point> points, double degrees) {
    if (degrees == 0) return points;
    const double angle = degrees * std::numbers::pi / 180;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    for (Point& p : points) p = {cosine * p.x - sine * p.y, sine * p.x + cosine * p.y};
    return points;
}

std::vector<Point> in_unit_square(std::span<const Point> points, int symmetry) {
    if (points.empty()) return {};
    Point low = points[0];
    Point high = points[0];
    for (const Point p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const double extent = std::max(high.x - low.x, high.y - low.y);
    const double factor = extent > 0 ? 1 / extent : 1;
    std::vector<Point> result;
    result.reserve(points.size());
    for (const Point p : points) {
        Point q{(p.x - low.x) * factor, (p.y - low.y) * factor};
        if (symmetry & 1) q.x = 1 - q.x;
        if (symmetry & 2) q.y = 1 - q.y;
        if (symmetry & 4) std::swap(q.x, q.y);
        result.push_back(q);
    }
    return result;
}

AlignedFloats encode_vertices(const Model& model, std::span<const Point> points, const std::vector<bool>& is_terminal,
                              const float* distances, const float* facts, int threads, StopRequest& stop) {
    AlignedFloats features(points.size() * static_cast<std::size_t>(model.config.d_v));
    ThreadGroup group(std::min(threads, most_shares(static_cast<int>(points.size()))));
    Pass pass(model, points, is_terminal, distances, facts, group.size(), stop, features);
    group.run([&](int thread) { pass.work(thread); });
    stop.throw_if_made();
    return features;
}

}  // namespace neuroprim::policy
