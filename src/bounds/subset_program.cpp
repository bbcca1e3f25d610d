#include "bounds/subset_program.hpp"

#include <algorithm>
#include <cmath>

namespace neuroprim {

namespace {

constexpr std::size_t most_states = 8'000'000;  // of both kinds together
constexpr std::size_t most_drafts = 8'000'000;

constexpr std::int32_t untouched = -1;  // no draft yet
constexpr std::int32_t end_of_list = -2;

double binomial(int n, int k) {
    double result = 1;
    for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return result;
}

/// The next larger number with as many bits (Gosper).
VertexSet next_of_size(VertexSet set) {
    const VertexSet low = set & (~set + 1);
    const VertexSet ripple = set + low;
    return ripple | (((set ^ ripple) >> 2) / low);
}

/// The set over all vertices, from one over all but `v`.
VertexSet around(VertexSet set, int v) {
    const VertexSet below = set_of(v) - 1;
    return (set & below) | ((set & ~below) << 1);
}

}  // namespace

SubsetProgram::SubsetProgram(SubsetRules rules)
    : rules_(std::move(rules)),
      trees_(static_cast<std::size_t>(rules_.size())),
      hangers_(trees_.size()),
      work_(work()) {
    for (auto* fronts : {&trees_, &hangers_}) {
        for (Fronts& of_vertex : *fronts) of_vertex.resize(trees_.size() + 1);
    }
}

bool SubsetProgram::advance(double cutoff, std::int64_t looks) {
    cutoff_ = std::min(cutoff_, cutoff);
    looks_ = looks;
    return work_.resume();
}

bool SubsetProgram::is_full() const {
    return states_.size() + hanging_.size() > most_states || drafts_.size() > most_drafts;
}

void SubsetProgram::draft(VertexSet set, const State& state) {
    const auto dominates = [](const State& a, const State& b) {
        return a.cost <= b.cost && a.reach <= b.reach && a.height <= b.height && a.children <= b.children;
    };
    std::int32_t* link = &head_[set];
    if (*link == untouched) drafted_[static_cast<std::size_t>(size_of(set))].push_back(set);
    while (*link >= 0) {
        Draft& known = drafts_[static_cast<std::size_t>(*link)];
        if (dominates(known.state, state)) return;
        if (dominates(state, known.state)) {
            *link = known.next;
        } else {
            link = &known.next;
        }
    }
    *link = static_cast<std::int32_t>(drafts_.size());
    drafts_.push_back({state, end_of_list});
}

SubsetProgram::Front SubsetProgram::flush_one(VertexSet set, std::vector<State>& states) const {
    const auto first = static_cast<std::int32_t>(states.size());
    for (std::int32_t at = head_[set]; at >= 0; at = drafts_[static_cast<std::size_t>(at)].next) {
        states.push_back(drafts_[static_cast<std::size_t>(at)].state);
    }
    return {set, first, static_cast<std::int32_t>(states.size()) - first};
}

void SubsetProgram::flush(int size, std::vector<State>& states, Fronts& fronts) {
    const auto of_size = static_cast<std::size_t>(size);
    for (const VertexSet set : drafted_[of_size]) {
        fronts[of_size].push_back(flush_one(set, states));
        head_[set] = untouched;
    }
    drafted_[of_size].clear();
    drafts_.clear();
}

/// Both fronts have disjoint sets. The set of a tree at the root is what is decided about, without the root: the
/// vertices that it holds, those that are left out and the others of their groups.
void SubsetProgram::join(int top, const Front& rest, const Front& hanging, bool at_root) {
    const VertexSet set = rest.set | (at_root ? rules_.with_groups(hanging.set) : hanging.set);
    if (!at_root && !rules_.allows(set)) return;
    const VertexSet below = set & ~set_of(top);
    const double least = rules_.cost_outside(below, top);
    const int most_children = rules_.most_children(top, at_root);
    const std::vector<State>& rests = at_root ? roots_ : states_;
    for (std::int32_t r = rest.first; r < rest.first + rest.count; ++r) {
        const State& base = rests[static_cast<std::size_t>(r)];
        if (base.children >= most_children) continue;
        for (std::int32_t h = hanging.first; h < hanging.first + hanging.count; ++h) {
            --looks_;
            const State& child = hanging_[static_cast<std::size_t>(h)];
            State joined = base;
            joined.cost += child.cost;
            if (!(joined.cost + least < cutoff_) || !rules_.allows_sum(base.height, child.height)) continue;
            joined.height = std::max(base.height, child.height);
            joined.reach = std::max(base.reach, child.reach);
            joined.children = static_cast<std::uint8_t>(base.children + (rules_.counts_children() ? 1 : 0));
            joined.rest = r;
            joined.last = child.last;
            draft(set, joined);
        }
    }
}

void SubsetProgram::hang(int from, const Front& front) {
    const int top = states_[static_cast<std::size_t>(front.first)].top;
    const double weight = rules_.weight(from, top);
    if (!std::isfinite(weight)) return;
    const auto crossing = rules_.crossing(front.set);
    if (crossing.count > 1) return;
    if (crossing.count == 1 && (crossing.inside != top || crossing.outside != from)) return;
    const double edge = weight * rules_.price(front.set);
    const double least = rules_.cost_outside(front.set, from);
    for (std::int32_t s = front.first; s < front.first + front.count; ++s) {
        State state = states_[static_cast<std::size_t>(s)];
        state.cost += edge;
        if (!(state.cost + least < cutoff_)) continue;
        if (rules_.counts_height()) ++state.height;
        if (rules_.counts_reach()) state.reach += weight;
        if (!rules_.allows_height(from, state.height, state.reach)) continue;
        state.children = 0;
        state.rest = -1;
        state.last = s;
        draft(front.set, state);
    }
}

/// Are there fewer pairs of states than pairs of sets?
bool SubsetProgram::prefers_pairs(int top, int size) const {
    double pairs = 0;
    for (int below = 1; below < size; ++below) {
        pairs +=
            static_cast<double>(hangers_[static_cast<std::size_t>(top)][static_cast<std::size_t>(below)].size()) *
            static_cast<double>(trees_[static_cast<std::size_t>(top)][static_cast<std::size_t>(size - below)].size());
    }
    const int others = rules_.size() - (rules_.is_rooted() ? 2 : 1);
    return pairs < binomial(others, size - 1) * std::ldexp(1.0, size - 2);
}

void SubsetProgram::scatter(int top, int size) {
    tree_at_.resize(rules_.sets(), untouched);
    hanger_at_.resize(rules_.sets(), untouched);
    const auto mark = [&](const Fronts& fronts, std::vector<std::int32_t>& at) {
        for (int of_size = 1; of_size < size; ++of_size) {
            const auto& list = fronts[static_cast<std::size_t>(of_size)];
            for (std::size_t k = 0; k < list.size(); ++k) at[list[k].set] = static_cast<std::int32_t>(k);
        }
    };
    mark(trees_[static_cast<std::size_t>(top)], tree_at_);
    mark(hangers_[static_cast<std::size_t>(top)], hanger_at_);
}

void SubsetProgram::gather(int top, int size) {
    const auto unmark = [&](const Fronts& fronts, std::vector<std::int32_t>& at) {
        for (int of_size = 1; of_size < size; ++of_size) {
            for (const Front& front : fronts[static_cast<std::size_t>(of_size)]) at[front.set] = untouched;
        }
    };
    unmark(trees_[static_cast<std::size_t>(top)], tree_at_);
    unmark(hangers_[static_cast<std::size_t>(top)], hanger_at_);
}

SlicedWork SubsetProgram::work() {
    const int n = rules_.size();
    const int tops = rules_.is_rooted() ? n - 1 : n;
    head_.assign(rules_.sets(), untouched);
    drafted_.resize(static_cast<std::size_t>(n) + 1);
    for (int size = 1; size <= rules_.most_below(); ++size) {
        for (int top = 0; top < tops; ++top) {
            Fronts& trees = trees_[static_cast<std::size_t>(top)];
            const Fronts& hangers = hangers_[static_cast<std::size_t>(top)];
            if (size == 1) {
                State alone;
                alone.top = static_cast<std::uint8_t>(top);
                if (rules_.allows(set_of(top)) && rules_.allows_height(top, 0, 0)) draft(set_of(top), alone);
            } else if (prefers_pairs(top, size)) {
                for (int below = 1; below < size; ++below) {
                    const auto& rests = trees[static_cast<std::size_t>(size - below)];
                    for (const Front& hanging : hangers[static_cast<std::size_t>(below)]) {
                        const int first = lowest(hanging.set);
                        looks_ -= std::ssize(rests) / 2 + 1;
                        for (const Front& rest : rests) {
                            if ((rest.set & hanging.set) != 0) continue;
                            if (first < lowest(rest.set & ~set_of(top))) join(top, rest, hanging, false);
                        }
                        if (is_full()) co_return;
                        if (looks_ <= 0) co_await std::suspend_always{};
                    }
                }
            } else {
                scatter(top, size);
                const VertexSet end = VertexSet{1} << (tops - 1);
                for (VertexSet below = (VertexSet{1} << (size - 1)) - 1; below < end; below = next_of_size(below)) {
                    const VertexSet children = around(below, top);
                    const VertexSet first = children & (~children + 1);
                    const VertexSet others = children & ~first;
                    looks_ -= std::int64_t{1} << (size - 2);
                    for (VertexSet part = others;; part = (part - 1) & others) {
                        const VertexSet hung = part | first;
                        const VertexSet kept = (children & ~hung) | set_of(top);
                        const std::int32_t h = hanger_at_[hung];
                        const std::int32_t t = h < 0 ? h : tree_at_[kept];
                        if (t >= 0) {
                            join(top, trees[static_cast<std::size_t>(size_of(kept))][static_cast<std::size_t>(t)],
                                 hangers[static_cast<std::size_t>(size_of(hung))][static_cast<std::size_t>(h)],
                                 false);
                        }
                        if (part == 0) break;
                    }
                    if (is_full()) co_return;
                    if (looks_ <= 0) co_await std::suspend_always{};
                }
                gather(top, size);
            }
            flush(size, states_, trees);
        }
        for (int from = 0; from < n; ++from) {
            for (int top = 0; top < tops; ++top) {
                for (const Front& front : trees_[static_cast<std::size_t>(top)][static_cast<std::size_t>(size)]) {
                    looks_ -= 2;
                    if (!holds(front.set, from)) hang(from, front);
                    if (looks_ <= 0) co_await std::suspend_always{};
                }
            }
            flush(size, hanging_, hangers_[static_cast<std::size_t>(from)]);
            if (is_full()) co_return;
        }
    }
    for (int root = rules_.is_rooted() ? n - 1 : 0; root < n; ++root) {
        std::vector<std::vector<Front>> by_lowest(static_cast<std::size_t>(n));
        for (const auto& of_size : hangers_[static_cast<std::size_t>(root)]) {
            for (const Front& front : of_size)
                by_lowest[static_cast<std::size_t>(lowest(front.set))].push_back(front);
        }
        roots_.clear();
        State alone;
        alone.top = static_cast<std::uint8_t>(root);
        const VertexSet others = rules_.all() & ~set_of(root);
        draft(rules_.with_groups(set_of(root)) & others, alone);
        for (int size = 0; size < n; ++size) {
            const auto of_size = static_cast<std::size_t>(size);
            for (std::size_t k = 0; k < drafted_[of_size].size(); ++k) {
                const Front front = flush_one(drafted_[of_size][k], roots_);
                const VertexSet open = others & ~front.set;
                if (open == 0) {
                    remember(root, front);
                    continue;
                }
                // The lowest vertex that is not decided about is in the next child, or not in the tree.
                const int next = lowest(open);
                if (rules_.may_skip(next, open)) skip(next, front, root);
                for (const Front& hanging : by_lowest[static_cast<std::size_t>(next)]) {
                    --looks_;
                    if ((hanging.set & front.set) == 0) join(root, front, hanging, true);
                    if (looks_ <= 0) co_await std::suspend_always{};
                }
                if (is_full()) co_return;
            }
        }
        for (auto& sets : drafted_) {
            for (const VertexSet set : sets) head_[set] = untouched;
            sets.clear();
        }
        drafts_.clear();
    }
    complete_ = true;
}

/// The states without a vertex, which costs its prize.
void SubsetProgram::skip(int vertex, const Front& front, int root) {
    const VertexSet set = front.set | set_of(vertex);
    const double least = rules_.cost_outside(set, root);
    for (std::int32_t s = front.first; s < front.first + front.count; ++s) {
        State state = roots_[static_cast<std::size_t>(s)];
        state.cost += rules_.prize(vertex);
        state.rest = s;
        state.last = -1;
        if (state.cost + least < cutoff_) draft(set, state);
    }
}

void SubsetProgram::remember(int root, const Front& front) {
    for (std::int32_t s = front.first; s < front.first + front.count; ++s) {
        const double cost = roots_[static_cast<std::size_t>(s)].cost;
        if (cost >= best_cost_ || cost >= cutoff_) continue;
        best_cost_ = cutoff_ = cost;
        std::vector<Edge> edges;
        for (std::int32_t at = s; at >= 0; at = roots_[static_cast<std::size_t>(at)].rest) {
            const State& state = roots_[static_cast<std::size_t>(at)];
            if (state.last < 0) continue;
            edges.push_back({rules_.vertex(root), rules_.vertex(states_[static_cast<std::size_t>(state.last)].top)});
            add_edges(state.last, edges);
        }
        best_tree_ =
            grown_from({rules_.vertex(root), edges}, rules_.vertex(root), static_cast<Vertex>(rules_.size()));
    }
}

/// Those inside the subtree.
void SubsetProgram::add_edges(std::int32_t state, std::vector<Edge>& edges) const {
    const State& subtree = states_[static_cast<std::size_t>(state)];
    if (subtree.rest < 0) return;
    add_edges(subtree.rest, edges);
    edges.push_back({rules_.vertex(subtree.top), rules_.vertex(states_[static_cast<std::size_t>(subtree.last)].top)});
    add_edges(subtree.last, edges);
}

}  // namespace neuroprim
