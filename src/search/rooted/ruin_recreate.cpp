#include "search/rooted/ruin_recreate.hpp"

#include <algorithm>
#include <utility>

#include "problems/centred_hops.hpp"
#include "problems/required.hpp"

namespace neuroprim::rooted {

namespace {

/// A vertex with more children than this leaves the tree with its subtree only.
constexpr int most_freed_children = 24;
/// How far up from a near vertex its ancestors are looked at as parents, and from how many near ones.
constexpr int ancestors = 6;
constexpr std::size_t near_with_ancestors = 3;
/// The share of options that are passed over, so that no two rebuildings are alike.
constexpr double passed_over = 0.02;
/// What is added to the price of an option at random, at most, in parts of its edge's weight: equal ones take turns.
constexpr double noise = 0.05;
/// Below this many vertices a subtree without any place tries all of them.
constexpr Vertex few_vertices = 3000;

constexpr auto later = [](const auto& a, const auto& b) {
    if (a.key != b.key) return a.key > b.key;
    return a.v != b.v ? a.v > b.v : a.u > b.u;
};

}  // namespace

RuinRecreate::RuinRecreate(const Problem& problem, const Neighbours& near, ResourceTree& tree)
    : problem_(&problem),
      spec_(&problem.spec()),
      near_(&near),
      tree_(&tree),
      members_(static_cast<std::size_t>(problem.spec().group_count())),
      option_(index(problem.size())),
      first_waiting_(index(problem.size()), -1),
      waits_(index(problem.size()), 0),
      mark_(index(problem.size()), 0),
      known_place_(index(problem.size())),
      looked_at_(index(problem.size()), 0) {
    // The cost of a route falls where most of the mass hangs below an edge.
    priced_from_below_ = spec_->objective != Objective::routing_cost;
    near_weight_.reserve(near.all().size());
    for (Vertex v = 0; v < problem.size(); ++v) {
        for (const Vertex u : near.of(v)) near_weight_.push_back(problem.weights()(u, v));
    }
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (spec_->group(v) >= 0) members_[static_cast<std::size_t>(spec_->group(v))].push_back(v);
        has_expendable_ = has_expendable_ || is_expendable(*problem_, v);
    }
}

void RuinRecreate::begin() {
    floating_.clear();
    outside_.clear();
    open_groups_.clear();
    touched_.clear();
    from_root_ = by_depth_ = by_length_ = 0;
    offered_ = no_vertex;
    forget_places();
}

bool RuinRecreate::step(Vertex seed, std::size_t size, Random& random) {
    begin();
    const bool limits_load = spec_->has(Limit::capacity);
    if (limits_load && random.below(2) == 0) from_root_ = random.uniform();
    if ((spec_->hops || spec_->diameter) && random.below(2) == 0) by_depth_ = random.uniform();
    if (spec_->length && random.below(2) == 0) by_length_ = random.uniform();
    if (limits_load && random.below(4) == 0) {
        // As few vertices as two or three small branches have, or more.
        ruin_branches(seed, random.below(2) == 0 ? 8 + random.below(20) : 4 * size, random);
    } else {
        ruin(seed, size, random);
    }
    return finish(random);
}

bool RuinRecreate::finish(Random& random) {
    settle_singles();
    const bool whole = recreate(random);
    for (const Vertex v : floating_) waits_[index(v)] = 0;
    for (const Vertex v : outside_) waits_[index(v)] = 0;
    if (whole && has_expendable_) {
        for (const Vertex v : touched_) prune(v);
    }
    return whole;
}

bool RuinRecreate::promote(Vertex hub, Random& random) {
    begin();
    if (!tree_->inside(hub) || !tree_->may_detach(hub)) return false;
    const auto near = near_->of(hub);
    const int depth = tree_->place(hub).hops;
    if (depth < 1 || near.empty()) return false;
    const int hops = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(depth)));

    // The vertex whose place it takes: at that many hops, above it or above a near vertex.
    Vertex old = random.below(2) == 0 ? hub : near[random.below(near.size())];
    if (!tree_->inside(old)) return false;
    for (int k = tree_->place(old).hops; k > hops; old = tree_->parent(old)) k -= tree_->hop(old);

    cut_children(hub);
    touched_.push_back(tree_->parent(hub));
    tree_->detach(hub);
    Vertex above = tree_->root();
    if (old != hub && tree_->may_detach(old)) {
        above = tree_->parent(old);
        if (random.below(2) == 0) {
            cut_children(old);
            cut(old);
        }
    }
    forget_places();
    const Option option = cheapest_place(hub, above, hops - 1, false);
    if (option.u == no_vertex) return false;
    tree_->attach(option.u, hub);
    offered_ = hub;
    for (const Vertex v : near) {
        if (!tree_->inside(v) || !tree_->may_detach(v) || tree_->place(v).top != tree_->root()) continue;
        bool is_above = false;
        for (Vertex x = hub; x != no_vertex && !is_above; x = tree_->parent(x)) is_above = x == v;
        if (!is_above && problem_->weights()(hub, v) < tree_->weight_above(v)) cut(v);
    }
    return finish(random);
}

