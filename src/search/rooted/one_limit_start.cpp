#include "search/rooted/one_limit_start.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/neighbours.hpp"
#include "heuristics/central_vertices.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim {

namespace {

/// Hands children of overloaded vertices over, from the root down. What is too much moves to deeper vertices, which
/// hand over theirs when their turn comes.
class Handover {
public:
    Handover(const Problem& problem, const Neighbours& near, const StopToken& stop)
        : problem_(&problem),
          near_(&near),
          stop_(stop),
          tree_(problem),
          is_done_(index(problem.size()), 0),
          all_(index(problem.size())) {
        std::iota(all_.begin(), all_.end(), 0);
    }

    /// The tree with all degrees within their limits; nothing where a child has nowhere to go.
    std::optional<Tree> run(const Tree& tree) {
        tree_.load(tree);
        waiting_ = {tree_.root()};
        for (std::size_t k = 0; k < waiting_.size(); ++k) {
            const Vertex u = waiting_[k];
            stop_.check();
            while (excess(u) > 0) {
                if (!hand_over_some(u) && !dissolve_one(u)) return std::nullopt;
            }
            is_done_[index(u)] = 1;
            for (Vertex v = tree_.first_child(u); v != no_vertex; v = tree_.next_sibling(v)) waiting_.push_back(v);
        }
        return tree_.tree();
    }

private:
    /// A vertex that a child may hang from instead.
    struct Offer {
        bool is_crowded = false;  // it has to hand over children itself then
        double dearer = Weights::infinity;
        Vertex child = no_vertex;
        Vertex to = no_vertex;

        bool operator<(const Offer& other) const {
            return std::tie(is_crowded, dearer, child, to) <
                   std::tie(other.is_crowded, other.dearer, other.child, other.to);
        }
    };

    [[nodiscard]] int excess(Vertex v) const { return tree_.degree(v) - problem_->spec().degrees[index(v)]; }

    /// As many children of `u` as are too many, or fewer: an offer may be gone once another was taken. Says no where
    /// there is no offer at all.
    bool hand_over_some(Vertex u) {
        children_.clear();
        for (Vertex v = tree_.first_child(u); v != no_vertex; v = tree_.next_sibling(v)) {
            if (tree_.may_detach(v)) children_.push_back(v);
        }
        std::vector<Offer> offers;
        for (const Vertex child : children_) {
            if (const auto offer = best_offer(u, child)) offers.push_back(*offer);
        }
        std::sort(offers.begin(), offers.end());
        bool any = false;
        for (const Offer& offer : offers) {
            if (excess(u) > 0 && take(u, offer)) any = true;
        }
        return any;
    }

    /// Where all subtrees below `u` are too tall to hang from another vertex, the flattest one goes in parts.
    bool dissolve_one(Vertex u) {
        if (children_.empty()) return false;
        const Vertex child = *std::min_element(children_.begin(), children_.end(), [&](Vertex a, Vertex b) {
            return std::pair(tree_.burden_of(a).hops, a) < std::pair(tree_.burden_of(b).hops, b);
        });
        tree_.detach(child);
        std::vector<Vertex> parts = {child};
        while (!parts.empty()) {
            const Vertex part = parts.back();
            parts.pop_back();
            auto offer = best_for(part, u, {});
            if (!offer && tree_.children(part) > 0) {
                while (tree_.first_child(part) != no_vertex) {
                    parts.push_back(tree_.first_child(part));
                    tree_.detach(parts.back());
                }
                offer = best_for(part, u, {});
            }
            if (!offer && looks_at_all_++ < most_looks_at_all) offer = best_for(part, u, all_);
            if (!offer) return false;
            tree_.attach(offer->to, part);
            if (is_done_[index(offer->to)]) waiting_.push_back(part);
        }
        return true;
    }

    /// The cheapest of the near vertices and, unless they are many, the other children.
    std::optional<Offer> best_offer(Vertex u, Vertex child) {
        constexpr std::size_t many_children = 64;
        tree_.detach(child);
        const bool are_many = children_.size() > many_children;
        const auto best = best_for(child, u, are_many ? std::span<const Vertex>() : children_);
        tree_.attach(u, child);
        return best;
    }

    /// Of near vertices and some others, but for `u`, that which the floating `child` hangs from for the least
    /// weight.
    std::optional<Offer> best_for(Vertex child, Vertex u, std::span<const Vertex> others) {
        std::optional<Offer> best;
        const auto look_at = [&](Vertex w) {
            if (w == u || w == child) return;
            const double weight = problem_->weights()(w, child);
            const Offer offer{excess(w) >= 0, weight - problem_->weights()(u, child), child, w};
            if ((!best || offer < *best) && is_open(offer, weight)) best = offer;
        };
        for (const Vertex w : near_->of(child)) look_at(w);
        for (const Vertex w : others) look_at(w);
        return best;
    }

