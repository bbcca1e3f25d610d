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

    /// Works on from `path` for at most `rounds` rotations.
    bool complete(std::vector<Vertex> path, std::size_t rounds, Random random) {
        path_ = std::move(path);
        std::fill(place_.begin(), place_.end(), outside);
        note_places(0);
        for (std::size_t round = 0; round < rounds && !exhausted(); ++round) {
            while (extend() || extend_through_cycle()) {
            }
            if (path_.size() == place_.size()) return true;
            if (random.below(2) == 0) reverse_from(0);
            rotate(random);
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

        friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
    };

    static constexpr std::size_t outside = static_cast<std::size_t>(-1);

    void note_places(std::size_t from) {
        for (std::size_t k = from; k < path_.size(); ++k) place_[index(path_[k])] = k;
        moves_ += path_.size() - from;
    }

    void reverse_from(std::size_t from) {
        std::reverse(path_.begin() + static_cast<std::ptrdiff_t>(from), path_.end());
        note_places(from);
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
            reverse_from(0);
        }
        place_[index(v)] = path_.size();
        path_.push_back(v);
        return true;
    }

    /// A closed path that is not the whole graph has an outside neighbour somewhere: open it there.
    bool extend_through_cycle() {
        const auto closes = [&](const Neighbour& n) { return n.vertex == path_.front(); };
        const auto& at_end = neighbours_[index(path_.back())];
        if (path_.size() < 3 || path_.size() == place_.size()) return false;
        if (std::none_of(at_end.begin(), at_end.end(), closes)) return false;
        for (std::size_t k = 0; k < path_.size(); ++k) {
            if (nearest_outside(path_[k]) == no_vertex) continue;
            std::rotate(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(k + 1), path_.end());
            note_places(0);
            return true;
        }
        return false;
    }

    /// A rotation of the last vertex whose new end can be extended, otherwise any at random: a fixed order of
    /// preference would run in circles.
    void rotate(Random& random) {
        const auto& around = neighbours_[index(path_.back())];
        const auto new_end = [&](const Neighbour& n) { return place_[index(n.vertex)] + 1; };
        const auto extends = [&](const Neighbour& n) { return nearest_outside(path_[new_end(n)]) != no_vertex; };
        const auto found = std::find_if(around.begin(), around.end(), extends);
        reverse_from(new_end(found != around.end() ? *found : around[random.below(around.size())]));
    }

    std::vector<std::vector<Neighbour>> neighbours_;  // (n) nearest first
    std::vector<std::size_t> place_;                  // (n) position on the path
    std::vector<Vertex> path_;
    std::size_t moves_ = 0;
};

}  // namespace

std::optional<std::vector<Vertex>> hamiltonian_path(const Weights& weights, std::vector<Vertex> path) {
    constexpr std::size_t attempts = 20;
    const auto n = index(weights.size());
    Rotations rotations(weights);
    for (std::size_t attempt = 0; attempt < attempts && !rotations.exhausted(); ++attempt) {
        if (rotations.complete(path, 200 * n + 1000, Random(attempt))) return rotations.path();
        path = {static_cast<Vertex>(attempt * n / attempts)};
    }
    return std::nullopt;
}

}  // namespace neuroprim