bool RuinRecreate::move_centre(Vertex centre, Vertex twin, Random& random) {
    begin();
    tree_->change_root(centre);
    if (twin != no_vertex) {
        if (!tree_->may_detach(twin)) return false;
        tree_->change_twin(twin);
    }
    const auto& degrees = spec_->degrees;
    if (!degrees.empty() && tree_->degree(centre) > degrees[index(centre)]) return false;
    chosen_.assign(1, centre);
    std::vector<int> depth = {0};
    const int most_hops = *spec_->diameter / 2;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
        for (Vertex v = tree_->first_child(chosen_[k]); v != no_vertex;) {
            const Vertex next = tree_->next_sibling(v);
            const int hops = depth[k] + (v == tree_->twin() ? 0 : 1);
            const int chain = v == spec_->root ? chain_at_root(*spec_) : 0;
            if (hops + chain <= most_hops) {
                chosen_.push_back(v);
                depth.push_back(hops);
            } else if (tree_->may_detach(v)) {
                cut(v);
            } else {
                return false;
            }
            v = next;
        }
    }
    return finish(random);
}

/// Vertices near each other: the seed, then near ones of those that are chosen already.
void RuinRecreate::ruin(Vertex seed, std::size_t size, Random& random) {
    chosen_.assign(1, seed);
    mark_[index(seed)] = 1;
    for (std::size_t tries = 0; chosen_.size() < size && tries < 4 * size; ++tries) {
        const auto near = near_->of(chosen_[random.below(chosen_.size())]);
        if (near.empty()) continue;
        const Vertex v = near[random.below(near.size())];
        if (mark_[index(v)]) continue;
        mark_[index(v)] = 1;
        chosen_.push_back(v);
    }
    for (const Vertex v : chosen_) {
        mark_[index(v)] = 0;
        if (tree_->inside(v)) {
            isolate(v, random);
        } else if (is_expendable(*problem_, v)) {
            outside_.push_back(v);
        }
    }
}

/// The branch of the seed and branches near it, as long as they hold no more than `size` vertices together.
void RuinRecreate::ruin_branches(Vertex seed, std::size_t size, Random& random) {
    chosen_.clear();
    Vertex at = seed;
    for (int tries = 0; tries < 4; ++tries) {
        if (tree_->inside(at) && at != tree_->root()) {
            const Vertex branch = tree_->place(at).branch;
            const std::size_t before = chosen_.size();
            if (branch != no_vertex && !mark_[index(branch)]) {
                chosen_.push_back(branch);
                for (std::size_t k = before; k < chosen_.size() && chosen_.size() <= size; ++k) {
                    for (Vertex v = tree_->first_child(chosen_[k]); v != no_vertex; v = tree_->next_sibling(v)) {
                        chosen_.push_back(v);
                    }
                }
                if (chosen_.size() > size) {
                    chosen_.resize(before);
                } else {
                    mark_[index(branch)] = 1;
                }
            }
        }
        const auto near = near_->of(at);
        if (near.empty()) break;
        at = near[random.below(near.size())];
    }
    for (const Vertex v : chosen_) mark_[index(v)] = 0;
    if (chosen_.empty()) return ruin(seed, size / 4, random);
    for (const Vertex v : chosen_) isolate(v, random);
}

void RuinRecreate::cut_children(Vertex v) {
    for (Vertex child = tree_->first_child(v); child != no_vertex;) {
        const Vertex next = tree_->next_sibling(child);
        if (tree_->may_detach(child)) cut(child);
        child = next;
    }
}

/// Cuts the edges at `v`: above it and mostly, unless they are many, to its children.
void RuinRecreate::isolate(Vertex v, Random& random) {
    const int most_freed = v == tree_->root() ? 2 : most_freed_children;
    if (tree_->children(v) <= most_freed && random.below(4) != 0) cut_children(v);
    if (tree_->may_detach(v)) cut(v);
}

void RuinRecreate::cut(Vertex v) {
    touched_.push_back(tree_->parent(v));
    tree_->detach(v);
    floating_.push_back(v);
}

