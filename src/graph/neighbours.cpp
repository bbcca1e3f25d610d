#include "graph/neighbours.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "graph/kd_tree.hpp"
#include "graph/parallel.hpp"
#include "graph/positions.hpp"

namespace neuroprim {

namespace {

constexpr std::size_t vertices_per_task = 1024;
constexpr std::size_t entries_between_looks = 20'000;  // some milliseconds

using Near = std::pair<double, Vertex>;  // compared by distance, then by vertex

/// Keeps the `count` smallest of what it is shown, as a heap with the largest on top.
class Nearest {
public:
    explicit Nearest(std::size_t count) : count_(count) { heap_.reserve(count + 1); }

    void show(Near candidate) {
        if (heap_.size() == count_) {
            if (!(candidate < heap_.front())) return;
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.back() = candidate;
        } else {
            heap_.push_back(candidate);
        }
        std::push_heap(heap_.begin(), heap_.end());
    }

    /// Nothing farther than this is of interest.
    [[nodiscard]] double reach() const { return heap_.size() < count_ ? Weights::infinity : heap_.front().first; }

    /// Moves the list out, nearest first.
    void take(Vertex* target) {
        std::sort_heap(heap_.begin(), heap_.end());
        for (const auto& [distance, v] : heap_) *target++ = v;
        heap_.clear();
    }

private:
    std::size_t count_;
    std::vector<Near> heap_;
};

template <std::size_t Dim, class Norm>
void search(const KdTree<Dim>& tree, std::size_t centre, Nearest& nearest) {
    struct Pending {
        double distance;
        std::size_t node;
    };
    std::array<Pending, 128> stack;  // the tree is balanced: its height stays below 64
    std::size_t height = 0;
    const auto nodes = tree.nodes();
    const auto& position = tree.position(centre);
    stack[height++] = {0, 0};
    while (height > 0) {
        const auto [distance, k] = stack[--height];
        if (distance > nearest.reach()) continue;
        const auto& node = nodes[k];
        if (node.right == 0) {
            for (std::size_t q = node.begin; q < node.end; ++q) {
                if (q == centre) continue;
                nearest.show({KdTree<Dim>::template distance<Norm>(position, tree.position(q)), tree.vertex(q)});
            }
            continue;
        }
        const double left = KdTree<Dim>::template distance<Norm>(position, nodes[k + 1]);
        const double right = KdTree<Dim>::template distance<Norm>(position, nodes[node.right]);
        // The nearer child is searched first, so it is pushed last.
        const Pending far = left <= right ? Pending{right, node.right} : Pending{left, k + 1};
        const Pending near = left <= right ? Pending{left, k + 1} : Pending{right, node.right};
        stack[height++] = far;
        stack[height++] = near;
    }
}

Neighbours among_points(const Weights& weights, std::size_t count, int threads, const StopToken& stop) {
    const auto n = index(weights.size());
    count = std::min(count, n - 1);
    std::vector<std::size_t> begin(n + 1);
    for (std::size_t v = 0; v <= n; ++v) begin[v] = v * count;
    std::vector<Vertex> vertices(n * count);
    with_positions(weights.points(), weights.metric(),
                   [&]<std::size_t Dim, class Norm>(std::vector<Position<Dim>> positions, Norm) {
                       const KdTree<Dim> tree(std::move(positions), stop);
                       parallel_for(threads, n, vertices_per_task, [&](std::size_t first, std::size_t last) {
                           stop.check();  // a task may be shorter than the pace
                           Nearest nearest(count);
                           PacedStopToken paced(stop, static_cast<unsigned>(1 + entries_between_looks / (count + 1)));
                           for (std::size_t place = first; place < last; ++place) {
                               paced.check();
                               search<Dim, Norm>(tree, place, nearest);
                               nearest.take(vertices.data() + index(tree.vertex(place)) * count);
                           }
                       });
                   });
    return {std::move(begin), std::move(vertices)};
}

Neighbours among_edges(const Weights& weights, std::size_t count, const StopToken& stop) {
    std::vector<std::size_t> begin{0};
    std::vector<Vertex> vertices;
    std::vector<Near> row;
    constexpr std::size_t edges_between_looks = 100'000;
    std::size_t looked_at = 0;
    for (Vertex u = 0; u < weights.size(); ++u) {
        if (looked_at > edges_between_looks) {
            stop.check();
            looked_at = 0;
        }
        row.clear();
        weights.for_each_neighbour(u, [&](Vertex v, double weight) { row.emplace_back(weight, v); });
        looked_at += row.size() + 1;
        const std::size_t kept = std::min(count, row.size());
        std::partial_sort(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(kept), row.end());
        for (std::size_t k = 0; k < kept; ++k) vertices.push_back(row[k].second);
        begin.push_back(vertices.size());
    }
    return {std::move(begin), std::move(vertices)};
}

}  // namespace

Neighbours nearest_neighbours(const Weights& weights, std::size_t count, int threads, const StopToken& stop) {
    if (weights.size() == 0 || count == 0) {
        return {std::vector<std::size_t>(index(weights.size()) + 1, 0), {}};
    }
    if (weights.form() == Weights::Form::points) return among_points(weights, count, threads, stop);
    return among_edges(weights, count, stop);
}

}  // namespace neuroprim
