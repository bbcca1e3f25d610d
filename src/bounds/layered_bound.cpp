#include "bounds/layered_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "bounds/layered_ascent.hpp"
#include "bounds/layered_graph.hpp"
#include "bounds/whole_weights.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

using Window = LayeredGraph::Window;

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Looks at an arc that take some ten milliseconds: a slice must not depend on the clock.
constexpr std::int64_t layered_looks_per_slice = 8'000'000;

constexpr std::int64_t most_layered_arcs = 4'000'000;
constexpr std::size_t most_open_windows = 20'000'000;  // of all open nodes together, four bytes each

/// All trees with one centre.
struct Centred {
    LayerRule rule;
    double weight = 0;                                    // of the edge inside the centre
    std::unique_ptr<const LayeredGraph> graph = nullptr;  // without what cannot be better than the best tree known
};

/// What every tree holds or pays for.
std::vector<LayerGoal> goals_of(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    std::vector<LayerGoal> goals;
    std::vector<LayerGoal> groups(
        static_cast<std::size_t>(spec.coverage == Coverage::groups ? spec.group_count() : 0));
    std::vector<bool> is_served(groups.size(), false);
    for (Vertex v = 0; v < problem.size(); ++v) {
        const bool is_in_group = !groups.empty() && spec.group(v) >= 0;
        if (problem.required(v)) {
            goals.push_back({{v}});
            if (is_in_group) is_served[static_cast<std::size_t>(spec.group(v))] = true;
        } else if (is_in_group) {
            groups[static_cast<std::size_t>(spec.group(v))].vertices.push_back(v);
        } else if (spec.prize(v) > 0) {
            goals.push_back({{v}, spec.prize(v)});
        }
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (!is_served[g] && !groups[g].vertices.empty()) goals.push_back(std::move(groups[g]));
    }
    return goals;
}

class LayeredBound final : public BoundProcess {
public:
    /// `splits_centres`: a centre of one vertex stands for all edges to vertices of higher numbers, with one more
    /// layer than they have.
    LayeredBound(const Problem& problem, std::vector<LayerRule> rules, bool splits_centres)
        : problem_(problem), splits_centres_(splits_centres), goals_(goals_of(problem)) {
        const auto is_whole = [](double x) { return x == std::floor(x); };
        is_whole_ = has_whole_weights(problem.weights()) && std::ranges::all_of(problem.spec().prizes, is_whole);
        if (problem.spec().coverage == Coverage::groups) groups_ = problem.spec().groups;
        has_tree_at_leaves_ = problem.spec().coverage == Coverage::all;
        for (LayerRule& rule : rules) add_centre({std::move(rule)}, 0);
    }

    bool advance(double upper, const StopToken& stop) override {
        upper_ = std::min(upper_, upper);
        std::int64_t looks = layered_looks_per_slice;
        while (!finished_ && looks > 0 && !stop.expired()) {
            if (ascent_ == nullptr && !take_next(looks, stop)) break;
            if (!ascent_->advance(looks, stop)) break;
            evaluate(stop);
            ascent_.reset();
            raise();
        }
        if (ascent_ != nullptr && begins_) value_ = std::max(value_, std::min(rounded(ascent_->bound()), upper_));
        return !finished_;
    }

    [[nodiscard]] double value() const override { return value_; }
    [[nodiscard]] std::optional<Tree> tree() const override { return tree_; }

private:
    /// A part of the trees: those with this centre whose vertices lie in these layers.
    struct Open {
        double bound = 0;
        std::size_t centre = 0;
        std::vector<Window> windows;  // (n)

        friend bool operator<(const Open& a, const Open& b) { return a.bound > b.bound; }
    };

    void add_centre(Centred centre, double bound) {
        const auto last = static_cast<std::int16_t>(centre.rule.last_layer);
        std::vector<Window> windows(index(problem_.size()), Window{0, last});
        for (const Vertex c : centre.rule.centre) windows[index(c)].last = 0;
        centres_.push_back(std::move(centre));
        push({bound, centres_.size() - 1, std::move(windows)});
    }

    void push(Open open) {
        windows_held_ += open.windows.size();
        open_.push_back(std::move(open));
        std::push_heap(open_.begin(), open_.end());
    }

