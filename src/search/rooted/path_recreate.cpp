#include "search/rooted/path_recreate.hpp"

#include <algorithm>

#include "graph/shuffle.hpp"
#include "problems/required.hpp"

namespace neuroprim::rooted {

namespace {

/// Vertices that are looked at for each one chosen: terminals may be far apart.
constexpr std::size_t seen_per_chosen = 24;
/// Of a subtree that leaves the tree as a whole, in parts of the ruin's size.
constexpr std::size_t dismantled_per_size = 4;

}  // namespace

PathRecreate::PathRecreate(const Problem& problem, const Neighbours& near, ResourceTree& tree)
    : problem_(&problem),
      spec_(&problem.spec()),
      near_(&near),
      tree_(&tree),
      insertion_(problem, near, tree),
      has_prizes_(!problem.spec().prizes.empty()),
      mark_(index(problem.size()), 0) {}

/// Each step has a taste of its own, so that no two rebuildings are alike.
void PathRecreate::begin(Random& random) {
    chosen_.clear();
    around_.clear();
    floating_.clear();
    touched_.clear();
    left_out_.clear();
    taste_ = {};
    if (random.below(4) != 0) taste_.noise = 0.4 * random.uniform() * random.uniform();
    if (insertion_.hops_matter() && random.below(2) == 0) {
        taste_.hop_price = insertion_.mean_weight() * random.uniform() * (random.below(4) == 0 ? 20 : 1);
    }
}

bool PathRecreate::step(Vertex seed, std::size_t size, Random& random) {
    begin(random);
    choose_around(seed, size, random);
    ruin(seed, size, random);
    // A vertex that nothing needs is offered to those that come back.
    if (!tree_->inside(seed) && random.below(2) == 0) insert_as_wished(seed, random);
    rehang(random);
    if (!floating_.empty()) return false;
    if (has_prizes_) take_paying(random);
    for (const Vertex v : touched_) prune(v);
    return true;
}

bool PathRecreate::insert(Vertex v, Random& random) {
    begin(random);
    return insert_as_wished(v, random);
}

bool PathRecreate::insert_as_wished(Vertex v, Random& random) {
    if (tree_->inside(v)) return true;
    tree_->take_in(v);
    if (insertion_.join(v, taste_, random)) {
        touched_.push_back(v);
        note_insertion();
        return true;
    }
    tree_->leave_out(v);
    return false;
}

bool PathRecreate::force(Vertex v, Random& random) {
    begin(random);
    taste_.ejection_price = insertion_.mean_weight() * (1 + 10 * random.uniform());
    taste_.most_settled = index(problem_->size());
    if (!insert_as_wished(v, random)) return false;
    floating_.assign(insertion_.ejected().begin(), insertion_.ejected().end());
    taste_.ejection_price = Weights::infinity;
    trim();
    bring_back(random);
    return true;
}

bool PathRecreate::make_way(Vertex v, std::size_t size, Random& random) {
    begin(random);
    taste_.most_settled = index(problem_->size());
    choose_around(v, size, random);
    ruin(v, size, random);
    if (!insert_as_wished(v, random)) return false;
    bring_back(random);
    return true;
}

/// What floats comes back: as it is, otherwise piece by piece, otherwise not at all.
void PathRecreate::bring_back(Random& random) {
    rehang(random);
    for (const Vertex top : floating_) dismantle(top);
    std::erase_if(left_out_, [&](Vertex v) { return insert_as_wished(v, random); });
    for (const Vertex v : touched_) prune(v);
}

bool PathRecreate::is_key(Vertex v) const {
    return !is_expendable(*problem_, v) || tree_->degree(v) > 2 || spec_->prize(v) > 0;
}

/// Terminals, vertices with prizes and branching vertices near the seed, by a search through the graph whose order is
/// a little random.
void PathRecreate::choose_around(Vertex seed, std::size_t size, Random& random) {
    around_.assign(1, seed);
    mark_[index(seed)] = 1;
    const std::size_t most_seen = seen_per_chosen * size + 8;
    for (std::size_t k = 0; k < around_.size() && chosen_.size() < size; ++k) {
        std::swap(around_[k], around_[k + random.below(std::min<std::size_t>(4, around_.size() - k))]);
        const Vertex v = around_[k];
        if (tree_->inside(v) && v != tree_->root() && (k == 0 || is_key(v))) chosen_.push_back(v);
        for (const Vertex u : near_->of(v)) {
            if (mark_[index(u)] || around_.size() >= most_seen) continue;
            mark_[index(u)] = 1;
            around_.push_back(u);
        }
    }
    for (const Vertex v : around_) mark_[index(v)] = 0;
}

void PathRecreate::ruin(Vertex seed, std::size_t size, Random& random) {
    const Vertex top = random.below(4) == 0 ? top_of_small_subtree(seed, dismantled_per_size * size) : no_vertex;
    if (top != no_vertex) {
        touched_.push_back(tree_->parent(top));
        tree_->detach(top);
        dismantle(top);
        for (const Vertex v : left_out_) {
            tree_->take_in(v);
            floating_.push_back(v);
        }
        left_out_.clear();
    } else {
        for (const Vertex v : chosen_) isolate(v, random);
    }
    for (const Vertex v : touched_) prune(v);
    trim();
}

/// Of the largest subtree with `v` in it that has no more than `size` vertices and can be cut off; none without one.
Vertex PathRecreate::top_of_small_subtree(Vertex v, std::size_t size) {
    if (!tree_->inside(v)) return no_vertex;
    Vertex top = no_vertex;
    for (; tree_->may_detach(v); v = tree_->parent(v)) {
        subtree_.assign(1, v);
        for (std::size_t k = 0; k < subtree_.size() && subtree_.size() <= size; ++k) {
            for (Vertex x = tree_->first_child(subtree_[k]); x != no_vertex; x = tree_->next_sibling(x)) {
                subtree_.push_back(x);
            }
        }
        if (subtree_.size() > size) break;
        top = v;
    }
    return top;
}

/// Takes a floating subtree apart; what must be in the tree is noted as left out.
void PathRecreate::dismantle(Vertex top) {
    subtree_.assign(1, top);
    for (std::size_t k = 0; k < subtree_.size(); ++k) {
        for (Vertex v = tree_->first_child(subtree_[k]); v != no_vertex; v = tree_->next_sibling(v)) {
            subtree_.push_back(v);
        }
    }
    for (auto v = subtree_.rbegin(); v != subtree_.rend(); ++v) {
        if (*v != top) tree_->detach(*v);
        tree_->leave_out(*v);
        if (!is_expendable(*problem_, *v)) left_out_.push_back(*v);
    }
}

/// Cuts the edge above `v` and, mostly, those to its children.
void PathRecreate::isolate(Vertex v, Random& random) {
    if (random.below(4) != 0) {
        for (Vertex child = tree_->first_child(v); child != no_vertex;) {
            const Vertex next = tree_->next_sibling(child);
            if (tree_->may_detach(child)) cut(child);
            child = next;
        }
    }
    if (tree_->may_detach(v)) cut(v);
}

void PathRecreate::cut(Vertex v) {
    touched_.push_back(tree_->parent(v));
    tree_->detach(v);
    floating_.push_back(v);
}

/// Cuts off what need not be in and does not pay, from a leaf upwards.
void PathRecreate::prune(Vertex v) {
    while (tree_->inside(v) && v != tree_->root() && tree_->children(v) == 0 && is_expendable(*problem_, v) &&
           tree_->may_detach(v) && tree_->price_above(v) >= spec_->prize(v)) {
        const Vertex u = tree_->parent(v);
        tree_->detach(v);
        tree_->leave_out(v);
        v = u;
    }
}

/// Tops of floating subtrees that need not be in leave, till one that does or that branches is the top.
void PathRecreate::trim() {
    std::size_t kept = 0;
    for (Vertex top : floating_) {
        bool gone = false;
        while (is_expendable(*problem_, top) && tree_->children(top) < 2 && top != tree_->root()) {
            const Vertex child = tree_->first_child(top);
            if (child != no_vertex && (!tree_->may_detach(child) || tree_->weight_above(child) < spec_->prize(top))) {
                break;
            }
            if (child != no_vertex) tree_->detach(child);
            tree_->leave_out(top);
            gone = child == no_vertex;
            if (gone) break;
            top = child;
        }
        if (!gone) floating_[kept++] = top;
    }
    floating_.resize(kept);
}

/// In random order, again and again while one of them finds a way: it may be a way for others.
void PathRecreate::rehang(Random& random) {
    shuffle(floating_, random);
    for (bool joined = true; joined && !floating_.empty();) {
        joined = false;
        std::erase_if(floating_, [&](Vertex top) {
            if (!insertion_.join(top, taste_, random)) return false;
            note_insertion();
            return joined = true;
        });
    }
}

void PathRecreate::note_insertion() {
    touched_.insert(touched_.end(), insertion_.taken_in().begin(), insertion_.taken_in().end());
    touched_.insert(touched_.end(), insertion_.bereft().begin(), insertion_.bereft().end());
}

/// Vertices around whose prizes pay for the way.
void PathRecreate::take_paying(Random& random) {
    for (const Vertex v : around_) {
        if (tree_->inside(v) || spec_->prize(v) == 0) continue;
        taste_.dearest = spec_->prize(v);
        insert_as_wished(v, random);
    }
    taste_.dearest = Weights::infinity;
}

}  // namespace neuroprim::rooted
