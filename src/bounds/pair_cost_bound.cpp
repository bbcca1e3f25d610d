#include "bounds/pair_cost_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "bounds/graph_distances.hpp"
#include "bounds/side_relaxation.hpp"
#include "bounds/whole_weights.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

namespace {

/// Looks at a number that take some ten milliseconds: a slice must not depend on the clock.
constexpr std::int64_t pair_looks_per_slice = 15'000'000;
constexpr std::int64_t most_pair_looks = 150'000'000;  // edges · n
constexpr Vertex most_pair_vertices = 2000;
constexpr Vertex most_combined_vertices = 60;
constexpr Vertex most_single_vertices = 30;
constexpr std::size_t most_open_bytes = std::size_t{1} << 29;  // of prices in open nodes

// Steps are parts of one that would reach the best known tree if it could go straight on. Their directions are means
// of subgradients; the longer the memory, the shorter the steps.
constexpr double scale_of_turn = 0.25;  // first scale ÷ share of a new subgradient in the direction
constexpr double scale_growth = 1.03;   // with each success
constexpr double scale_decay = 0.9;
constexpr double most_scale = 2;
constexpr int patience_of_steps = 20;
constexpr int most_restarts = 4;  // of the root, each with a memory twice as long

constexpr double mean_memory = 0.95;  // of the mean of trees
constexpr int steps_between_drops = 10;
constexpr int steps_between_looks = 50;  // whether a node still makes progress
constexpr double least_progress = 0.1;   // part of the gap that the steps between two looks must close
constexpr double least_root_progress = 0.01;
constexpr double proof_tolerance = 1e-10;  // of rounding

/// May sides be told by how many vertices they have? Then capacities and paths from the root enter the relaxation.
bool counts_suffice(const TreeSpec& spec) {
    const auto is_one = [](double x) { return x == 1; };
    return spec.root && spec.objective != Objective::communication && std::ranges::all_of(spec.demands, is_one) &&
           std::ranges::all_of(spec.masses, is_one);
}

/// How many of the limits that the relaxation knows there are.
int combined_limits(const TreeSpec& spec) {
    return static_cast<int>(spec.has(Limit::degree)) + static_cast<int>(spec.has(Limit::hops)) +
           static_cast<int>(spec.has(Limit::length)) + static_cast<int>(std::isfinite(spec.branch_capacity()));
}

class PairCostBound final : public BoundProcess {
public:
    explicit PairCostBound(const Problem& problem)
        : problem_(problem),
          n_(problem.size()),
          masses_(problem.spec().objective == Objective::routing_cost ? masses_of(problem) : std::vector<double>()),
          costs_(costs_of(problem, masses_)),
          relaxation_(n_, problem.weights().edges(), *costs_, problem.spec().root),
          is_whole_(costs_are_whole(problem)),
          limits_(no_limits()),
          best_limits_(limits_),
          limit_direction_(limits_),
          limit_kinds_(find_limit_kinds()),
          prices_(index(n_), index(n_), 0),
          best_prices_(index(n_), index(n_), 0),
          direction_(index(n_), index(n_), 0),
          distance_(index(n_), index(n_), 0),
          mean_(relaxation_.edges().size(), 0),
          turn_(std::clamp(100.0 / (n_ * static_cast<double>(n_)), 0.002, 0.2)) {
        for (std::size_t e = 0; e < relaxation_.edges().size(); ++e) {
            const auto& [u, v, weight] = relaxation_.edges()[e];
            (problem.is_included(u, v) ? node_.choice.included : node_.choice.open).push_back(static_cast<int>(e));
        }
    }

    bool advance(double upper, const StopToken& stop) override {
        upper_ = std::min(upper_, upper);
        std::int64_t looks = pair_looks_per_slice;
        while (!finished_ && looks > 0 && !stop.expired()) {
            if (rows_ < 2 * n_) {
                prepare_row(looks);
                if (rows_ == 2 * n_ && !finished_) begin_node();
                continue;
            }
            if (!relaxation_.advance(looks, stop)) break;
            step(stop);
        }
        return !finished_;
    }