    /// A bound as it may be claimed: less what rounding of a long sum may have added, and whole where weights are.
    [[nodiscard]] double rounded(double bound) const {
        constexpr double margin = 1e-11;
        const double proven = bound * (1 - margin);
        return is_whole_ ? std::ceil(proven) : proven;
    }

    /// Can trees that cost this be better than the best one known?
    [[nodiscard]] bool may_pay(double bound) const {
        constexpr double rounding = 1e-10;
        return rounded(bound) < upper_ * (1 - rounding);
    }

    /// Begins the ascent for the open part of least bound. False when there is none, none that may pay, or no time.
    bool take_next(std::int64_t& looks, const StopToken& stop) {
        if (open_.empty() || !may_pay(open_.front().bound) || windows_held_ > most_open_windows) {
            finished_ = true;
            raise();
            return false;
        }
        std::pop_heap(open_.begin(), open_.end());
        current_ = std::move(open_.back());
        open_.pop_back();
        windows_held_ -= current_.windows.size();
        Centred& centre = centres_[current_.centre];
        begins_ = centres_.size() == 1 && centre.graph == nullptr;
        try {
            if (centre.graph == nullptr) {
                graph_ = std::make_unique<LayeredGraph>(problem_.weights(), goals_, centre.rule, groups_, stop);
                looks -= 4 * std::ssize(graph_->weights());
            } else {
                const std::vector<bool> all(centre.graph->weights().size(), true);
                graph_ = std::make_unique<LayeredGraph>(centre.graph->restricted(all, current_.windows, stop));
                looks -= 2 * std::ssize(all);
            }
        } catch (const Interrupted&) {
            push(std::move(current_));
            return false;
        }
        ascent_ = std::make_unique<LayeredAscent>(*graph_);
        return true;
    }

    /// What the finished ascent says about its part: it is done with, or it is divided. Without the time for that it
    /// stays as it is.
    void evaluate(const StopToken& stop) {
        try {
            divide(stop);
        } catch (const Interrupted&) {
            push(std::move(current_));
        }
    }

    void divide(const StopToken& stop) {
        Centred& centre = centres_[current_.centre];
        const double bound = centre.weight + ascent_->bound();
        if (!may_pay(bound)) return;
        current_.bound = std::max(current_.bound, rounded(bound));
        std::vector<double> least = detours(*graph_, ascent_->reduced(), stop);
        for (double& detour : least) detour += bound;
        if (splits_centres_ && centre.rule.centre.size() == 1) return divide_centre(least);
        const auto copies = bounds_of_copies(least);
        narrow(copies);
        if (centre.graph == nullptr) {
            std::vector<bool> keeps(least.size());
            for (std::size_t a = 0; a < least.size(); ++a) keeps[a] = may_pay(least[a]);
            centre.graph = std::make_unique<LayeredGraph>(graph_->restricted(keeps, current_.windows, stop));
        }
        branch(copies, bound);
    }

    /// (n, layers) what trees with a copy cost at least.
    [[nodiscard]] std::vector<std::vector<double>> bounds_of_copies(const std::vector<double>& least) const {
        const auto layers = static_cast<std::size_t>(centres_[current_.centre].rule.last_layer) + 1;
        std::vector<std::vector<double>> copies(index(problem_.size()), std::vector<double>(layers, unbounded));
        for (Vertex node = 1; node < graph_->size(); ++node) {
            if (graph_->layer(node) < 0) continue;
            double& copy = copies[index(graph_->vertex(node))][static_cast<std::size_t>(graph_->layer(node))];
            for (const auto& arc : graph_->arcs(node)) {
                copy = std::min(copy, least[static_cast<std::size_t>(arc.inward)]);
            }
        }
        return copies;
    }

    /// Takes off layers at both ends of the windows whose copies cannot pay.
    void narrow(const std::vector<std::vector<double>>& copies) {
        for (std::size_t v = 0; v < copies.size(); ++v) {
            Window& window = current_.windows[v];
            const auto pays = [&](int layer) { return may_pay(copies[v][static_cast<std::size_t>(layer)]); };
            while (window.first < window.last && !pays(window.first)) ++window.first;
            while (window.first < window.last && !pays(window.last)) --window.last;
        }
    }

