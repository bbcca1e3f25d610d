#include "search/paths/lin_kernighan.hpp"

#include <algorithm>

namespace neuroprim::paths {

namespace {

/// Exchanges that do not shorten the tour by themselves are tried only where no longer stretch has to be turned
/// around: most of them are taken back.
constexpr Vertex longest_trial = 1000;

/// Nor are those that do, where more than this has to be turned around: others nearby gain as much.
constexpr Vertex longest_flip = 50'000;

/// A perturbation stays within so many places of the tour.
constexpr Vertex perturbation_window = 50;

}  // namespace

LinKernighan::LinKernighan(const Lengths& lengths, const Neighbours& near, Tour tour, const Options& options)
    : lengths_(&lengths), near_(&near), options_(options), tour_(std::move(tour)), queue_(tour_.size()) {
    double longest = 0;
    Vertex v = lengths_->opening();
    do {
        if (options_.looks_at_all) queue_.push(v);
        longest = std::max(longest, lengths(v, tour_.next(v)));
        v = tour_.next(v);
    } while (v != lengths_->opening());
    least_gain_ = 1e-12 * longest;
}

bool LinKernighan::descend(const StopToken& stop) {
    const bool done = settle(stop);
    flips_.clear();
    return done;
}

bool LinKernighan::perturb(Random& random, const StopToken& stop) {
    const double before = gained_;
    shuffle_stretches(0, tour_.size(), random);
    return repair(before, stop);
}

bool LinKernighan::perturb_near(Vertex place, Random& random, const StopToken& stop) {
    constexpr Vertex spread = 100;
    const double before = gained_;
    shuffle_stretches(place, spread, random);
    return repair(before, stop);
}

/// Ends a perturbation: what is not at least as short as `before` is taken back.
bool LinKernighan::repair(double before, const StopToken& stop) {
    const bool done = settle(stop);
    if (!done || gained_ < before) {
        undo_flips(0);
        gained_ = before;
        queue_.clear();
    }
    flips_.clear();
    return done;
}

void LinKernighan::shake(Random& random, int places) {
    for (int k = 0; k < places; ++k) shuffle_stretches(0, tour_.size(), random);
    flips_.clear();
}

bool LinKernighan::settle(const StopToken& stop) {
    for (unsigned looked = 0; !queue_.empty(); ++looked) {
        if (looked % 4 == 3 && stop.expired()) return false;
        improve(queue_.pop());  // and queues its ends again when there was something to improve
    }
    return true;
}

/// Three stretches in a row change places: x A B C y becomes x C B A y, which no short chain of exchanges takes back.
/// x stands at one of `count` places from `place` on.
void LinKernighan::shuffle_stretches(Vertex place, Vertex count, Random& random) {
    const Lengths& length = *lengths_;
    const Vertex window = std::min(perturbation_window, tour_.size() - 2);
    std::array<Vertex, 3> cut;  // the last place of each stretch, counted from x
    do {
        for (Vertex& end : cut) end = 1 + static_cast<Vertex>(random.below(static_cast<std::uint64_t>(window)));
        std::sort(cut.begin(), cut.end());
    } while (cut[0] == cut[1] || cut[1] == cut[2]);
    const auto away = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(count)));
    const Vertex x = tour_.at((place + away) % tour_.size());
    std::array<Vertex, 3> first, last;
    Vertex v = x;
    for (std::size_t k = 0; k < 3; ++k) {
        first[k] = v = tour_.next(v);
        for (Vertex more = cut[k] - (k == 0 ? 0 : cut[k - 1]); more > 1; --more) v = tour_.next(v);
        last[k] = v;
    }
    const Vertex y = tour_.next(v);
    if (stays(x, first[0]) || stays(last[0], first[1]) || stays(last[1], first[2]) || stays(last[2], y)) return;
    gained_ += length(x, first[0]) + length(last[0], first[1]) + length(last[1], first[2]) + length(last[2], y) -
               length(x, first[2]) - length(last[2], first[1]) - length(last[1], first[0]) - length(last[0], y);
    flip(first[0], last[2]);
    for (std::size_t k = 0; k < 3; ++k) flip(last[k], first[k]);
    for (const Vertex end : {x, first[0], last[0], first[1], last[1], first[2], last[2], y}) queue_.push(end);
}