    /// May the child, which floats, hang there under all limits but degrees? A crowded vertex takes it before its own
    /// turn has come only.
    [[nodiscard]] bool is_open(const Offer& offer, double weight) const {
        if (weight >= Weights::infinity || (excess(offer.to) >= 0 && is_done_[index(offer.to)])) return false;
        const rooted::Place place = tree_.place(offer.to);
        if (place.top != tree_.root()) return false;
        const rooted::Burden burden = tree_.burden_of(offer.child);
        return tree_.fits_alone({place.hops + burden.hops + 1, place.length + burden.length + weight, burden.load});
    }

    bool take(Vertex u, const Offer& offer) {
        tree_.detach(offer.child);
        const bool is_as_crowded = (excess(offer.to) >= 0) == offer.is_crowded;
        const bool takes = is_as_crowded && is_open(offer, problem_->weights()(offer.to, offer.child));
        tree_.attach(takes ? offer.to : u, offer.child);
        if (takes && is_done_[index(offer.to)]) waiting_.push_back(offer.child);
        return takes;
    }

    /// More of them take longer than a flatter tree does.
    static constexpr int most_looks_at_all = 200;

    const Problem* problem_;
    const Neighbours* near_;
    StopToken stop_;
    rooted::ResourceTree tree_;
    std::vector<char> is_done_;  // (n)
    std::vector<Vertex> all_;    // (n)
    int looks_at_all_ = 0;
    std::vector<Vertex> waiting_;
    std::vector<Vertex> children_;
};

/// Hops or the diameter alone, with so many hops to spare between any vertex and the centre. With both the root is
/// the centre.
TreeSpec one_limit_of(const TreeSpec& spec, int spare) {
    TreeSpec result;
    result.root = spec.root;
    if (spec.hops) result.hops = (spec.diameter ? std::min(*spec.hops, *spec.diameter / 2) : *spec.hops) - spare;
    if (!spec.hops) result.diameter = *spec.diameter - 2 * spare;
    return result;
}

}  // namespace

bool begins_with_one_limit(const Problem& problem) {
    // On more, some child nearly always finds no room, however flat the tree was.
    constexpr Vertex most_with_degrees = 20'000;
    const TreeSpec& spec = problem.spec();
    if (!problem.is_plain() || spec.objective != Objective::length || spec.coverage != Coverage::all) return false;
    if (!rooted::ResourceTree::supports(problem)) return false;
    if (!spec.has_only({Limit::degree, Limit::hops, Limit::diameter, Limit::length})) return false;
    if (spec.length && !spec.hops) return false;
    const bool has_others = !spec.degrees.empty() || spec.length || (spec.hops && spec.diameter);
    const bool may_repair = spec.degrees.empty() || problem.size() <= most_with_degrees;
    return (spec.hops || spec.diameter) && has_others && may_repair && problem.size() > 2;
}

std::optional<OneLimitTree> tree_from_one_limit(const Problem& problem, int threads, const StopToken& stop) {
    constexpr std::array spares = {0, 1, 2, 3, 4, 6, 8};
    constexpr std::size_t list_length = 14;
    std::optional<Neighbours> near;
    std::optional<OneLimitTree> best;
    double least = Weights::infinity;
    try {
        for (const int spare : spares) {
            TreeSpec spec = one_limit_of(problem.spec(), spare);
            if (spec.hops.value_or(2) < 2 || spec.diameter.value_or(2) < 2) break;
            const Problem alone(problem.instance(), std::move(spec), std::string(problem.name()));
            const Method& method = default_method(alone);
            Tree tree = method.construct(alone, {central_start(alone), threads, [&stop] { return stop.expired(); }});
            // Flatter trees are dearer, and with few repairs what they cost is hardly less afterwards.
            if (problem.cost(tree) >= least) break;
            if (problem.spec().degrees.empty()) return OneLimitTree{std::move(tree), method.name};
            if (!near) near = nearest_neighbours(problem.weights(), list_length, threads, stop);
            auto repaired = Handover(problem, *near, stop).run(tree);
            const double cost = repaired ? problem.cost(*repaired) : least;
            if (cost >= least) continue;
            least = cost;
            best = OneLimitTree{std::move(*repaired), method.name};
        }
    } catch (const Infeasible&) {
        // Nor is there a flatter one.
    } catch (const Interrupted&) {
        if (!best) throw;
    }
    return best;
}

}  // namespace neuroprim
