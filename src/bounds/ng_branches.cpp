#include "bounds/ng_branches.hpp"

#include <algorithm>
#include <limits>

namespace neuroprim {

namespace {

constexpr double no_subtree = std::numeric_limits<double>::infinity();

/// By one vertex, and by all together: each vertex more in a memory doubles its states.
constexpr std::size_t most_remembered = 5;
constexpr std::size_t most_entries = 2'000'000;  // (states, n)

}  // namespace

NgBranches::NgBranches(const PaddedTable& weights, Vertex root, const BranchLoads& loads)
    : weights_(weights),
      n_(loads.units.size()),
      root_(index(root)),
      loads_(loads),
      units_(static_cast<std::size_t>(loads.most) + 1),
      memory_(n_),
      total_(static_cast<std::size_t>(loads.total) + 1) {
    set_up();
}

void NgBranches::set_up() {
    first_.assign(1, 0);
    vertex_.clear();
    for (std::size_t v = 0; v < n_; ++v) {
        first_.push_back(first_.back() + (std::size_t{1} << memory_[v].size()));
        vertex_.resize(first_.back(), static_cast<Vertex>(v));
    }
    subtree_.resize(states() * units_);
    child_.resize((states() + 1) * units_);
    after_.resize(states() * n_);
    for (std::size_t state = 0; state < states(); ++state) {
        for (std::size_t v = 0; v < n_; ++v) after_[state * n_ + v] = static_cast<int>(state_after(state, v));
    }
}

/// One behind the last state if `v` is remembered, and must not come again.
std::size_t NgBranches::state_after(std::size_t state, std::size_t v) const {
    const Vertex u = vertex_[state];
    const std::size_t set = state - first_[index(u)];
    std::size_t after = first_[v];
    const auto take_over = [&](Vertex x) {
        const auto place = std::find(memory_[v].begin(), memory_[v].end(), x) - memory_[v].begin();
        if (place < std::ssize(memory_[v])) after += std::size_t{1} << place;
    };
    if (index(u) == v) return states();
    take_over(u);
    for (std::size_t k = 0; k < memory_[index(u)].size(); ++k) {
        if ((set >> k & 1) == 0) continue;
        const Vertex x = memory_[index(u)][k];
        if (index(x) == v) return states();
        take_over(x);
    }
    return after;
}

/// Of an edge with q units behind it, and of what hangs there.
double NgBranches::cost_below(std::size_t from, std::size_t state, std::size_t q,
                              const PaddedTable& discounts) const {
    const auto to = index(vertex_[state]);
    return (weights_[to][from] * loads_.price[q] - discounts[to][from]) + subtree_[state * units_ + q];
}

double NgBranches::solve(const PaddedTable& discounts, std::span<const double> reward) {
    looks_ = static_cast<std::int64_t>(subtree_.size() + child_.size());
    std::fill(subtree_.begin(), subtree_.end(), no_subtree);
    std::fill(child_.begin(), child_.end(), no_subtree);
    for (std::size_t v = 0; v < n_; ++v) {
        const bool fits = v != root_ && loads_.units[v] <= loads_.most;
        if (fits) subtree(first_[v])[loads_.units[v]] = -reward[v];
    }
    for (std::size_t q = 1; q < units_; ++q) {
        for (std::size_t v = 0; v < n_; ++v) drop_dominated(v, subtree(first_[v]) + q, units_);
        hang(q, discounts);
        add_children(q);
    }
    std::fill(total_.begin(), total_.end(), no_subtree);
    total_[0] = 0;
    for (std::size_t units = 1; units < total_.size(); ++units) {
        for (std::size_t q = 1; q < std::min(units + 1, units_); ++q) {
            total_[units] = std::min(total_[units], children(q)[first_[root_]] + total_[units - q]);
        }
    }
    find_edges(discounts);
    return total_.back();
}

/// Who remembers more at no lower cost is not needed: whatever suits it suits the other one.
void NgBranches::drop_dominated(std::size_t v, double* values, std::size_t stride) {
    const std::size_t count = sets(v);
    least_.resize(std::max(least_.size(), count));
    least_[0] = values[0];
    for (std::size_t set = 1; set < count; ++set) {
        double least = no_subtree;  // of its subsets
        for (std::size_t bits = set; bits != 0; bits &= bits - 1) {
            least = std::min(least, least_[set ^ (bits & ~(bits - 1))]);
        }
        double& value = values[set * stride];
        if (value >= least) value = no_subtree;
        least_[set] = std::min(value, least);
    }
}

/// Subtrees of q units hang from every vertex.
void NgBranches::hang(std::size_t q, const PaddedTable& discounts) {
    double* child = children(q);
    const double price = loads_.price[q];
    for (std::size_t state = 0; state < states(); ++state) {
        const double base = subtree(state)[q];
        if (base == no_subtree) continue;
        const auto u = index(vertex_[state]);
        const double* weights = weights_[u];
        const double* discount = discounts[u];
        const int* after = &after_[state * n_];
        for (std::size_t v = 0; v < n_; ++v) {
            const double cost = (weights[v] * price - discount[v]) + base;
            if (cost < child[after[v]]) child[after[v]] = cost;
        }
        looks_ += static_cast<std::int64_t>(n_);
    }
    child[states()] = no_subtree;
    for (std::size_t v = 0; v < n_; ++v) drop_dominated(v, child + first_[v], 1);
}

/// Every subtree may win a child of q units, or several: smaller children came before, larger ones come after.
void NgBranches::add_children(std::size_t q) {
    const double* child = children(q);
    for (std::size_t v = 0; v < n_; ++v) {
        for (std::size_t won = 0; won < sets(v) && v != root_; ++won) {
            const double cost = child[first_[v] + won];
            if (cost == no_subtree) continue;
            for (std::size_t had = 0; had < sets(v); ++had) {
                if ((had & won) != 0) continue;
                const double* from = subtree(first_[v] + had);
                double* to = subtree(first_[v] + (had | won)) + q;
                for (std::size_t k = 1; k + q < units_; ++k) to[k] = std::min(to[k], from[k] + cost);
                looks_ += static_cast<std::int64_t>(units_ - q);
            }
        }
    }
}

// The tables hold no choices: each is found again as the best one.
void NgBranches::find_edges(const PaddedTable& discounts) {
    struct Hanging {
        std::size_t state;  // of the parent, from what hangs here alone
        std::size_t units;
        int parent;  // visit
    };
    edges_.clear();
    visits_.clear();
    if (total_.back() == no_subtree) return;
    std::vector<Hanging> open;
    for (std::size_t units = total_.size() - 1; units > 0; units -= open.back().units) {
        std::size_t best = 1;
        const auto cost = [&](std::size_t q) { return children(q)[first_[root_]] + total_[units - q]; };
        for (std::size_t q = 2; q < std::min(units + 1, units_); ++q) best = cost(q) < cost(best) ? q : best;
        open.push_back({first_[root_], best, -1});
    }
    while (!open.empty()) {
        const auto [at, q, parent] = open.back();
        open.pop_back();
        const std::size_t state = find_child(at, q, discounts);
        const Vertex vertex = vertex_[state];
        const auto v = index(vertex);
        const int visit = static_cast<int>(visits_.size());
        visits_.push_back({vertex, parent, parent < 0 ? 0 : visits_[static_cast<std::size_t>(parent)].depth + 1});
        edges_.push_back({vertex_[at], vertex});
        std::size_t set = state - first_[v];
        for (std::size_t units = q; units > static_cast<std::size_t>(loads_.units[v]);) {
            double least = no_subtree;
            std::size_t won = 0;
            std::size_t behind = 0;
            for (std::size_t some = set;; some = (some - 1) & set) {
                const double* rest = subtree(first_[v] + (set & ~some));
                for (std::size_t k = 1; k < units; ++k) {
                    const double cost = rest[units - k] + children(k)[first_[v] + some];
                    if (!(cost < least)) continue;
                    least = cost;
                    won = some;
                    behind = k;
                }
                if (some == 0) break;
            }
            open.push_back({first_[v] + won, behind, visit});
            units -= behind;
            set &= ~won;
        }
    }
}

/// The subtree of q units that hangs best where its parent remembers what `state` says.
std::size_t NgBranches::find_child(std::size_t state, std::size_t q, const PaddedTable& discounts) {
    const auto parent = index(vertex_[state]);
    std::size_t best = states();
    double least = no_subtree;
    for (std::size_t below = 0; below < states(); ++below) {
        if (after_[below * n_ + parent] != static_cast<int>(state)) continue;
        const double cost = cost_below(parent, below, q, discounts);
        if (!(cost < least)) continue;
        least = cost;
        best = below;
    }
    looks_ += static_cast<std::int64_t>(states());
    return best;
}

bool NgBranches::learn() {
    std::vector<std::vector<int>> visits_of(n_);
    bool has_learned = false;
    for (int visit = 0; visit < static_cast<int>(visits_.size()); ++visit) {
        auto& others = visits_of[index(visits_[static_cast<std::size_t>(visit)].v)];
        for (const int other : others) has_learned = learn_pair(visit, other) || has_learned;
        others.push_back(visit);
    }
    if (has_learned) set_up();
    return has_learned;
}

bool NgBranches::remembers(Vertex v, Vertex x) const {
    return v == x || std::find(memory_[index(v)].begin(), memory_[index(v)].end(), x) != memory_[index(v)].end();
}

/// All vertices between two visits of a vertex have to remember it, up to where the ways from both meet.
bool NgBranches::learn_pair(int one, int other) {
    const auto at = [&](int visit) -> const Visit& { return visits_[static_cast<std::size_t>(visit)]; };
    const Vertex x = at(one).v;
    std::vector<Vertex> forgetful;
    std::size_t states_more = 0;
    while (one != other) {
        int& deeper = at(one).depth >= at(other).depth ? one : other;
        deeper = at(deeper).parent;
        if (deeper < 0) return false;  // they are in different branches
        const Vertex y = at(deeper).v;
        if (remembers(y, x) || std::find(forgetful.begin(), forgetful.end(), y) != forgetful.end()) continue;
        if (memory_[index(y)].size() >= most_remembered) return false;
        forgetful.push_back(y);
        states_more += std::size_t{1} << memory_[index(y)].size();
    }
    if ((states() + states_more) * n_ > most_entries) return false;
    for (const Vertex y : forgetful) memory_[index(y)].push_back(x);
    return !forgetful.empty();
}

}  // namespace neuroprim
