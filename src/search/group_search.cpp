#include "search/group_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "neuroprim/random.hpp"
#include "search/iterated_local_search.hpp"

namespace neuroprim {

namespace {

constexpr double out_of_reach = std::numeric_limits<double>::infinity();

/// One place in the tree for each group, and for each vertex that must be in without one.
using Places = std::vector<std::vector<Vertex>>;

Places places_of(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    Places places(static_cast<std::size_t>(spec.group_count()));
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (spec.group(v) < 0) {
            places.push_back({v});
        } else {
            places[static_cast<std::size_t>(spec.group(v))].push_back(v);
        }
    }
    for (auto& members : places) {
        const auto required =
            std::find_if(members.begin(), members.end(), [&](Vertex v) { return problem.required(v); });
        if (required != members.end()) members = {*required};
    }
    return places;
}

/// The minimum spanning tree of one vertex for each place, by Prim's algorithm. O(k²).
class SpeakerTree {
public:
    explicit SpeakerTree(const Weights& weights) : weights_(weights) {}

    /// What it weighs; infinity when the speakers are not connected. `parent()` then has the tree.
    double build(const std::vector<Vertex>& speakers) {
        const std::size_t count = speakers.size();
        nearest_.assign(count, out_of_reach);
        parent_.assign(count, 0);
        joined_.assign(count, 0);
        double sum = 0;
        std::size_t last = 0;
        joined_[0] = 1;
        for (std::size_t round = 1; round < count; ++round) {
            std::size_t next = count;
            for (std::size_t k = 0; k < count; ++k) {
                if (joined_[k] != 0) continue;
                const double weight = weights_(speakers[last], speakers[k]);
                if (weight < nearest_[k]) {
                    nearest_[k] = weight;
                    parent_[k] = last;
                }
                if (next == count || nearest_[k] < nearest_[next]) next = k;
            }
            if (nearest_[next] == out_of_reach) return out_of_reach;
            joined_[next] = 1;
            sum += nearest_[next];
            last = next;
        }
        return sum;
    }

    /// Of each place but the first.
    [[nodiscard]] const std::vector<std::size_t>& parent() const { return parent_; }

private:
    const Weights& weights_;
    std::vector<double> nearest_;
    std::vector<std::size_t> parent_;
    std::vector<char> joined_;
};

class GroupWorker final : public IteratedLocalSearch {
public:
    GroupWorker(const Problem& problem, const Places& places, std::uint64_t seed, std::uint64_t stream)
        : IteratedLocalSearch(Random(seed, stream)), problem_(problem), places_(places), tree_(problem.weights()) {
        for (std::size_t k = 0; k < places.size(); ++k) {
            if (places[k].size() > 1) open_.push_back(k);
        }
    }

    void adopt(const Tree& tree) override {
        best_ = tree;
        best_cost_ = problem_.cost(tree);
        std::vector<char> inside(index(problem_.size()), 0);
        inside[index(tree.start)] = 1;
        for (const Edge& edge : tree.edges) inside[index(edge.u)] = inside[index(edge.v)] = 1;
        speakers_.clear();
        for (const auto& members : places_) {
            speakers_.push_back(*std::find_if(members.begin(), members.end(), [&](Vertex v) {
                return inside[index(v)] != 0 || v == members.back();
            }));
        }
        cost_ = tree_.build(speakers_);
        begin_anew();
    }

    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override { return best_; }

private:
    [[nodiscard]] bool can_perturb() const override { return !open_.empty(); }
    [[nodiscard]] double cost_now() const override { return cost_; }

    bool descend(Random&, const StopToken& stop) override { return improve_all(open_, stop); }

    bool repair(Random&, const StopToken& stop) override { return improve_all(around_, stop); }

    /// A tree that is a little worse may stay.
    [[nodiscard]] bool accepts(double before, Random& random) const override {
        return cost_ <= before + 0.002 * random.uniform() * before;
    }

    void remember() override {
        before_ = speakers_;
        cost_before_ = cost_;
    }

    void go_back() override {
        speakers_ = before_;
        cost_ = cost_before_;
    }