    /// Divides the part at the vertex and layer that raise the bounds of both halves most, by reduced costs.
    void branch(const std::vector<std::vector<double>>& copies, double bound) {
        double best = -1;
        std::size_t vertex = 0;
        int layer = 0;
        const double room = std::isfinite(upper_) ? upper_ - bound : bound + 1;
        for (std::size_t v = 0; v < copies.size(); ++v) {
            const Window& window = current_.windows[v];
            double below = unbounded;
            for (int cut = window.first; cut < window.last; ++cut) {
                below = std::min(below, copies[v][static_cast<std::size_t>(cut)]);
                double above = unbounded;
                for (int other = cut + 1; other <= window.last; ++other) {
                    above = std::min(above, copies[v][static_cast<std::size_t>(other)]);
                }
                const double rise_below = std::min((below - bound) / room, 1.0);
                const double rise_above = std::min((above - bound) / room, 1.0);
                const double score = score_of(rise_below, rise_above, window.last - window.first + 1);
                if (score <= best) continue;
                best = score;
                vertex = v;
                layer = cut;
            }
        }
        if (best < 0) return close();
        Open other = current_;
        current_.windows[vertex].last = static_cast<std::int16_t>(layer);
        other.windows[vertex].first = static_cast<std::int16_t>(layer + 1);
        push(std::move(current_));
        push(std::move(other));
    }

    static double score_of(double rise_below, double rise_above, int width) {
        return (rise_below + 0.02) * (rise_above + 0.02) * width;
    }

    /// Every vertex has one layer: nothing is left to divide.
    void close() {
        if (!has_tree_at_leaves_) {
            closed_ = std::min(closed_, current_.bound);
            return;
        }
        const Centred& centre = centres_[current_.centre];
        Tree found{centre.rule.centre.front(), {}};
        if (centre.rule.centre.size() == 2) found.edges.push_back({centre.rule.centre[0], centre.rule.centre[1]});
        double weight = centre.weight;
        for (Vertex node = 1; node < graph_->size(); ++node) {
            if (graph_->layer(node) < 0 ||
                !current_.windows[index(graph_->vertex(node))].holds(graph_->layer(node))) {
                continue;
            }
            const LayeredGraph::Arc* cheapest = nullptr;
            for (const auto& arc : graph_->arcs(node)) {
                if (arc.to != 0 && !current_.windows[index(graph_->vertex(arc.to))].holds(graph_->layer(arc.to))) {
                    continue;
                }
                if (cheapest == nullptr || weight_of(arc) < weight_of(*cheapest)) cheapest = &arc;
            }
            if (cheapest == nullptr) return;  // no tree at all
            found.edges.push_back({graph_->source(*cheapest), graph_->vertex(node)});
            weight += weight_of(*cheapest);
        }
        if (found.edges.size() + 1 != index(problem_.size())) return;
        closed_ = std::min(closed_, std::max(current_.bound, rounded(weight)));
        // Rounded lengths and other limits may make it infeasible; arcs inside a layer may even close a cycle.
        if (weight >= tree_weight_ || problem_.violation(found)) return;
        tree_weight_ = weight;
        tree_ = grown_from(found, found.start, problem_.size());
    }

    [[nodiscard]] double weight_of(const LayeredGraph::Arc& arc) const {
        return graph_->weights()[static_cast<std::size_t>(arc.inward)];
    }

    /// A centre of one vertex becomes its edges; the copy of the other end tells what an edge costs at least.
    void divide_centre(const std::vector<double>& least) {
        const Vertex a = centres_[current_.centre].rule.centre.front();
        std::vector<double> with_edge(index(problem_.size()), unbounded);
        for (Vertex node = 1; node < graph_->size(); ++node) {
            if (graph_->layer(node) < 0) continue;
            for (const auto& arc : graph_->arcs(node)) {
                if (arc.to != 0) continue;
                double& bound = with_edge[index(graph_->vertex(node))];
                bound = std::min(bound, least[static_cast<std::size_t>(arc.inward)]);
            }
        }
        const double floor = current_.bound;
        for (Vertex b = a + 1; b < problem_.size(); ++b) {
            if (!may_pay(with_edge[index(b)])) continue;
            LayerRule rule = centres_[current_.centre].rule;
            rule.centre.push_back(b);
            --rule.last_layer;
            add_centre({std::move(rule), problem_.weights()(a, b)}, std::max(floor, rounded(with_edge[index(b)])));
        }
    }

