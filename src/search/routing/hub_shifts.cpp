#include "search/routing/hub_shifts.hpp"

#include <algorithm>

#include "search/routing/near_hubs.hpp"
#include "search/routing/rounding.hpp"

namespace neuroprim::routing {

namespace {

constexpr std::size_t most_targets = 48;
constexpr int most_rounds = 6;

}  // namespace

void HubShifts::gather(const RoutingTree& tree, Vertex hub) {
    spokes_.clear();
    const double total = tree.total_mass();
    const auto add = [&](Vertex end, double mass, double length) {
        spokes_.push_back({end, mass, mass * (total - mass), length});
    };
    if (const Vertex up = tree.parent(hub); up != no_vertex) {
        add(up, total - tree.mass_below(hub), tree.length_above(hub));
    }
    for (const Vertex v : tree.children(hub)) add(v, tree.mass_below(v), tree.length_above(v));
}

/// All of few spokes; of many, those that lead to hubs first and leaves by chance.
void HubShifts::choose_targets(const RoutingTree& tree, Random& random) {
    targets_.clear();
    if (spokes_.size() <= most_targets) {
        for (std::size_t k = 0; k < spokes_.size(); ++k) targets_.push_back(k);
        return;
    }
    for (std::size_t k = 0; k < spokes_.size() && targets_.size() < most_targets; ++k) {
        if (!tree.is_leaf(spokes_[k].end)) targets_.push_back(k);
    }
    for (std::size_t k = 0; k < most_targets; ++k) targets_.push_back(random.below(spokes_.size()));
}

/// Lets every spoke choose its side till none changes; the change of cost of what comes out, which is in `chosen_`.
double HubShifts::settle(const Spoke& to, double total) {
    double carried = to.mass;
    for (std::size_t k = 0; k < spokes_.size(); ++k) carried += chosen_[k] ? spokes_[k].mass : 0;
    for (int round = 0; round < most_rounds; ++round) {
        bool changed = false;
        for (std::size_t k = 0; k < spokes_.size(); ++k) {
            const Spoke& spoke = spokes_[k];
            if (spoke.end == to.end) continue;
            const double without = carried - (chosen_[k] ? spoke.mass : 0);
            const double toll = to.length * spoke.mass * (total - 2 * without - spoke.mass);
            const char wants = detour_[k] + toll < 0 ? 1 : 0;
            if (wants == chosen_[k]) continue;
            chosen_[k] = wants;
            carried = without + (wants ? spoke.mass : 0);
            changed = true;
        }
        if (!changed) break;
    }
    double result = to.length * (carried * (total - carried) - to.load);
    for (std::size_t k = 0; k < spokes_.size(); ++k) result += chosen_[k] ? detour_[k] : 0;
    return result;
}

bool HubShifts::improve(RoutingTree& tree, const Lengths& lengths, std::int64_t since, Random& random,
                        const StopToken& stop) {
    touched_.assign(index(tree.size()), false);
    bool improved = false;
    for (const Vertex hub : tree.hubs()) {
        if (!changed_nearby(tree, hub, since)) continue;
        if (stop.expired()) break;
        if (!touched_[index(hub)] && improve_at(tree, lengths, hub, random, stop)) improved = true;
    }
    if (improved) tree.refresh();
    return improved;
}

/// The best shift found away from `hub`, if it is better than none. Tries neighbours v up to a number, leaves drawn
/// at random where there are more. O(degree) each.
bool HubShifts::improve_at(RoutingTree& tree, const Lengths& lengths, Vertex hub, Random& random,
                           const StopToken& stop) {
    gather(tree, hub);
    if (spokes_.size() < 2) return false;
    choose_targets(tree, random);
    const double total = tree.total_mass();
    double least = -rounding * tree.cost();
    Vertex best_target = no_vertex;
    detour_.resize(spokes_.size());
    for (const std::size_t target : targets_) {
        if (stop.expired()) break;
        const Spoke& to = spokes_[target];
        for (std::size_t k = 0; k < spokes_.size(); ++k) {
            const Spoke& spoke = spokes_[k];
            detour_[k] = k == target ? 0 : spoke.load * (lengths(spoke.end, to.end) - spoke.length);
        }
        for (const bool all : {false, true}) {
            chosen_.assign(spokes_.size(), all ? 1 : 0);
            chosen_[target] = 0;
            const double value = settle(to, total);
            if (!(value < least)) continue;
            least = value;
            best_target = to.end;
            best_.clear();
            for (std::size_t k = 0; k < spokes_.size(); ++k) {
                if (chosen_[k]) best_.push_back(spokes_[k].end);
            }
        }
    }
    if (best_target == no_vertex) return false;
    tree.shift(hub, best_target, best_);
    touched_[index(hub)] = true;
    touched_[index(best_target)] = true;
    for (const Vertex x : best_) touched_[index(x)] = true;
    return true;
}

double HubShifts::change(const RoutingTree& tree, const Lengths& lengths, Vertex hub, Vertex to,
                         const std::vector<Vertex>& moved) {
    gather(tree, hub);
    const auto spoke_of = [&](Vertex end) -> const Spoke& {
        return *std::find_if(spokes_.begin(), spokes_.end(), [&](const Spoke& s) { return s.end == end; });
    };
    const double total = tree.total_mass();
    double carried = spoke_of(to).mass;
    double result = -spoke_of(to).length * spoke_of(to).load;
    for (const Vertex x : moved) {
        const Spoke& spoke = spoke_of(x);
        carried += spoke.mass;
        result += spoke.load * (lengths(x, to) - spoke.length);
    }
    return result + spoke_of(to).length * carried * (total - carried);
}

}  // namespace neuroprim::routing