void LinKernighan::flip(Vertex a, Vertex b) {
    tour_.flip(a, b);
    flips_.push_back(backwards_ ? Flip{b, a} : Flip{a, b});
}

void LinKernighan::undo_flips(std::size_t kept) {
    for (; flips_.size() > kept; flips_.pop_back()) {
        const auto& [a, b] = flips_.back();
        backwards_ ? tour_.flip(a, b) : tour_.flip(b, a);
    }
}

void LinKernighan::improve(Vertex v) {
    if (v == lengths_->opening()) return;  // its edges cost nothing
    for (int side = 0; side < 2 && !chain_from(v); ++side) {
        tour_.mirror();
        backwards_ = !backwards_;
    }
}

/// A chain exchanges edges at t1 and at the ends that it leaves open, best exchange first, as long as what is removed
/// outweighs what is added; it ends with success as soon as closing the tour makes it shorter.
bool LinKernighan::chain_from(Vertex t1) {
    if (stays(t1, tour_.next(t1))) return false;
    const std::size_t flips_before = flips_.size();
    double gain = (*lengths_)(t1, tour_.next(t1));
    touched_.assign({t1});
    removed_.clear();
    for (std::size_t depth = 0; depth < options_.depth; ++depth) {
        removed_.push_back({t1, tour_.next(t1)});
        search_exchanges(t1, gain);
        const bool shorter = best_closed_.kind != Exchange::Kind::none;
        const Exchange& chosen = shorter ? best_closed_ : best_open_;
        if (chosen.kind == Exchange::Kind::none || (!shorter && depth + 1 == options_.depth)) break;
        carry_out(chosen);
        if (shorter) {
            gained_ += chosen.closed;
            for (const Vertex v : touched_) queue_.push(v);
            return true;
        }
        gain = chosen.open;
    }
    undo_flips(flips_before);
    return false;
}

bool LinKernighan::was_removed(Vertex a, Vertex b) const {
    return std::any_of(removed_.begin(), removed_.end(), [&](const Flip& edge) {
        return (edge.a == a && edge.b == b) || (edge.a == b && edge.b == a);
    });
}

/// The opening vertex's edges to `first` and `last` are no part of what may change.
bool LinKernighan::stays(Vertex a, Vertex b) const {
    const Vertex opening = lengths_->opening();
    if (a != opening && b != opening) return false;
    const Vertex other = a == opening ? b : a;
    return other == options_.first || other == options_.last;
}

bool LinKernighan::is_short(const Exchange& exchange, Vertex longest) const {
    if (tour_.size() <= 2 * longest) return true;
    const auto reach = [&](Vertex v) {
        const Vertex steps = tour_.steps(exchange.t[0], v);
        return std::min(steps, tour_.size() - steps);
    };
    return reach(exchange.t[1]) <= longest &&
           (exchange.kind == Exchange::Kind::two || reach(exchange.t[4]) <= longest);
}

void LinKernighan::consider(const Exchange& exchange) {
    if (exchange.closed > best_closed_.closed && is_short(exchange, longest_flip)) best_closed_ = exchange;
    if (exchange.open > best_open_.open && is_short(exchange, longest_trial)) best_open_ = exchange;
}