    [[nodiscard]] double value() const override { return value_; }
    [[nodiscard]] std::optional<Tree> tree() const override { return tree_; }

private:
    using LimitPrices = SideRelaxation::LimitPrices;

    struct Prices {
        PaddedTable entry;
        LimitPrices limits;
    };

    struct Node {
        double bound = 0;
        std::shared_ptr<const Prices> prices = nullptr;
        EdgeChoice choice = {};
    };

    struct HasHigherBound {
        bool operator()(const Node& a, const Node& b) const { return a.bound > b.bound; }
    };

    [[nodiscard]] static std::vector<double> masses_of(const Problem& problem) {
        std::vector<double> masses(index(problem.size()));
        for (Vertex v = 0; v < problem.size(); ++v) masses[index(v)] = problem.spec().mass(v);
        return masses;
    }

    [[nodiscard]] static std::unique_ptr<SideCosts> costs_of(const Problem& problem,
                                                             const std::vector<double>& masses) {
        const TreeSpec& spec = problem.spec();
        const Vertex n = problem.size();
        if (spec.objective == Objective::communication) {
            return side_costs_of_requirements(n, problem.instance().requirements);
        }
        if (!counts_suffice(spec)) return side_costs_of_masses(masses);
        std::vector<double> price(index(n), 1);
        const double most = spec.branch_capacity() * (1 + 1e-9);
        for (Vertex count = 1; count < n; ++count) {
            double& of_count = price[index(count)];
            if (count > most)
                of_count = std::numeric_limits<double>::infinity();
            else if (spec.objective == Objective::routing_cost)
                of_count = static_cast<double>(count) * (n - count);
            else if (spec.objective == Objective::cables)
                of_count = spec.cable_price(count * (1 - 1e-9));
        }
        return side_costs_of_counts(*spec.root, std::move(price));
    }

    [[nodiscard]] static bool costs_are_whole(const Problem& problem) {
        const auto is_whole = [](double x) { return x == std::floor(x); };
        const Objective objective = problem.spec().objective;
        const bool routes = objective == Objective::routing_cost;
        if (objective == Objective::cables) return false;
        return has_whole_weights(problem.weights()) &&
               (objective == Objective::length ||
                std::ranges::all_of(routes ? problem.spec().masses : problem.instance().requirements, is_whole));
    }

    [[nodiscard]] double pair_weight(Vertex o, Vertex d) const {
        if (!masses_.empty()) return masses_[index(o)] * masses_[index(d)];
        if (problem_.spec().objective != Objective::communication) return 0;
        return o == d ? 0 : problem_.instance().requirements[pair_index(o, d)];
    }

    /// First all rows of distances, then all rows of prices. With the price of entering v from o being half of
    /// Σ_d requirement(o, d) · (distance(o, v) − distance(d, v)), each pair has a potential that grows by no more
    /// than the weight along any edge, and by the distance between its ends: so the bound is the sum of distances at
    /// least.
    void prepare_row(std::int64_t& looks) {
        const Vertex v = rows_ % n_;
        if (rows_ < n_) {
            distances_from(problem_.weights(), v, row_);
            for (Vertex o = 0; o < n_; ++o) {
                distance_[index(v)][o] = row_[index(o)];
                finished_ = finished_ || !std::isfinite(row_[index(o)]);  // no tree at all
            }
            looks -= edges_are_shortest(problem_.weights())
                         ? n_
                         : 20 * static_cast<std::int64_t>(problem_.weights().edge_count());
        } else {
            const double* to_v = distance_[index(v)];
            for (Vertex o = 0; o < n_; ++o) {
                double sum = 0;
                for (Vertex d = 0; d < n_; ++d) sum += pair_weight(o, d) * (to_v[o] - to_v[d]);
                prices_[index(v)][o] = o == v ? 0 : sum / 2;
            }
            looks -= 2 * std::int64_t{n_} * n_;
        }
        ++rows_;
    }

