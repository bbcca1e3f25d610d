#include "train/point_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "train/draws.hpp"

namespace neuroprim::train {

namespace {

struct Spot {
    float x = 0, y = 0;
};

float squared_distance(Spot a, Spot b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// A smooth random function of the plane: what lies below 0 a path has visited already.
class Visits {
public:
    explicit Visits(Random& random) {
        for (Wave& wave : waves_) {
            const double length = 0.3 + 2 * random.uniform();  // waves in the unit square
            const double angle = 2 * std::numbers::pi * random.uniform();
            wave.x = static_cast<float>(2 * std::numbers::pi * length * std::cos(angle));
            wave.y = static_cast<float>(2 * std::numbers::pi * length * std::sin(angle));
            wave.phase = static_cast<float>(2 * std::numbers::pi * random.uniform());
        }
        level_ = static_cast<float>(-2 + 2.5 * random.uniform());
    }

    [[nodiscard]] float at(Spot place) const {
        float sum = -level_;
        for (const Wave& wave : waves_) sum += std::cos(wave.x * place.x + wave.y * place.y + wave.phase);
        return sum;
    }

private:
    struct Wave {
        float x = 0, y = 0, phase = 0;
    };
    std::array<Wave, 3> waves_;
    float level_ = 0;  // where it is low, hardly anything was visited
};

/// Of a few random places the one nearest to the border.
Spot end_of_path(const Visits& visits, Random& random) {
    constexpr int tries = 12;
    Spot end;
    float nearest = std::numeric_limits<float>::infinity();
    for (int k = 0; k < tries; ++k) {
        const Spot place{static_cast<float>(random.uniform()), static_cast<float>(random.uniform())};
        const float apart = std::abs(visits.at(place));
        if (apart < nearest) {
            nearest = apart;
            end = place;
        }
    }
    return end;
}

}  // namespace

void draw_uniform_points(float* points, std::int64_t n, Random& random) {
    for (std::int64_t k = 0; k < 2 * n; ++k) points[k] = static_cast<float>(random.uniform());
}

/// Kept inside the square by drawing again.
void draw_clustered_points(float* points, std::int64_t n, Random& random) {
    constexpr double spread = 0.07;
    const auto centres = std::max<std::int64_t>(1, std::llround(std::sqrt(static_cast<double>(n)) / 2));
    std::vector<float> centre(static_cast<std::size_t>(2 * centres));
    draw_uniform_points(centre.data(), centres, random);
    for (std::int64_t k = 0; k < n; ++k) {
        const auto chosen = static_cast<std::size_t>(2 * between(random, 0, centres - 1));
        for (std::size_t axis = 0; axis < 2; ++axis) {
            double value = 0;
            do value = static_cast<double>(centre[chosen + axis]) + spread * normal(random);
            while (value < 0 || value > 1);
            points[2 * k + static_cast<std::int64_t>(axis)] = static_cast<float>(value);
        }
    }
}

void draw_remainder(float* points, std::int64_t n, bool clustered, Random& random) {
    const Visits visits(random);
    const Spot end = end_of_path(visits, random);
    const std::int64_t all = between(random, n + n / 2, 8 * n);
    std::vector<float> drawn(static_cast<std::size_t>(2 * all));
    clustered ? draw_clustered_points(drawn.data(), all, random) : draw_uniform_points(drawn.data(), all, random);

    // Left is what was not visited; where that is too little, what was hardly visited.
    struct Left {
        Spot place;
        float visited = 0;
        float apart = 0;
    };
    std::vector<Left> left;
    left.reserve(static_cast<std::size_t>(all));
    for (std::size_t k = 0; k < drawn.size(); k += 2) {
        const Spot place{drawn[k], drawn[k + 1]};
        left.push_back({place, std::max(0.0f, -visits.at(place)), squared_distance(place, end)});
    }
    const auto others = static_cast<std::ptrdiff_t>(n - 1);
    std::nth_element(left.begin(), left.begin() + others, left.end(), [](const Left& a, const Left& b) {
        return a.visited != b.visited ? a.visited < b.visited : a.apart < b.apart;
    });

    Spot low = end;
    Spot high = end;
    for (std::ptrdiff_t k = 0; k < others; ++k) {
        const Spot place = left[static_cast<std::size_t>(k)].place;
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    const float extent = std::max({high.x - low.x, high.y - low.y, std::numeric_limits<float>::min()});
    for (std::int64_t k = 0; k < n; ++k) {
        const Spot place = k == 0 ? end : left[static_cast<std::size_t>(k - 1)].place;
        points[2 * k] = (place.x - low.x) / extent;
        points[2 * k + 1] = (place.y - low.y) / extent;
    }
}

}  // namespace neuroprim::train