    /// All parts together: no tree is cheaper than the least of their bounds, or it is the best one known.
    void raise() {
        double least = std::min(closed_, upper_);
        if (!open_.empty()) least = std::min(least, open_.front().bound);
        if (std::isfinite(least)) value_ = std::max(value_, least);
    }

    const Problem& problem_;
    bool splits_centres_;
    bool is_whole_ = false;
    bool has_tree_at_leaves_ = false;
    std::vector<LayerGoal> goals_;
    std::span<const int> groups_;  // (n) or empty
    std::vector<Centred> centres_;
    std::vector<Open> open_;  // a heap
    std::size_t windows_held_ = 0;
    Open current_;
    bool begins_ = false;  // the ascent under way is for all trees
    std::unique_ptr<const LayeredGraph> graph_;
    std::unique_ptr<LayeredAscent> ascent_;
    double closed_ = unbounded;  // the least bound of a part that cannot be divided
    double upper_ = unbounded;
    double value_ = 0;
    bool finished_ = false;
    std::optional<Tree> tree_;
    double tree_weight_ = unbounded;
};

bool suits_layers(const Problem& problem) {
    return problem.size() > 1 && problem.is_plain() && problem.spec().objective == Objective::length;
}

/// Arcs of a layered graph of so many layers, about.
std::int64_t layered_arcs(const Problem& problem, int layers) {
    return static_cast<std::int64_t>(problem.weights().edge_count()) * layers;
}

std::unique_ptr<BoundProcess> layered_bound(const Problem& problem, std::vector<LayerRule> rules,
                                            bool splits_centres = false) {
    if (rules.empty() || layered_arcs(problem, rules.front().last_layer) > most_layered_arcs) return nullptr;
    return std::make_unique<LayeredBound>(problem, std::move(rules), splits_centres);
}

/// May a vertex be hung from the root instead of its parent, whatever the tree?
bool root_is_always_better(const TreeSpec& spec) {
    return spec.has_only({Limit::hops, Limit::length, Limit::capacity});
}

}  // namespace

std::unique_ptr<BoundProcess> make_hop_bound(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    if (!suits_layers(problem) || !spec.hops || !spec.root) return nullptr;
    const int hops = std::min(*spec.hops, problem.size() - 1);
    return layered_bound(problem, {{{*spec.root}, hops, 0, root_is_always_better(spec)}});
}

std::unique_ptr<BoundProcess> make_length_bound(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    if (!suits_layers(problem) || !spec.length || !spec.root || !(*spec.length > 0)) return nullptr;
    constexpr std::int64_t most_layers = 100;
    const std::int64_t affordable = most_layered_arcs / 4 / std::max<std::int64_t>(1, layered_arcs(problem, 1));
    const int layers = static_cast<int>(std::min(most_layers, affordable));
    if (layers < 2) return nullptr;
    // Limits are kept up to one part in 10⁹, and a step a little too long only relaxes.
    const double step = *spec.length / layers * (1 + 1e-8);
    return layered_bound(problem, {{{*spec.root}, layers, step, root_is_always_better(spec)}});
}

std::unique_ptr<BoundProcess> make_diameter_bound(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    if (!suits_layers(problem) || !spec.diameter || *spec.diameter < 1) return nullptr;
    const bool centre_is_better = spec.has_only({Limit::diameter});
    const int diameter = std::min(*spec.diameter, problem.size());
    const int radius = (diameter + 1) / 2;
    std::vector<LayerRule> rules;
    rules.reserve(index(problem.size()));
    for (Vertex c = 0; c < problem.size(); ++c) rules.push_back({{c}, radius, 0, centre_is_better});
    if (layered_arcs(problem, radius) > most_layered_arcs / 8) return nullptr;
    return layered_bound(problem, std::move(rules), diameter % 2 == 1);
}

}  // namespace neuroprim
