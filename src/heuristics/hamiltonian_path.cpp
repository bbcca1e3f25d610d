#include "heuristics/hamiltonian_path.hpp"

#include <algorithm>

#include "heuristics/support.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {

namespace {

class Rotations {
public:
    explicit Rotations(const Weights& weights) : neighbours_(index(weights.size())), place_(index(weights.size())) {
        for (Vertex u = 0; u < weights.size(); ++u) {
            weights.for_each_neighbour(u, [&](Vertex v, double w) { neighbours_[index(u)].push_back({w, v}); });
            std::sort(neighbours_[index(u)].begin(), neighbours_[index(u)].end());
        }
    }

    /// Works on from `path` for a bounded number of rotations.
    bool complete(std::vector<Vertex> path, Random random, const StopToken& stop) {
        constexpr unsigned rotations_between_looks = 64;
        PacedStopToken paced(stop, rotations_between_looks);
        path_ = std::move(path);
        std::fill(place_.begin(), place_.end(), outside);
        note_places(0, path_.size());
        const std::size_t rounds = 100 * place_.size() + 1000;
        for (std::size_t round = 0; round < rounds && !exhausted(); ++round) {
            paced.check();
            while (extend()) {
            }
            if (path_.size() == place_.size()) return true;
            if (random.below(2) == 0) {
                rotate_front(random);
            } else {
                rotate_back(random);
            }
        }
        return false;
    }

    /// Whether the work allowed for all attempts together is done.
    [[nodiscard]] bool exhausted() const { return moves_ > 500'000'000; }

    [[nodiscard]] const std::vector<Vertex>& path() const { return path_; }

private:
    struct Neighbour {
        double weight;
        Vertex vertex;

        friend bool operator<(const Neighbour& a, const Neighbour& b) {
            return a.weight != b.weight ? a.weight < b.weight : a.vertex < b.vertex;
        }
    };

    static constexpr std::size_t outside = static_cast<std::size_t>(-1);

    void note_places(std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) place_[index(path_[k])] = k;
        moves_ += end - begin;
    }

    void reverse(std::size_t begin, std::size_t end) {
        std::reverse(path_.begin() + static_cast<std::ptrdiff_t>(begin),
                     path_.begin() + static_cast<std::ptrdiff_t>(end));
        note_places(begin, end);
    }

    [[nodiscard]] Vertex nearest_outside(Vertex u) const {
        for (const auto& [w, v] : neighbours_[index(u)]) {
            if (place_[index(v)] == outside) return v;
        }
        return no_vertex;
    }

    bool extend() {
        Vertex v = nearest_outside(path_.back());
        if (v == no_vertex) {
            v = nearest_outside(path_.front());
            if (v == no_vertex) return false;
            reverse(0, path_.size());
        }
        place_[index(v)] = path_.size();
        path_.push_back(v);
        return true;
    }

    /// The neighbour to rotate about: one whose place beside it, `step` away, can be extended as the new end,
    /// otherwise any at random. A fixed order of preference would run in circles.
    [[nodiscard]] std::size_t pivot(Vertex end, std::ptrdiff_t step, Random& random) const {
        const auto& around = neighbours_[index(end)];
        for (const auto& [w, v] : around) {
            const Vertex new_end =
                path_[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(place_[index(v)]) + step)];
            if (nearest_outside(new_end) != no_vertex) return place_[index(v)];
        }
        return place_[index(around[random.below(around.size())].vertex)];
    }

    void rotate_back(Random& random) { reverse(pivot(path_.back(), 1, random) + 1, path_.size()); }
    void rotate_front(Random& random) { reverse(0, pivot(path_.front(), -1, random)); }

    std::vector<std::vector<Neighbour>> neighbours_;  // (n) nearest first
    std::vector<std::size_t> place_;                  // (n) position on the path
    std::vector<Vertex> path_;
    std::size_t moves_ = 0;
};

}  // namespace

std::optional<std::vector<Vertex>> hamiltonian_path(const Weights& weights, std::vector<Vertex> path,
                                                    const StopToken& stop) {
    constexpr std::size_t attempts = 4;
    const auto n = index(weights.size());
    Rotations rotations(weights);
    for (std::size_t attempt = 0; attempt < attempts && !rotations.exhausted(); ++attempt) {
        if (rotations.complete(path, Random(attempt), stop)) return rotations.path();
        path = {static_cast<Vertex>(attempt * n / attempts)};
    }
    return std::nullopt;
}

}  // namespace neuroprim