    /// What a tree has to cost less than.
    [[nodiscard]] double cutoff() const {
        constexpr double most_whole = 1e8;  // beyond it rounding comes near to one
        return is_whole_ && upper_ < most_whole ? upper_ * (1 + 1e-9) - 1 : upper_ * (1 - proof_tolerance);
    }

    /// Drops edges that would close a cycle with included ones.
    void drop_cycles() {
        DisjointSets parts(n_);
        for (const int e : node_.choice.included) {
            const auto& [u, v, weight] = relaxation_.edges()[static_cast<std::size_t>(e)];
            parts.join(u, v);
        }
        std::erase_if(node_.choice.open, [&](int e) {
            const auto& [u, v, weight] = relaxation_.edges()[static_cast<std::size_t>(e)];
            return parts.find(u) == parts.find(v);
        });
    }

    void begin_node() {
        drop_cycles();
        node_best_ = -std::numeric_limits<double>::infinity();
        last_look_ = node_.bound;
        scale_ = scale_of_turn * turn_;
        in_vain_ = steps_ = 0;
        last_drop_ = -steps_between_drops;
        if (node_.prices) {
            prices_ = node_.prices->entry;
            limits_ = node_.prices->limits;
        }
        std::ranges::fill(direction_.numbers(), 0.0);
        limit_direction_ = no_limits();
        std::ranges::fill(mean_, 0.0);
        relaxation_.begin(prices_, node_.choice, limits_);
    }

    /// The least bound of all nodes that are not yet closed.
    void update_value() {
        double least = std::max(node_.bound, node_best_);
        if (!open_.empty()) least = std::min(least, open_.top().bound);
        value_ = std::max(value_, std::min(least, upper_));
    }

    void next_node() {
        if (open_.empty() || open_.top().bound >= cutoff()) {
            if (std::isfinite(upper_)) value_ = std::max(value_, upper_);
            finished_ = true;
            return;
        }
        node_ = open_.top();
        open_.pop();
        begin_node();
    }

    void step(const StopToken& stop) {
        const double current = relaxation_.value() - allowance();
        if (!std::isfinite(current)) return next_node();
        consider_tree();
        ++steps_;
        const bool is_better = current > node_best_;
        if (is_better) {
            node_best_ = current;
            best_prices_ = prices_;
            best_limits_ = limits_;
            update_value();
        }
        if (node_best_ >= cutoff() || is_decided()) return next_node();
        if (is_better && steps_ >= last_drop_ + steps_between_drops && std::isfinite(upper_)) {
            last_drop_ = steps_;
            relaxation_.drop_dear(cutoff() - current, node_.choice, stop);
            if (is_decided()) return next_node();
        }
        for (double& share : mean_) share *= mean_memory;
        for (const int edge : relaxation_.tree()) mean_[static_cast<std::size_t>(edge)] += 1 - mean_memory;
        if (steps_ % steps_between_looks == 0) {
            const double gap = cutoff() - last_look_;
            const bool is_root = node_.prices == nullptr;
            if (node_best_ - last_look_ < (is_root ? least_root_progress : least_progress) * gap) {
                if (!is_root || restarts_ == most_restarts) return branch();
                ++restarts_;
                turn_ /= 2;
                scale_ = scale_of_turn * turn_;
                prices_ = best_prices_;
                limits_ = best_limits_;
            }
            last_look_ = node_best_;
        }
        if (!move(current, is_better)) return branch();
        relaxation_.begin(prices_, node_.choice, limits_);
    }

    /// Is the tree that was considered last the only one left?
    [[nodiscard]] bool is_decided() const {
        return std::ssize(node_.choice.open) + std::ssize(node_.choice.included) < n_;
    }

