#include "neuroprim/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "neuroprim/error.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {

namespace {

using Shape = GenerateOptions::Shape;

constexpr std::array<std::string_view, 5> shape_names = {"uniform", "clustered", "grid", "matrix", "sparse"};

// Each part of an instance draws from its own stream, so that adding terminals does not move the points.
enum Stream : std::uint64_t { geometry_stream, terminal_stream, requirement_stream };

void check(const GenerateOptions& options) {
    if (options.n < 1) throw InputError(fmt::format("{} vertices: expected at least 1", options.n));
    if (options.terminals < 0 || options.terminals > options.n) {
        throw InputError(fmt::format("{} terminals: expected at most the {} vertices", options.terminals, options.n));
    }
    if (!std::isfinite(options.scale) || options.scale <= 0) {
        throw InputError(fmt::format("scale {}: expected a positive number", options.scale));
    }
    constexpr Vertex most_for_pairs = 20000;
    const bool all_pairs = options.shape == Shape::matrix || options.requirements;
    if (all_pairs && options.n > most_for_pairs) {
        throw InputError(
            fmt::format("{} vertices: a number for every pair is made for at most {}", options.n, most_for_pairs));
    }
    if (!std::isfinite(options.average_degree) || options.average_degree < 0) {
        throw InputError(fmt::format("average degree {}: expected at least 0", options.average_degree));
    }
}

class Generator {
public:
    explicit Generator(const GenerateOptions& options) : options_(options), random_(options.seed, geometry_stream) {}

    Weights weights() {
        switch (options_.shape) {
            case Shape::uniform:
                return points([this](Vertex) { return Point{random_.uniform(), random_.uniform()}; });
            case Shape::clustered:
                return clustered();
            case Shape::grid:
                return grid();
            case Shape::matrix:
                return matrix();
            case Shape::sparse:
                return sparse();
        }
        return {};
    }

private:
    double scaled(double unit) const {
        const double x = unit * options_.scale;
        return options_.integers ? std::round(x) : x;
    }

    template <class Place>
    Weights points(Place&& place) {
        std::vector<Point> result;
        result.reserve(static_cast<std::size_t>(options_.n));
        for (Vertex v = 0; v < options_.n; ++v) {
            const Point unit = place(v);
            result.push_back({scaled(unit.x), scaled(unit.y)});
        }
        return Weights::from_points(std::move(result));
    }

    Weights clustered() {
        const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(options_.n) / 2));
        std::vector<Point> centres(count);
        for (auto& centre : centres) centre = {0.1 + 0.8 * random_.uniform(), 0.1 + 0.8 * random_.uniform()};
        return points([&](Vertex) {
            const Point centre = centres[random_.below(count)];
            // Box–Muller; 1 − u keeps the logarithm finite.
            const double radius = 0.04 * std::sqrt(-2 * std::log(1 - random_.uniform()));
            const double angle = 2 * std::numbers::pi * random_.uniform();
            return Point{std::clamp(centre.x + radius * std::cos(angle), 0.0, 1.0),
                         std::clamp(centre.y + radius * std::sin(angle), 0.0, 1.0)};
        });
    }

    Weights grid() {
        const auto side = static_cast<Vertex>(std::ceil(std::sqrt(options_.n)));
        const auto shaken = [&](Vertex cell) { return (cell + 0.5 + 0.3 * (random_.uniform() - 0.5)) / side; };
        return points([&](Vertex v) {
            const double x = shaken(v % side);
            return Point{x, shaken(v / side)};
        });
    }

    Weights matrix() {
        const auto n = static_cast<std::size_t>(options_.n);
        std::vector<double> lower(n * (n - 1) / 2);
        for (double& w : lower) w = scaled(random_.uniform());
        return Weights::from_lower_triangle(options_.n, lower);
    }

    /// A random recursive tree makes it connected; the rest of the edges join random pairs.
    Weights sparse() {
        std::vector<WeightedEdge> edges;
        for (Vertex v = 1; v < options_.n; ++v) {
            const auto u = static_cast<Vertex>(random_.below(static_cast<std::uint64_t>(v)));
            edges.push_back({u, v, scaled(random_.uniform())});
        }
        const auto wanted =
            static_cast<std::size_t>(std::min(options_.average_degree, options_.n - 1.0) * options_.n / 2);
        while (options_.n > 1 && edges.size() < wanted) {
            const auto bound = static_cast<std::uint64_t>(options_.n);
            const auto u = static_cast<Vertex>(random_.below(bound));
            const auto v = static_cast<Vertex>(random_.below(bound));
            if (u != v) edges.push_back({u, v, scaled(random_.uniform())});
        }
        return Weights::from_edges(options_.n, std::move(edges));
    }

    const GenerateOptions& options_;
    Random random_;
};

/// The first `count` of a shuffled list, sorted.
std::vector<Vertex> choose(Vertex n, Vertex count, Random random) {
    std::vector<Vertex> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    const auto wanted = static_cast<std::size_t>(count);
    for (std::size_t k = 0; k < wanted; ++k) std::swap(all[k], all[k + random.below(all.size() - k)]);
    all.resize(wanted);
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

Instance generate(const GenerateOptions& options) {
    check(options);
    Instance instance;
    instance.name = fmt::format("{}{}-{}", to_string(options.shape), options.n, options.seed);
    instance.weights = Generator(options).weights();
    instance.terminals = choose(options.n, options.terminals, Random(options.seed, terminal_stream));
    if (options.requirements) {
        Random random(options.seed, requirement_stream);
        const auto n = static_cast<std::size_t>(options.n);
        instance.requirements.resize(n * (n - 1) / 2);
        for (double& r : instance.requirements) r = static_cast<double>(random.below(100));
    }
    return instance;
}

std::optional<Shape> shape_from_string(std::string_view name) {
    const auto found = std::find(shape_names.begin(), shape_names.end(), name);
    if (found == shape_names.end()) return std::nullopt;
    return static_cast<Shape>(found - shape_names.begin());
}

std::string_view to_string(Shape shape) {
    return shape_names[static_cast<std::size_t>(shape)];
}

}  // namespace neuroprim