/// Single vertices that need not come back are outside now, as are members of groups, of which another one may come.
void RuinRecreate::settle_singles() {
    std::erase_if(floating_, [&](Vertex v) {
        if (tree_->children(v) > 0) return false;
        const int group = spec_->coverage == Coverage::groups && !problem_->required(v) ? spec_->group(v) : -1;
        if (group < 0 && !is_expendable(*problem_, v)) return false;
        tree_->leave_out(v);
        if (group >= 0) {
            open_groups_.push_back(group);
        } else {
            outside_.push_back(v);
        }
        return true;
    });
    for (const int group : open_groups_) {
        const auto& members = members_[static_cast<std::size_t>(group)];
        outside_.insert(outside_.end(), members.begin(), members.end());
    }
    for (const Vertex v : floating_) waits_[index(v)] = 1;
    for (const Vertex v : outside_) waits_[index(v)] = 1;
}

bool RuinRecreate::recreate(Random& random) {
    heap_.clear();
    waiting_.clear();
    forget_places();
    for (const Vertex v : floating_) find_option(v, random);
    for (const Vertex v : outside_) find_option(v, random);
    std::size_t left = floating_.size() + open_groups_.size();
    const auto run = [&] {
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end(), later);
            const auto [key, u, v] = heap_.back();
            heap_.pop_back();
            if (!is_waiting(v) || option_[index(v)].u != u) continue;  // it has found a better one
            const bool was_floating = tree_->inside(v);
            const int group = was_floating || spec_->coverage != Coverage::groups ? -1 : spec_->group(v);
            if (group >= 0 && tree_->is_group_inside(group)) continue;
            if (!take(v, option_[index(v)])) {
                find_option(v, random);
                continue;
            }
            if (was_floating || group >= 0) --left;
            wake(v, random);
        }
    };
    run();
    // Limits that were used up elsewhere, or options passed over, may leave some without a place.
    while (left > 0) {
        const auto waiting =
            std::find_if(floating_.begin(), floating_.end(), [&](Vertex v) { return is_waiting(v); });
        if (waiting == floating_.end()) break;
        const Option option =
            cheapest_place(*waiting, tree_->root(), problem_->size(), problem_->size() <= few_vertices);
        if (option.u == no_vertex || !take(*waiting, option)) break;
        --left;
        wake(*waiting, random);
        run();
    }
    for (const Vertex v : floating_) first_waiting_[index(v)] = -1;
    for (const Vertex v : outside_) first_waiting_[index(v)] = -1;
    return left == 0;
}

/// The best place for `v` among near vertices, those above the nearest ones, and the root. Lists are sorted: what is
/// dearer by its weight alone than what was found is not looked at.
void RuinRecreate::find_option(Vertex v, Random& random) {
    option_[index(v)] = {};
    looked_at_[index(v)] = ++looks_;
    const auto near = near_->of(v);
    const double* weight = near_weight_.data() + (near.data() - near_->all().data());
    for (std::size_t k = 0; k < near.size(); ++k) {
        if (is_too_dear(v, weight[k], option_[index(v)])) break;
        if (std::exchange(looked_at_[index(near[k])], looks_) != looks_) consider(near[k], v, weight[k], random);
    }
    const auto look_at = [&](Vertex u) {
        if (std::exchange(looked_at_[index(u)], looks_) != looks_) {
            consider(u, v, problem_->weights()(u, v), random);
        }
    };
    look_at(tree_->root());
    if (offered_ != no_vertex) look_at(offered_);
    for (std::size_t k = 0; k < near.size() && k < near_with_ancestors; ++k) {
        if (!tree_->inside(near[k])) continue;
        Vertex above = tree_->parent(near[k]);
        for (int up = 0; up < ancestors && above != no_vertex; ++up, above = tree_->parent(above)) look_at(above);
    }
}

/// Would an edge of this weight cost more than the best option?
bool RuinRecreate::is_too_dear(Vertex v, double weight, const Option& best) const {
    return priced_from_below_ && weight * tree_->unit_price(tree_->load_of(v)) >= best.key;
}

void RuinRecreate::consider(Vertex u, Vertex v, double weight, Random& random) {
    if (is_too_dear(v, weight, option_[index(v)]) || random.uniform() < passed_over) return;
    if (!tree_->inside(u)) {
        // It may come in: then it is a top of its own.
        if (is_waiting(u)) await(u, u, v, weight);
        return;
    }
    const Place at = place(u);
    if (at.top == tree_->root()) {
        offer(u, v, weight, at, random);
    } else if (at.top != v) {
        await(at.top, u, v, weight);
    }
}

/// Where `u` stands. Nothing moves below the root while subtrees come back, so what is known stays true, unless it
/// matters how far others are.
Place RuinRecreate::place(Vertex u) {
    way_up_.clear();
    while (known_place_[index(u)].stamp != stamp_ && tree_->parent(u) != no_vertex) {
        way_up_.push_back(u);
        u = tree_->parent(u);
    }
    Place at{.top = u};
    if (known_place_[index(u)].stamp == stamp_) at = known_place_[index(u)].place;
    const bool hangs = at.top == tree_->root();
    for (auto x = way_up_.rbegin(); x != way_up_.rend(); ++x) {
        tree_->descend(at, *x);
        if (hangs) known_place_[index(*x)] = {stamp_, at};
    }
    return at;
}