    /// Changes the prices. False when all are entered once: then the tree of the relaxation is the best of the node.
    bool move(double current, bool is_better) {
        if (is_better) {
            in_vain_ = 0;
            scale_ = std::min(scale_ * scale_growth, most_scale);
        } else if (++in_vain_ > patience_of_steps) {
            in_vain_ = 0;
            scale_ *= scale_decay;
            prices_ = best_prices_;
            limits_ = best_limits_;
        }
        const auto missing = relaxation_.missing().numbers();
        const auto direction = direction_.numbers();
        double square = 0;
        double now = 0;
        for (std::size_t k = 0; k < direction.size(); ++k) {
            direction[k] = (1 - turn_) * direction[k] + turn_ * missing[k];
            square += direction[k] * direction[k];
            now += missing[k] * missing[k];
        }
        for (const LimitKind& kind : limit_kinds()) {
            for (std::size_t v = 0; v < index(n_); ++v) {
                double excess = (*kind.amounts)[v] - kind.most[v];
                const double price = (limits_.*kind.prices)[v];
                if (price <= 0 && excess < 0) excess = 0;
                double& along = (limit_direction_.*kind.prices)[v];
                along = (1 - turn_) * along + turn_ * excess / kind.unit;
                if (price <= 0 && along < 0) along = 0;
                square += along * along;
                now += excess * excess;
            }
        }
        if (now == 0) return false;
        const double target = std::isfinite(upper_) ? upper_ : 1.1 * std::abs(node_best_) + 1;
        const double length = scale_ * std::max(target - current, 1e-5 * std::abs(target)) / std::max(square, 1e-9);
        const auto prices = prices_.numbers();
        for (std::size_t k = 0; k < prices.size(); ++k) prices[k] += length * direction[k];
        for (const LimitKind& kind : limit_kinds()) {
            for (std::size_t v = 0; v < index(n_); ++v) {
                double& price = (limits_.*kind.prices)[v];
                price = std::max(0.0, price + length * (limit_direction_.*kind.prices)[v] / kind.unit);
            }
        }
        return true;
    }

    /// A limit on an amount that every vertex has.
    struct LimitKind {
        std::vector<double> LimitPrices::*prices;
        const std::vector<double>* amounts;  // (n) of the last tree
        std::vector<double> most;            // (n)
        double unit;                         // in which steps count it
    };

    [[nodiscard]] LimitPrices no_limits() const {
        const std::vector<double> none(index(n_), 0);
        return {none, none, none};
    }

    [[nodiscard]] std::vector<LimitKind> find_limit_kinds() const {
        const TreeSpec& spec = problem_.spec();
        std::vector<LimitKind> kinds;
        if (!spec.degrees.empty()) {
            kinds.push_back({&LimitPrices::degree, &relaxation_.degrees(),
                             std::vector<double>(spec.degrees.begin(), spec.degrees.end()), 1});
        }
        if (!counts_suffice(spec)) return kinds;
        const auto all = [&](double most) { return std::vector<double>(index(n_), most); };
        if (spec.hops) kinds.push_back({&LimitPrices::hop, &relaxation_.hops(), all(*spec.hops), 1});
        if (spec.length && *spec.length > 0) {
            constexpr double units_of_length = 4;
            kinds.push_back({&LimitPrices::length, &relaxation_.lengths(), all(*spec.length * (1 + 1e-9)),
                             *spec.length / units_of_length});
        }
        return kinds;
    }

    [[nodiscard]] const std::vector<LimitKind>& limit_kinds() const { return limit_kinds_; }

    /// What the limits allow, at their prices.
    [[nodiscard]] double allowance() const {
        double sum = 0;
        for (const LimitKind& kind : limit_kinds()) {
            for (std::size_t v = 0; v < index(n_); ++v) sum += (limits_.*kind.prices)[v] * kind.most[v];
        }
        return sum;
    }

    void consider_tree() {
        Tree tree;
        for (const int e : relaxation_.tree()) {
            const auto& [u, v, weight] = relaxation_.edges()[static_cast<std::size_t>(e)];
            tree.edges.push_back({u, v});
        }
        tree = grown_from(tree, problem_.spec().root.value_or(0), n_);
        if (tree == last_considered_) return;
        last_considered_ = tree;
        const double cost = problem_.cost(tree);
        if (cost >= tree_cost_ || problem_.violation(tree)) return;
        tree_ = tree;
        tree_cost_ = cost;
        upper_ = std::min(upper_, cost);
    }