/// Without the edge from t1 to its successor t2 the tour is a path from t2 to t1. Joining t2 to some t3 and removing
/// the edge to the t4 before t3 leaves a path again, from t4; removing the one to the t4 behind it leaves a ring
/// t2 … t3, and a path from t4 that a third exchange has to join it to.
void LinKernighan::search_exchanges(Vertex t1, double gain) {
    const Lengths& length = *lengths_;
    const Vertex t2 = tour_.next(t1);
    best_closed_ = {};
    best_closed_.closed = least_gain_;
    best_open_ = {};
    best_open_.open = least_gain_;
    const auto join = [&](Vertex t3, double left) {
        if (t3 == t1 || t3 == tour_.next(t2) || was_removed(t2, t3)) return;
        const Vertex before = tour_.prev(t3);
        const double open = left + length(t3, before);
        Exchange two{Exchange::Kind::two, {t2, t3, before}, open, open - length(before, t1)};
        if (!stays(t3, before)) {
            consider(two);
            extend(t1, two, open, true);
        }
        const Vertex behind = tour_.next(t3);
        if (stays(t3, behind)) return;
        two.t[2] = behind;
        extend(t1, two, left + length(t3, behind), false);
    };
    if (t2 == lengths_->opening()) {
        // Everything is near to it; what helps is to open the tour beside a vertex that t1 would like to join.
        for (const Vertex c : near_->of(t1)) {
            if (c != t2) join(tour_.next(c), gain);
        }
        return;
    }
    join(lengths_->opening(), gain);
    for (const Vertex t3 : near_->of(t2)) {
        const double left = gain - length(t2, t3);
        if (left <= least_gain_) break;
        join(t3, left);
    }
}

/// The third edge: joins t4 to some t5 and removes the edge to t6 that leaves a path from t6 to t1.
void LinKernighan::extend(Vertex t1, Exchange exchange, double before, bool tour_is_whole) {
    const Lengths& length = *lengths_;
    const Vertex t2 = exchange.t[0];
    const Vertex t3 = exchange.t[1];
    const Vertex t4 = exchange.t[2];
    const Vertex ring_end = tour_.steps(t2, t3);  // t2 … t3, where the tour is in two parts
    const auto remove = [&](Exchange::Kind kind, Vertex t5, Vertex t6, double left) {
        if (stays(t5, t6)) return;
        exchange.kind = kind;
        exchange.t[3] = t5;
        exchange.t[4] = t6;
        exchange.open = left + length(t5, t6);
        exchange.closed = exchange.open - length(t6, t1);
        consider(exchange);
    };
    const auto join = [&](Vertex t5, double left) {
        const Vertex place = tour_.steps(t2, t5);
        if (tour_is_whole) {
            // t4 … t2 t3 … t1: the way from t2 to t4 has been turned around.
            const bool turned = place < ring_end;
            if (t5 == t3 || t5 == t4) return;
            if (turned && tour_.next(t5) == t4) return;
            remove(Exchange::Kind::three_in_turn, t5, turned ? tour_.next(t5) : tour_.prev(t5), left);
        } else if (place <= ring_end) {
            if (t5 != t3) remove(Exchange::Kind::swapped, t5, tour_.next(t5), left);
            if (t5 != t2) remove(Exchange::Kind::turned, t5, tour_.prev(t5), left);
        }
    };
    if (t4 == lengths_->opening()) {
        for (const Vertex c : near_->of(t1)) {
            if (c == t4) continue;
            join(tour_.next(c), before);
            join(tour_.prev(c), before);
        }
        return;
    }
    if (t3 != lengths_->opening() && t2 != lengths_->opening()) join(lengths_->opening(), before);
    for (const Vertex t5 : near_->of(t4)) {
        const double left = before - length(t4, t5);
        if (left <= least_gain_) break;
        join(t5, left);
    }
}

void LinKernighan::carry_out(const Exchange& exchange) {
    const auto [t2, t3, t4, t5, t6] = exchange.t;
    removed_.push_back({t3, t4});
    touched_.insert(touched_.end(), {t2, t3, t4});
    if (exchange.kind != Exchange::Kind::two) touched_.insert(touched_.end(), {t5, t6});
    switch (exchange.kind) {
        case Exchange::Kind::none:
            break;
        case Exchange::Kind::two:
            flip(t2, t4);
            break;
        case Exchange::Kind::three_in_turn:
            flip(t2, t4);
            flip(t4, t6);
            break;
        case Exchange::Kind::swapped:  // [t2 … t5] [t6 … t3] t4 becomes [t6 … t3] [t2 … t5] t4
            flip(t2, t5);
            flip(t6, t3);
            flip(t5, t6);
            break;
        case Exchange::Kind::turned:  // [t2 … t6] [t5 … t3] t4 becomes [t6 … t2] [t3 … t5] t4
            flip(t2, t6);
            flip(t5, t3);
            break;
    }
}

}  // namespace neuroprim::paths
