#include "search/paths/windowed_path.hpp"

#include <algorithm>

#include "graph/parallel.hpp"
#include "search/golden_ratio.hpp"

namespace neuroprim::paths {

namespace {

/// Windows in which perturbations take place. The larger they are, the fewer vertices have neighbours outside;
/// points, neighbours and places of the largest stay in the cache.
constexpr Vertex smallest_window = 5'000;
constexpr Vertex largest_window = 50'000;
/// So many threads have work where the path is long enough.
constexpr Vertex many_windows = 4;
/// A descent takes in larger and larger windows.
constexpr Vertex growth = 8;

constexpr std::size_t places_per_task = 100'000;

}  // namespace

WindowedPath::WindowedPath(const Weights& weights, const Neighbours& near, std::vector<Vertex> order)
    : weights_(&weights), near_(&near), next_order_(order.size()) {
    path_.place.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) path_.place[index(order[k])] = static_cast<Vertex>(k);
    path_.order = std::move(order);
    const Vertex n = weights.size();
    const Vertex half = (n + 1) / 2;
    Vertex size = std::min(half, std::clamp(n / many_windows, smallest_window, largest_window));
    for (; size < half; size *= std::min(growth, half / size + 1)) sizes_.push_back(size);
    sizes_.push_back(half);
    sizes_.push_back(n);
}

Partition WindowedPath::next_partition() const {
    const Vertex n = weights_->size();
    if (!settled()) return {n, sizes_[level_], sizes_[level_]};
    const Vertex size = sizes_.front();
    const auto offset =
        static_cast<Vertex>(golden_place(static_cast<std::int64_t>(rounds_)) * static_cast<double>(size));
    return {n, size, std::clamp(offset, Vertex{1}, size)};
}

std::int64_t WindowedPath::run_round(std::int64_t perturbations, std::uint64_t seed, int threads,
                                     const StopToken& stop) {
    const Partition partition = next_partition();
    const WindowSetting setting{weights_, near_, &path_, partition, before_ ? &*before_ : nullptr};
    const auto count = index(partition.count());
    if (!settled()) perturbations = 0;
    const auto n = static_cast<std::int64_t>(weights_->size());
    std::vector<WindowResult> results(count);
    parallel_for(threads, count, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const auto window = static_cast<Vertex>(k);
            const std::int64_t from = partition.begin(window);
            const std::int64_t to = partition.end(window);
            // Each window's share; the shares of all add up to the whole.
            const std::int64_t share = perturbations * to / n - perturbations * from / n;
            const auto order =
                std::span(next_order_).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
            results[k] = improve_window(setting, window, share, Random(seed, (rounds_ << 20U) + k), stop, order);
        }
    });
    std::int64_t done = 0;
    for (const WindowResult& result : results) {
        gained_ += result.gained;
        done += result.perturbations;
    }
    path_.order.swap(next_order_);
    parallel_for(threads, path_.order.size(), places_per_task, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) path_.place[index(path_.order[k])] = static_cast<Vertex>(k);
    });
    ++rounds_;
    if (stop.expired()) return done;
    before_ = partition;
    if (!settled()) ++level_;
    return done;
}

}  // namespace neuroprim::paths