    /// One node with the least decided edge, and one without it.
    void branch() {
        int edge = -1;
        double most = -1;
        for (const int e : node_.choice.open) {
            const double share = mean_[static_cast<std::size_t>(e)];
            const double doubt = std::min(share, 1 - share);
            if (doubt > most) {
                most = doubt;
                edge = e;
            }
        }
        const std::size_t bytes = prices_.numbers().size() * sizeof(double);
        finished_ = (open_.size() + 2) / 2 * bytes > most_open_bytes;
        if (finished_) return;
        Node without = node_;
        without.bound = std::max(node_.bound, node_best_);
        without.prices = std::make_shared<const Prices>(Prices{best_prices_, best_limits_});
        std::erase(without.choice.open, edge);
        Node with = without;
        with.choice.included.push_back(edge);
        open_.push(std::move(without));
        open_.push(std::move(with));
        next_node();
    }

    const Problem& problem_;
    Vertex n_;
    std::vector<double> masses_;
    std::unique_ptr<SideCosts> costs_;
    SideRelaxation relaxation_;
    bool is_whole_;

    LimitPrices limits_;
    LimitPrices best_limits_;
    LimitPrices limit_direction_;
    std::vector<LimitKind> limit_kinds_;
    PaddedTable prices_;  // (n, n), row = the vertex that is entered
    PaddedTable best_prices_;
    PaddedTable direction_;
    PaddedTable distance_;      // (n, n)
    std::vector<double> row_;   // of distances
    std::vector<double> mean_;  // (edges) how often the last trees of the node had each
    Vertex rows_ = 0;           // that are prepared, of distances and of prices

    Node node_;
    double node_best_ = 0;
    double last_look_ = 0;
    double turn_;  // share of a new subgradient in the direction
    double scale_ = 0;
    int restarts_ = 0;
    int in_vain_ = 0;
    int steps_ = 0;
    int last_drop_ = 0;
    std::priority_queue<Node, std::vector<Node>, HasHigherBound> open_;

    Tree last_considered_;
    std::optional<Tree> tree_;
    double tree_cost_ = std::numeric_limits<double>::infinity();
    double upper_ = std::numeric_limits<double>::infinity();
    double value_ = 0;
    bool finished_ = false;
};

/// The tables are made when the bound has its first turn, so that a first tree does not wait for them.
class LatePairCostBound final : public BoundProcess {
public:
    explicit LatePairCostBound(const Problem& problem) : problem_(problem) {}

    bool advance(double upper, const StopToken& stop) override {
        if (bound_ == nullptr) bound_ = std::make_unique<PairCostBound>(problem_);
        return bound_->advance(upper, stop);
    }

    [[nodiscard]] double value() const override { return bound_ == nullptr ? 0 : bound_->value(); }
    [[nodiscard]] std::optional<Tree> tree() const override {
        return bound_ == nullptr ? std::nullopt : bound_->tree();
    }

private:
    const Problem& problem_;
    std::unique_ptr<PairCostBound> bound_;
};

}  // namespace

std::unique_ptr<BoundProcess> make_pair_cost_bound(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const Vertex n = problem.size();
    if (spec.objective == Objective::length || spec.objective == Objective::cables) {
        // One limit alone has a better bound of its own, but only that of hops always ends with the optimum.
        const bool closes = std::isfinite(spec.branch_capacity()) || spec.length;
        const int limits = combined_limits(spec);
        const Vertex most = limits >= 2 ? most_combined_vertices : limits == 1 && closes ? most_single_vertices : 0;
        if (!counts_suffice(spec) || n > most) return nullptr;
    }
    if (!problem.is_plain() || spec.coverage != Coverage::all || !spec.prizes.empty()) return nullptr;
    if (!spec.other_roots.empty() || n < 3) return nullptr;
    const auto looks = static_cast<std::int64_t>(problem.weights().edge_count()) * n;
    if (n > most_pair_vertices || looks > most_pair_looks) return nullptr;
    return std::make_unique<LatePairCostBound>(problem);
}

}  // namespace neuroprim
