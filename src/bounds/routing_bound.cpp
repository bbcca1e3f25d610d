#include "bounds/routing_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "bounds/graph_distances.hpp"
#include "bounds/projections.hpp"

namespace neuroprim {

namespace {

constexpr Vertex most_for_distances = 20000;
constexpr Vertex most_for_paths = 3000;  // where shortest paths have to be found among all pairs
constexpr Vertex most_for_centroids = 2000;

bool distances_affordable(const Problem& problem) {
    const Weights& weights = problem.weights();
    const bool quick = edges_are_shortest(weights) || weights.form() == Weights::Form::sparse;
    return problem.size() <= (quick ? most_for_distances : most_for_paths);
}

bool projections_apply(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    return spec.objective == Objective::routing_cost && spec.masses.empty() && projections_suit(problem.weights());
}

class RoutingBound final : public BoundProcess {
public:
    explicit RoutingBound(const Problem& problem)
        : problem_(&problem),
          n_(problem.size()),
          traffic_(problem.spec().objective == Objective::communication
                       ? std::span<const double>(problem.instance().requirements)
                       : std::span<const double>()),
          masses_(problem.spec().masses) {
        constexpr std::int64_t looks_per_settled_edge = 20;
        const auto edges = static_cast<std::int64_t>(problem.weights().edge_count());
        looks_per_row_ =
            edges_are_shortest(problem.weights()) ? 2 * std::int64_t{n_} : looks_per_settled_edge * edges;
        if (!projections_apply(problem)) stage_ = Stage::distances;
        skip_what_is_too_dear();
    }

    bool advance(double upper, const StopToken& stop) override {
        // Looks at a pair of vertices that take some ten milliseconds: a slice must not depend on the clock.
        std::int64_t looks = 3'000'000;
        while (stage_ != Stage::done && looks > 0 && !stop.expired()) {
            if (stage_ == Stage::projections) {
                constexpr std::int64_t looks_per_sorted_vertex = 40;
                looks -= looks_per_sorted_vertex * n_;
                project();
            } else if (stage_ == Stage::distances) {
                looks -= looks_per_row_;
                add_row();
            } else {
                looks -= std::int64_t{n_} * n_;
                look_at_centroid(upper, stop);
            }
        }
        return stage_ != Stage::done;
    }

    [[nodiscard]] double value() const override { return value_; }

private:
    enum class Stage { projections, distances, centroids, done };

    [[nodiscard]] double traffic(Vertex u, Vertex v) const {
        if (!masses_.empty()) return masses_[index(u)] * masses_[index(v)];
        return traffic_.empty() ? 1 : traffic_[pair_index(u, v)];
    }

    void skip_what_is_too_dear() {
        if (stage_ == Stage::distances && !distances_affordable(*problem_)) stage_ = Stage::done;
        if (stage_ == Stage::centroids && (n_ < 3 || n_ > most_for_centroids)) stage_ = Stage::done;
    }

    void enter(Stage stage) {
        stage_ = stage;
        next_ = 0;
        sum_ = 0;
        skip_what_is_too_dear();
        if (stage_ == Stage::centroids) rank_centroids();
    }

    void project() {
        sum_ += projected_sum(problem_->weights(), index(next_));
        if (index(++next_) < projection_count(problem_->weights())) return;
        value_ = std::max(value_, sum_);
        enter(Stage::distances);
    }

    void add_row() {
        distances_from(problem_->weights(), next_, row_);
        for (Vertex v = 0; v < next_; ++v) {
            const double r = traffic(next_, v);
            if (r > 0) sum_ += r * row_[index(v)];
        }
        if (n_ <= most_for_centroids) distance_.insert(distance_.end(), row_.begin(), row_.end());
        if (++next_ < n_) return;
        value_ = std::max(value_, sum_);
        distance_sum_ = sum_;
        enter(Stage::centroids);
    }

    [[nodiscard]] std::span<const double> from(Vertex u) const {
        return std::span(distance_).subspan(index(u) * index(n_), index(n_));
    }

    /// Likely ones first: those after them are given up early, when they cannot be the least any more.
    void rank_centroids() {
        std::vector<double> total;
        total.reserve(index(n_));
        for (Vertex c = 0; c < n_; ++c) total.push_back(std::accumulate(from(c).begin(), from(c).end(), 0.0));
        centroids_.resize(index(n_));
        std::iota(centroids_.begin(), centroids_.end(), 0);
        std::stable_sort(centroids_.begin(), centroids_.end(),
                         [&](Vertex a, Vertex b) { return total[index(a)] < total[index(b)]; });
        least_extra_ = Weights::infinity;
    }

    /// What the detours through c add at least, or any number ≥ `enough` once they reach it. When the stop token
    /// expires the answer is −1.
    [[nodiscard]] double extra_through(Vertex c, double enough, const StopToken& stop) {
        const auto others = static_cast<std::ptrdiff_t>(n_ - 1 - n_ / 2);
        const auto to_c = from(c);
        double extra = 0;
        for (Vertex u = 0; u < n_ && extra < enough; ++u) {
            if (u == c) continue;
            if (u % 16 == 0 && stop.expired()) return -1;
            const auto from_u = from(u);
            row_.clear();
            for (Vertex v = 0; v < n_; ++v) {
                if (v == u || v == c) continue;
                const double detour = to_c[index(u)] + to_c[index(v)] - from_u[index(v)];
                row_.push_back(traffic(u, v) * std::max(0.0, detour));
            }
            if (others < std::ssize(row_)) std::nth_element(row_.begin(), row_.begin() + others, row_.end());
            extra += 0.5 * std::accumulate(row_.begin(), row_.begin() + others, 0.0);
        }
        return extra;
    }

    void look_at_centroid(double upper, const StopToken& stop) {
        const double enough = std::min(least_extra_, upper - distance_sum_);
        const double extra = extra_through(centroids_[index(next_)], enough, stop);
        if (extra < 0) return;  // the same one again, if there is a next time
        least_extra_ = std::min(least_extra_, extra);
        if (++next_ < n_) return;
        // Centroids that were given up can only lead to trees that cost `upper` or more.
        value_ = std::max(value_, std::min(upper, distance_sum_ + least_extra_));
        enter(Stage::done);
    }

    const Problem* problem_;
    Vertex n_;
    std::span<const double> traffic_;  // between pairs, or masses of vertices; neither: 1
    std::span<const double> masses_;
    Stage stage_ = Stage::projections;
    std::int64_t looks_per_row_;  // a row of distances, or all shortest paths from a vertex
    Vertex next_ = 0;
    double sum_ = 0;
    double value_ = 0;
    double distance_sum_ = 0;
    double least_extra_ = 0;
    std::vector<double> row_;
    std::vector<double> distance_;  // (n, n), for the centroids
    std::vector<Vertex> centroids_;
};

}  // namespace

bool routing_bound_suits(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const bool is_known = spec.objective == Objective::communication || spec.objective == Objective::routing_cost;
    if (!problem.is_plain() || !is_known) return false;  // limits may be there: they only make trees dearer
    return projections_apply(problem) || distances_affordable(problem);
}

std::unique_ptr<BoundProcess> make_routing_bound(const Problem& problem) {
    return std::make_unique<RoutingBound>(problem);
}

}  // namespace neuroprim
