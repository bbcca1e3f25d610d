#include "train/instances.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "graph/parallel.hpp"
#include "neuroprim/random.hpp"
#include "train/draws.hpp"
#include "train/point_shapes.hpp"

namespace neuroprim::train {

namespace {

/// What a batch draws, each from its own streams, so that none disturbs another.
enum class Purpose : std::uint64_t {
    sizes = 1,
    points,
    terminals,
    starts,
    actions,
    demands,
    prizes,
    groups,
    weights
};

Random stream(std::uint64_t seed, std::uint64_t number, Purpose purpose, std::uint64_t item = 0) {
    const std::uint64_t of_batch = Random(seed, number).next();
    const std::uint64_t of_purpose = Random(of_batch, static_cast<std::uint64_t>(purpose)).next();
    return Random(of_purpose, item);
}

/// The first `count` entries become a random choice without repetition.
void shuffle_front(std::vector<std::int64_t>& items, std::int64_t count, Random& random) {
    const auto size = static_cast<std::int64_t>(items.size());
    for (std::int64_t k = 0; k < count; ++k) {
        std::swap(items[static_cast<std::size_t>(k)], items[static_cast<std::size_t>(between(random, k, size - 1))]);
    }
}

float squared_distance(const float* points, std::int64_t u, std::int64_t v) {
    const float x = points[2 * u] - points[2 * v];
    const float y = points[2 * u + 1] - points[2 * v + 1];
    return x * x + y * y;
}

/// Some vertices are worth something. How much, in steps from point to point, differs from batch to batch.
void draw_prizes(float* prizes, std::int64_t n, double level, Random& random) {
    for (std::int64_t v = 0; v < n; ++v) {
        prizes[v] = random.uniform() < 0.6 ? static_cast<float>(level * random.uniform()) : 0.0f;
    }
    prizes[between(random, 0, n - 1)] = static_cast<float>(level);  // at least one
}

/// Everyone joins the nearest of some vertices, or any of them.
void draw_groups(std::int64_t* groups, const float* points, std::int64_t n, std::int64_t count, bool nearest,
                 Random& random) {
    std::vector<std::int64_t> heads(static_cast<std::size_t>(n));
    std::iota(heads.begin(), heads.end(), 0);
    shuffle_front(heads, count, random);
    heads.resize(static_cast<std::size_t>(count));
    for (std::int64_t v = 0; v < n; ++v) {
        const auto closer = [&](std::int64_t a, std::int64_t b) {
            return squared_distance(points, v, a) < squared_distance(points, v, b);
        };
        groups[v] = nearest ? std::min_element(heads.begin(), heads.end(), closer) - heads.begin()
                            : between(random, 0, count - 1);
    }
    for (std::int64_t k = 0; k < count; ++k) groups[heads[static_cast<std::size_t>(k)]] = k;
}

/// (n, n): distances times factors whose spread differs from graph to graph; half the graphs keep their distances.
void draw_weights(float* weights, const float* points, std::int64_t n, Random& random) {
    const double spread = random.uniform() < 0.5 ? 0 : random.uniform();
    for (std::int64_t u = 0; u < n; ++u) {
        weights[u * n + u] = 0;
        for (std::int64_t v = u + 1; v < n; ++v) {
            const float straight = std::sqrt(squared_distance(points, u, v));
            const double factor = spread > 0 ? std::exp(spread * normal(random)) : 1;
            weights[u * n + v] = weights[v * n + u] = static_cast<float>(straight * factor);
        }
    }
}

/// The longest of the shortest ways from the root to all vertices, O(n²): Dijkstra without a queue.
float longest_shortest_way(const float* weights, std::int64_t n, std::int64_t root) {
    std::vector<float> way(weights + root * n, weights + (root + 1) * n);
    std::vector<std::int64_t> left;
    for (std::int64_t v = 0; v < n; ++v) {
        if (v != root) left.push_back(v);
    }
    float longest = 0;
    while (!left.empty()) {
        const auto nearest = std::min_element(left.begin(), left.end(), [&](std::int64_t a, std::int64_t b) {
            return way[static_cast<std::size_t>(a)] < way[static_cast<std::size_t>(b)];
        });
        const std::int64_t u = *nearest;
        left.erase(nearest);
        longest = way[static_cast<std::size_t>(u)];
        for (const std::int64_t v : left) {
            float& known = way[static_cast<std::size_t>(v)];
            known = std::min(known, longest + weights[u * n + v]);
        }
    }
    return longest;
}

/// (G) of the longest way from each root that a tree cannot avoid.
at::Tensor longest_ways(const Graphs& graphs) {
    if (!graphs.weights.defined()) {
        const auto at_root = graphs.points.gather(1, graphs.roots.view({-1, 1, 1}).expand({-1, 1, 2}));
        return (graphs.points - at_root).square().sum(2).sqrt().amax(1);
    }
    auto result = at::empty({graphs.size()}, at::kFloat);
    const std::int64_t n = graphs.vertices();
    for (std::int64_t g = 0; g < graphs.size(); ++g) {
        result.data_ptr<float>()[g] = longest_shortest_way(graphs.weights.data_ptr<float>() + g * n * n, n,
                                                           graphs.roots.data_ptr<std::int64_t>()[g]);
    }
    return result;
}

/// What the rules ask for beyond points and terminals.
void draw_facts(Graphs& graphs, const Rules& rules, const BatchPart& part, const Range& demands) {
    const std::int64_t n = graphs.vertices();
    const auto for_each_graph = [&](Purpose purpose, auto&& draw) {
        for (std::int64_t g = 0; g < part.count; ++g) {
            Random random = stream(part.seed, part.number, purpose, static_cast<std::uint64_t>(part.first + g));
            draw(g, random);
        }
    };
    if (rules.capacity > 0) {
        graphs.demands = at::ones({part.count, n}, at::kFloat);
        float* values = graphs.demands.data_ptr<float>();
        const auto most = std::min(demands.high, static_cast<std::int64_t>(rules.capacity));
        if (demands.is_given()) {
            for_each_graph(Purpose::demands, [&](std::int64_t g, Random& random) {
                for (std::int64_t v = 0; v < n; ++v) {
                    values[g * n + v] = static_cast<float>(between(random, std::min(demands.low, most), most));
                }
            });
        }
    }
    Random of_batch = stream(part.seed, part.number, Purpose::prizes, ~std::uint64_t{0});
    if (rules.coverage == Coverage::optional) {
        graphs.terminals.zero_();
        graphs.prizes = at::empty({part.count, n}, at::kFloat);
        const double level = std::exp(std::log(0.5) + std::log(8.0) * of_batch.uniform()) / std::sqrt(double(n));
        for_each_graph(Purpose::prizes, [&](std::int64_t g, Random& random) {
            draw_prizes(graphs.prizes.data_ptr<float>() + g * n, n, level, random);
        });
    }
    if (rules.coverage == Coverage::groups) {
        graphs.terminals.zero_();
        graphs.groups = at::empty({part.count, n}, at::kLong);
        const std::int64_t count =
            between(of_batch, std::max<std::int64_t>(2, n / 8), std::max<std::int64_t>(2, n / 2));
        const bool nearest = of_batch.uniform() < 0.75;
        for_each_graph(Purpose::groups, [&](std::int64_t g, Random& random) {
            draw_groups(graphs.groups.data_ptr<std::int64_t>() + g * n, graphs.points.data_ptr<float>() + g * 2 * n,
                        n, count, nearest, random);
        });
    }
    if (rules.one_start && !graphs.roots.defined()) graphs.roots = draw_starts(graphs, rules, 1, false, part);
    if (rules.length_percent > 0) graphs.length_limits = longest_ways(graphs) * (rules.length_percent / 100);
}

/// The vertices that a tree may grow from.
std::vector<std::int64_t> allowed_starts(const Graphs& graphs, std::int64_t g) {
    const std::int64_t n = graphs.vertices();
    const bool* terminals = graphs.terminals.data_ptr<bool>() + g * n;
    std::vector<std::int64_t> allowed;
    for (std::int64_t v = 0; v < n; ++v) {
        if (terminals[v]) allowed.push_back(v);
    }
    for (std::int64_t v = 0; v < n && graphs.groups.defined(); ++v) {
        if (graphs.groups.data_ptr<std::int64_t>()[g * n + v] >= 0) allowed.push_back(v);
    }
    for (std::int64_t v = 0; v < n && graphs.prizes.defined(); ++v) {
        if (graphs.prizes.data_ptr<float>()[g * n + v] > 0) allowed.push_back(v);
    }
    return allowed;
}

}  // namespace

Graphs draw_graphs(const InstanceOptions& options, const Rules& rules, const BatchPart& part, const Range& demands) {
    Random sizes = stream(part.seed, part.number, Purpose::sizes);
    const std::int64_t n = between(sizes, options.n_min, options.n_max);
    Graphs graphs;
    graphs.points = at::empty({part.count, n, 2}, at::kFloat);
    graphs.terminals = at::ones({part.count, n}, at::kBool);
    using Shape = InstanceOptions::Shape;
    parallel_for(
        at::get_num_threads(), static_cast<std::size_t>(part.count), 8, [&](std::size_t begin, std::size_t end) {
            for (auto g = static_cast<std::int64_t>(begin); g < static_cast<std::int64_t>(end); ++g) {
                Random random =
                    stream(part.seed, part.number, Purpose::points, static_cast<std::uint64_t>(part.first + g));
                float* points = graphs.points.data_ptr<float>() + g * 2 * n;
                const bool is_mixed = options.shape == Shape::mixed || options.shape == Shape::remainder;
                const bool clustered = options.shape == Shape::clustered || (is_mixed && random.uniform() < 0.5);
                if (options.shape == Shape::remainder) {
                    draw_remainder(points, n, clustered, random);
                } else {
                    clustered ? draw_clustered_points(points, n, random) : draw_uniform_points(points, n, random);
                }
            }
        });
    if (options.shape == Shape::remainder && rules.one_start) graphs.roots = at::zeros({part.count}, at::kLong);
    if (options.weights == InstanceOptions::EdgeWeights::mixed) {
        graphs.weights = at::empty({part.count, n, n}, at::kFloat);
        parallel_for(
            at::get_num_threads(), static_cast<std::size_t>(part.count), 1, [&](std::size_t begin, std::size_t end) {
                for (auto g = static_cast<std::int64_t>(begin); g < static_cast<std::int64_t>(end); ++g) {
                    Random random =
                        stream(part.seed, part.number, Purpose::weights, static_cast<std::uint64_t>(part.first + g));
                    draw_weights(graphs.weights.data_ptr<float>() + g * n * n,
                                 graphs.points.data_ptr<float>() + g * 2 * n, n, random);
                }
            });
    }
    if (!rules.terminals_only()) {
        draw_facts(graphs, rules, part, demands);
        return graphs;
    }
    const std::int64_t most = options.terminals_max > 0 ? std::min(options.terminals_max, n) : n;
    const std::int64_t count = between(sizes, std::min(options.terminals_min, most), most);
    graphs.terminals.zero_();
    std::vector<std::int64_t> vertices(static_cast<std::size_t>(n));
    for (std::int64_t g = 0; g < part.count; ++g) {
        Random random =
            stream(part.seed, part.number, Purpose::terminals, static_cast<std::uint64_t>(part.first + g));
        std::iota(vertices.begin(), vertices.end(), 0);
        shuffle_front(vertices, count, random);
        bool* terminals = graphs.terminals.data_ptr<bool>() + g * n;
        for (std::int64_t k = 0; k < count; ++k) terminals[vertices[static_cast<std::size_t>(k)]] = true;
    }
    draw_facts(graphs, rules, part, demands);
    return graphs;
}

at::Tensor draw_starts(const Graphs& graphs, const Rules& rules, std::int64_t per_graph, bool distinct,
                       const BatchPart& part) {
    if (rules.one_start && graphs.roots.defined()) return graphs.roots.repeat_interleave(per_graph);
    auto starts = at::empty({graphs.size() * per_graph}, at::kLong);
    std::int64_t* next = starts.data_ptr<std::int64_t>();
    for (std::int64_t g = 0; g < graphs.size(); ++g) {
        Random random = stream(part.seed, part.number, Purpose::starts, static_cast<std::uint64_t>(part.first + g));
        std::vector<std::int64_t> allowed = allowed_starts(graphs, g);
        const auto count = static_cast<std::int64_t>(allowed.size());
        shuffle_front(allowed, count, random);
        for (std::int64_t k = 0; k < per_graph; ++k) {
            const std::int64_t place = rules.one_start ? 0 : distinct ? k % count : between(random, 0, count - 1);
            *next++ = allowed[static_cast<std::size_t>(place)];
        }
    }
    return starts;
}

at::Tensor draw_uniform(const Choice& choice, std::int64_t trajectories, std::int64_t steps) {
    auto result = at::empty({trajectories, steps}, at::kFloat);
    float* next = result.data_ptr<float>();
    for (std::int64_t b = 0; b < trajectories; ++b) {
        Random random(choice.seed, static_cast<std::uint64_t>(choice.first + b));
        for (std::int64_t t = 0; t < steps; ++t) {
            *next++ = static_cast<float>(random.next() >> 40) * 0x1.0p-24f;  // rounding up to 1 must not happen
        }
    }
    return result;
}

std::uint64_t action_seed(std::uint64_t seed, std::uint64_t number) {
    return stream(seed, number, Purpose::actions).next();
}

at::Tensor in_unit_square(const at::Tensor& points) {
    const auto low = points.amin(1, true);
    const auto extent = (points.amax(1, true) - low).amax(2, true);
    return (points - low) / at::where(extent > 0, extent, at::ones_like(extent));
}

}  // namespace neuroprim::train