    /// Until no other vertex of any group is better. Groups that were tried in vain come again only after a gain.
    /// False when the time was up.
    bool improve_all(const std::vector<std::size_t>& waiting, const StopToken& stop) {
        std::size_t in_vain = 0;
        for (std::size_t k = 0; in_vain < waiting.size(); k = (k + 1) % waiting.size()) {
            if (stop.expired()) return false;
            in_vain = improve(waiting[k]) ? 1 : in_vain + 1;
        }
        return true;
    }

    /// The best vertex for one place, where all others stay.
    bool improve(std::size_t place) {
        const Vertex old = speakers_[place];
        Vertex best = old;
        double least = cost_;
        for (const Vertex v : places_[place]) {
            if (v == old || nearest_weight(place, v) >= least) continue;
            speakers_[place] = v;
            const double cost = tree_.build(speakers_);
            if (cost < least * (1 - 1e-12)) {
                least = cost;
                best = v;
            }
        }
        speakers_[place] = best;
        if (best == old) return false;
        cost_ = least;
        return true;
    }

    /// The lightest edge that would join v. O(k).
    [[nodiscard]] double nearest_weight(std::size_t place, Vertex v) const {
        double least = out_of_reach;
        for (std::size_t k = 0; k < speakers_.size(); ++k) {
            if (k != place) least = std::min(least, problem_.weights()(v, speakers_[k]));
        }
        return speakers_.size() > 1 ? least : 0;
    }

    /// Random vertices for a place and some that are near it.
    void perturb(Random& random, const StopToken&) override {
        const std::size_t centre = open_[random.below(open_.size())];
        std::vector<std::pair<double, std::size_t>> near;
        for (const std::size_t k : open_) {
            near.emplace_back(k == centre ? -1.0 : problem_.weights()(speakers_[centre], speakers_[k]), k);
        }
        std::sort(near.begin(), near.end());
        const std::size_t pool = std::min<std::size_t>(near.size(), 12);
        const std::size_t count = 2 + random.below(4);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t place = near[k == 0 ? 0 : random.below(pool)].second;
            speakers_[place] = places_[place][random.below(places_[place].size())];
        }
        cost_ = tree_.build(speakers_);
        around_.clear();
        for (std::size_t k = 0; k < pool; ++k) around_.push_back(near[k].second);
    }

    void keep_if_best() override {
        if (!(cost_ < best_cost_ * (1 - 1e-12))) return;
        if (tree_.build(speakers_) == out_of_reach) return;
        Tree tree{speakers_.front(), {}};
        for (std::size_t k = 1; k < speakers_.size(); ++k) {
            tree.edges.push_back({speakers_[tree_.parent()[k]], speakers_[k]});
        }
        const Vertex start = problem_.spec().root.value_or(speakers_.front());
        best_ = grown_from(tree, start, problem_.size());
        best_cost_ = problem_.cost(best_);
    }

    const Problem& problem_;
    const Places& places_;
    SpeakerTree tree_;
    std::vector<std::size_t> open_;  // places that have a choice
    std::vector<Vertex> speakers_;   // one for each place
    double cost_ = out_of_reach;
    Tree best_;
    double best_cost_ = out_of_reach;
    std::vector<Vertex> before_;
    double cost_before_ = out_of_reach;
    std::vector<std::size_t> around_;  // places near the last perturbation
};

class GroupSearch final : public LocalSearch {
public:
    explicit GroupSearch(const Problem& problem) : problem_(problem), places_(places_of(problem)) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<GroupWorker>(problem_, places_, seed, stream);
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        const auto count = static_cast<std::int64_t>(places_.size());
        return std::clamp<std::int64_t>(100'000 / (count * count), 1, 100);
    }

private:
    const Problem& problem_;
    Places places_;
};

}  // namespace

/// A step takes O(groups²). With more of them than this, ruin and recreate is better (docs/results.md).
constexpr int most_groups = 700;

bool group_search_suits(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    if (!problem.is_plain() || spec.objective != Objective::length || spec.coverage != Coverage::groups) return false;
    if (!spec.has_only({}) || spec.group_count() > most_groups) return false;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (spec.group(v) < 0 && !problem.required(v)) return false;
    }
    return true;
}

std::unique_ptr<LocalSearch> prepare_group_search(const Problem& problem, int /*threads*/, const StopToken&) {
    return std::make_unique<GroupSearch>(problem);
}

}  // namespace neuroprim