/// `v` may hang from `u` once the subtree of `top`, which holds it, hangs below the root.
void RuinRecreate::await(Vertex top, Vertex u, Vertex v, double weight) {
    waiting_.push_back({u, v, weight, first_waiting_[index(top)]});
    first_waiting_[index(top)] = static_cast<int>(waiting_.size()) - 1;
}

/// Keeps the option if it is the best of `v`.
void RuinRecreate::offer(Vertex u, Vertex v, double weight, const Place& place, Random& random) {
    if (weight == Weights::infinity) return;
    if (!tree_->inside(v) && is_expendable(*problem_, v) && spec_->prize(v) == 0 && random.below(4) != 0) return;
    if (!tree_->fits(place, u, v, weight)) return;
    double key = tree_->price(u, v, weight);
    if (by_depth_ > 0) key += by_depth_ * place.hops * tree_->weight_above(u);
    key += by_length_ * place.length;
    key += noise * random.uniform() * weight;
    Option& best = option_[index(v)];
    if (key >= best.key) return;
    best = {key, u, place};
    heap_.push_back({key - head_start(v), u, v});
    std::push_heap(heap_.begin(), heap_.end(), later);
}

/// By how much the options of `v` are taken before those of others.
double RuinRecreate::head_start(Vertex v) const {
    double result = tree_->inside(v) ? 0 : spec_->prize(v);
    if (from_root_ > 0) {
        const double alone = problem_->weights()(tree_->root(), v);
        if (alone < Weights::infinity) result += from_root_ * alone;
    }
    return result;
}

bool RuinRecreate::take(Vertex v, const Option& option) {
    const bool outside = !tree_->inside(v);
    if (outside) {
        tree_->take_in(v);
        touched_.push_back(v);
    }
    if (!tree_->fits(tree_->asks_how_far() ? place(option.u) : option.place, option.u, v)) {
        if (outside) tree_->leave_out(v);
        return false;
    }
    tree_->attach(option.u, v);
    if (tree_->asks_how_far()) forget_places();
    waits_[index(v)] = 0;
    return true;
}

/// The subtree of `top` hangs below the root now: its vertices are places for others.
void RuinRecreate::wake(Vertex top, Random& random) {
    int entry = first_waiting_[index(top)];
    first_waiting_[index(top)] = -1;
    for (; entry >= 0; entry = waiting_[static_cast<std::size_t>(entry)].next) {
        const auto [u, v, weight, next] = waiting_[static_cast<std::size_t>(entry)];
        if (is_waiting(v) && !is_too_dear(v, weight, option_[index(v)])) offer(u, v, weight, place(u), random);
    }
}

/// For the floating subtree of `v`: `also`, near vertices and those above them, or, if none will do, any.
RuinRecreate::Option RuinRecreate::cheapest_place(Vertex v, Vertex also, int most_hops, bool everywhere) {
    Option best;
    ++looks_;
    const auto look_at = [&](Vertex u) {
        if (std::exchange(looked_at_[index(u)], looks_) == looks_ || !tree_->inside(u) || u == v) return;
        const double weight = problem_->weights()(u, v);
        if (weight == Weights::infinity || is_too_dear(v, weight, best)) return;
        const Place at = place(u);
        if (at.top != tree_->root() || at.hops > most_hops || !tree_->fits(at, u, v, weight)) return;
        if (const double price = tree_->price(u, v, weight); price < best.key) best = {price, u, at};
    };
    look_at(tree_->root());
    look_at(also);
    for (const Vertex near : near_->of(v)) {
        Vertex u = tree_->inside(near) ? near : no_vertex;
        for (int k = 0; k <= ancestors && u != no_vertex; ++k, u = tree_->parent(u)) look_at(u);
    }
    if (everywhere && best.u == no_vertex) {
        for (Vertex u = 0; u < problem_->size(); ++u) look_at(u);
    }
    return best;
}

/// Cuts off what need not be in and does not pay, from a leaf upwards.
void RuinRecreate::prune(Vertex v) {
    while (tree_->inside(v) && v != tree_->root() && tree_->children(v) == 0 && is_expendable(*problem_, v) &&
           tree_->may_detach(v) && tree_->price_above(v) >= spec_->prize(v)) {
        const Vertex u = tree_->parent(v);
        tree_->detach(v);
        tree_->leave_out(v);
        v = u;
    }
}

}  // namespace neuroprim::rooted
