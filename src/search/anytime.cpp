#include "search/anytime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "bounds/bound_process.hpp"
#include "graph/parallel.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/optimality.hpp"
#include "search/initial_solutions.hpp"
#include "search/local_search.hpp"
#include "search/round.hpp"
#include "search/side_task.hpp"
#include "search/tree_pool.hpp"

namespace neuroprim {

namespace {

using Clock = StopToken::Clock;

constexpr double default_seconds = 1;
/// Workers when the answer must not depend on the number of threads.
constexpr std::size_t fixed_workers = 2;
/// A turn of the slow constructions, in questions whether to stop, where the answer must not depend on the clock.
constexpr std::int64_t polls_per_turn = 100;
/// Slow constructions are put aside after so many batches in a row that brought no better tree.
constexpr int batches_in_vain = 2;

/// A user's rule beside the ones that options name.
class Shared : public StoppingRule {
public:
    explicit Shared(std::shared_ptr<const StoppingRule> rule) : rule_(std::move(rule)) {}
    [[nodiscard]] bool stop(const SearchState& state) const override { return rule_->stop(state); }
    [[nodiscard]] double deadline() const override { return rule_->deadline(); }

private:
    std::shared_ptr<const StoppingRule> rule_;
};

FirstOf rules_of(const SolveOptions& options) {
    FirstOf rules;
    if (options.time_limit) rules.add(std::make_unique<TimeLimit>(*options.time_limit));
    if (options.target_gap) rules.add(std::make_unique<TargetGap>(*options.target_gap));
    if (options.max_iterations) rules.add(std::make_unique<MaxIterations>(*options.max_iterations));
    if (options.no_improvement) rules.add(std::make_unique<NoImprovement>(*options.no_improvement));
    if (options.stopping) rules.add(std::make_unique<Shared>(options.stopping));
    // A gap that is out of reach would never end it.
    const bool ends = options.time_limit || options.max_iterations || options.no_improvement || options.stopping;
    if (!ends) rules.add(std::make_unique<TimeLimit>(default_seconds));
    return rules;
}

/// One search from its first tree to its last: the state that rounds pass on.
class AnytimeSearch {
public:
    AnytimeSearch(const Problem& problem, const SolveOptions& options)
        : problem_(problem),
          options_(options),
          rules_(rules_of(options)),
          began_(Clock::now()),
          stop_(deadline(), options.interrupted),
          reproducible_(options.max_iterations || options.no_improvement || options.target_gap || options.stopping),
          pool_(problem),
          slow_trees_(problem, options) {}

    /// Says whether the tree has been checked.
    bool run(Solution& solution) {
        begin();
        if (const auto warning = slow_trees_.warning()) solution.warnings.push_back(*warning);
        if (!done()) {
            add_quick_trees(problem_, options_, stop_, pool_);
            take(pool_[0].tree, pool_[0].cost, pool_[0].source);
        }
        if (!done()) improve();
        solution.tree = std::move(best_);
        solution.bound = state_.bound;
        solution.iterations = state_.iterations;
        solution.found_by = std::move(found_by_);
        return checked_;
    }

private:
    struct Worker {
        std::unique_ptr<SearchWorker> search;
        std::string source;      // of the tree it went on from
        double cost = 0;         // of its best tree when the last round ended
        int idle_rounds = 0;     // without a better tree of its own
        std::size_t next = 0;    // place in the pool of the tree it takes next
        std::int64_t steps = 0;  // done in the last round
        double seconds = 0;      // taken by it
    };

    [[nodiscard]] double seconds() const { return seconds_since(began_); }

    [[nodiscard]] std::optional<Clock::time_point> deadline(double seconds_for_the_end = 0) const {
        const double seconds = rules_.deadline() - seconds_for_the_end;
        if (std::isinf(seconds)) return std::nullopt;
        return began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    /// Remembers the tree if it is the best so far.
    void take(const Tree& tree, double cost, const std::string& source, std::string_view search = {}) {
        if (!(cost < state_.cost)) return;
        best_ = tree;
        state_.tree = &best_;
        state_.cost = cost;
        state_.since_improvement = 0;
        source_ = source;
        checked_ = search.empty();
        found_by_ = search.empty() ? source : fmt::format("{} from {}", search, source);
        report();
    }

    void raise_bound(double bound) {
        if (state_.bound && bound <= *state_.bound) return;
        if (bound <= 0 && state_.cost > 0) return;  // true of every tree: it says nothing
        state_.bound = bound;
        report();
    }

    void report() {
        state_.seconds = seconds();
        if (!options_.watcher) return;
        SearchState told = state_;
        told.bound = bound_beside(state_.cost, state_.bound);
        options_.watcher(told, found_by_);
    }

    [[nodiscard]] bool done() {
        state_.seconds = seconds();
        return proven(state_.cost, state_.bound) || stop_.expired() || rules_.stop(state_);
    }

    void begin() {
        if (options_.warm_start) {
            if (!pool_.offer(*options_.warm_start, "warm start")) {
                const auto reason = problem_.violation(problem_.pruned(*options_.warm_start));
                throw InputError(fmt::format("the warm start is not feasible: {}", reason.value_or("")));
            }
        }
        if (pool_.empty()) add_first_tree(problem_, options_, stop_, pool_);
        const auto began = Clock::now();
        take(pool_[0].tree, problem_.cost(pool_[0].tree), pool_[0].source);  // priced as those of the search will be
        note_taking_in(began);
        if (pool_[0].source == "kruskal" && mst_is_a_bound(problem_)) raise_bound(state_.cost);
    }

    /// Takes the first worker's tree in for nothing but the time that it takes.
    void measure_taking_in() {
        const auto began = Clock::now();
        const Tree tree = workers_[0].search->tree();
        if (problem_.cost(tree) < Weights::infinity) note_taking_in(began);
    }

    /// What comes after the deadline takes as long as it did before: the last tree of the search is taken in, checked
    /// and priced.
    void note_taking_in(Clock::time_point began) {
        const double seconds = seconds_since(began);
        stop_ = StopToken(deadline(pool_.seconds_of_last_check() + seconds), options_.interrupted);
    }

    void improve() {
        const LocalSearchKind& kind = local_search_for(problem_);
        std::unique_ptr<LocalSearch> search;
        try {
            search = kind.prepare(problem_, options_.threads, stop_);
        } catch (const Interrupted&) {
            return;
        }
        if (done()) return;
        start_workers(*search);
        bounding_ = true;
        const double began = seconds();
        bool asks_for_time = slow_trees_.any() && slow_trees_.least_steps() > 0;
        if (slow_trees_.any() && !asks_for_time) build_slow_trees();
        // Threads that share a worker's first round should not wait for each other: the bound comes after it.
        for (std::int64_t round = search->has_parallel_rounds() ? 1 : 0; !done(); ++round) {
            advance(round, *search);
            if (!gather(kind.name)) break;
            share(search->idle_rounds_allowed());
            // The first round has shown how fast the search is.
            if (asks_for_time && steps_expected(began) >= static_cast<double>(slow_trees_.least_steps())) {
                slow_trees_.load();
                build_slow_trees();
            }
            asks_for_time = false;
        }
        // Few iterations end before a bound that waits for the first round has had its turn.
        if (bounding_ && !bound_ && !stop_.expired()) {
            advance_bound(search->slices_per_round(), [] { return false; });
            take_bound();
        }
    }

    void build_slow_trees() {
        beside_.emplace([this](const SideTask::Stop& stop) {
            const auto offer = [this](Tree tree, std::string source) {
                const double cost = problem_.cost(tree);
                arrived_.push_back({std::move(tree), cost, std::move(source)});
            };
            slow_trees_.build(stop, offer);
            slow_trees_.rebuild(stop, offer, [this] { return best_; });
        });
    }

    /// How many steps are left: by the rules that count them, or as fast as it has been since it began.
    [[nodiscard]] double steps_expected(double began) const {
        if (reproducible_) return static_cast<double>(steps_left());
        const double now = seconds();
        return static_cast<double>(state_.iterations) * (rules_.deadline() - now) / (now - began);
    }

    void start_workers(const LocalSearch& search) {
        const std::size_t count = search.has_parallel_rounds() ? 1 : places();
        workers_.resize(count);
        parallel_for(options_.threads, count, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                Worker& worker = workers_[k];
                worker.search = search.worker(options_.seed, k);
                worker.search->use_clock(!reproducible_);
                worker.next = k;
                take_from_pool(worker);
            }
        });
        measure_taking_in();
    }

    /// For workers of one thread each.
    [[nodiscard]] std::size_t places() const {
        return reproducible_ ? fixed_workers : std::max(fixed_workers, static_cast<std::size_t>(options_.threads));
    }

    void take_from_pool(Worker& worker) {
        const Candidate& candidate = pool_[worker.next % pool_.size()];
        worker.next += workers_.size();
        go_on_from(worker, candidate);
    }

    static void go_on_from(Worker& worker, const Candidate& candidate) {
        worker.search->adopt(candidate.tree);
        worker.source = candidate.source;
        worker.cost = candidate.cost;
        worker.idle_rounds = 0;
    }

    /// One slice of work for every worker. One worker in turn gives its place to the bound in even rounds, while
    /// there is a bound to raise, and to slow constructions in odd ones, while there are any. A worker with parallel
    /// rounds gives up one of its threads.
    void advance(std::int64_t round, const LocalSearch& search) {
        const bool parallel = search.has_parallel_rounds();
        const auto workers = static_cast<std::int64_t>(places());
        bounded_now_ = bounding_ && round % 2 == 0;
        const bool builds_now = beside_ && round % 2 == 1;
        const bool gives_way = bounded_now_ || builds_now;
        const std::int64_t active = gives_way ? workers - 1 : workers;
        Round plan{.threads = options_.threads,
                   .workers = workers_.size(),
                   .steps = std::min(search.steps_per_round() * active, steps_left()),
                   .fills = bounded_now_ && !parallel && !reproducible_};
        if (gives_way) plan.side = static_cast<std::size_t>(parallel ? 1 : workers - 1 - round / 2 % workers);
        if (parallel) workers_[0].search->use_threads(std::max(1, options_.threads - (gives_way ? 1 : 0)));
        bool building = true;
        const auto run = [&](std::size_t k, std::int64_t steps) { return workers_[k].search->run(steps, stop_); };
        const auto shares = run_round(plan, run, [&](const auto& workers_run) {
            if (builds_now) {
                building = beside_->advance(turn_beside_workers(), stop_);
            } else if (parallel) {
                advance_bound(search.slices_per_round(), workers_run);
            } else {
                advance_bound(search.slices_per_round(), has_turn(turn_beside_workers()));
            }
        });
        for (std::size_t k = 0; k < workers_.size(); ++k) {
            workers_[k].steps = shares[k].steps;
            if (k != plan.side) workers_[k].seconds = shares[k].seconds;
        }
        if (!building) beside_.reset();
    }

    /// How many steps the workers may do together before a rule has to be asked again.
    [[nodiscard]] std::int64_t steps_left() const {
        std::int64_t left = std::numeric_limits<std::int64_t>::max();
        if (options_.max_iterations) left = std::min(left, *options_.max_iterations - state_.iterations);
        if (options_.no_improvement) left = std::min(left, *options_.no_improvement - state_.since_improvement);
        return left;
    }

    /// As long as a worker took in the last round; counted, not timed, where the answer must not depend on the clock.
    [[nodiscard]] Turn turn_beside_workers() const {
        if (reproducible_) return {.polls = polls_per_turn};
        double seconds = 0;
        for (const Worker& worker : workers_) seconds = std::max(seconds, worker.seconds);
        return {.seconds = seconds};
    }

    /// Is the turn, which begins now, still on?
    [[nodiscard]] static std::function<bool()> has_turn(const Turn& turn) {
        return [turn, began = Clock::now()] { return seconds_since(began) < turn.seconds; };
    }

    /// So many slices. Where the clock ends the search, as many more as there is time for.
    void advance_bound(std::int64_t slices, const std::function<bool()>& has_time) {
        if (!bound_) bound_ = make_bound_process(problem_);
        if (!bound_) simple_bound_ = lower_bound(problem_, 1, [this] { return stop_.expired(); });
        bounding_ = bound_ != nullptr;
        while (bounding_ && (slices-- > 0 || (!reproducible_ && has_time())) && !stop_.expired()) {
            bounding_ = bound_->advance(state_.cost, stop_);
        }
    }

    /// Takes in what the round has found, worker by worker in their order. False when nothing is left to try.
    bool gather(std::string_view search_name) {
        bool tried = bounding_;
        for (Worker& worker : workers_) {
            tried = tried || worker.steps > 0;
            state_.iterations += worker.steps;
            state_.since_improvement += worker.steps;
        }
        for (Worker& worker : workers_) {
            const double cost = worker.search->cost();
            worker.idle_rounds = cost < worker.cost ? 0 : worker.idle_rounds + 1;
            worker.cost = std::min(cost, worker.cost);
            if (cost >= state_.cost) continue;
            const auto began = Clock::now();
            const Tree tree = worker.search->tree();
            take(tree, problem_.cost(tree), worker.source, search_name);
            if (!stop_.expired()) note_taking_in(began);
        }
        take_arrived();
        if (bounded_now_) take_bound();
        return tried;
    }

    /// What the bound has found, a tree perhaps.
    void take_bound() {
        if (bound_) {
            if (const auto tree = bound_->tree()) {
                const Tree pruned = problem_.pruned(*tree);
                if (!problem_.violation(pruned)) take(pruned, problem_.cost(pruned), "bound");
            }
            raise_bound(bound_->value());
        }
        if (simple_bound_) raise_bound(*simple_bound_);
    }

    /// Slow trees join the pool. If one is better than what some odd worker has, the worst of these goes on from it:
    /// the others keep the search from gathering in one place. Slow constructions that are behind the search are put
    /// aside.
    void take_arrived() {
        if (arrived_.empty()) return;
        const auto cheapest = std::min_element(arrived_.begin(), arrived_.end(),
                                               [](const auto& a, const auto& b) { return a.cost < b.cost; });
        const Candidate candidate = *cheapest;
        for (Candidate& arrived : arrived_) pool_.offer(std::move(arrived.tree), std::move(arrived.source));
        arrived_.clear();
        in_vain_ = candidate.cost < state_.cost ? 0 : in_vain_ + 1;
        if (in_vain_ >= batches_in_vain) beside_.reset();
        if (problem_.violation(candidate.tree)) return;
        take(candidate.tree, candidate.cost, candidate.source);
        Worker* worst = nullptr;
        for (std::size_t k = 1; k < workers_.size(); k += 2) {
            if (worst == nullptr || workers_[k].cost > worst->cost) worst = &workers_[k];
        }
        if (worst == nullptr) worst = &workers_[0];  // there is no odd one
        if (candidate.cost < worst->cost) go_on_from(*worst, candidate);
    }

    /// Even workers follow the best tree, odd ones look elsewhere: at the next of the pool, then at the best again.
    void share(int idle_rounds_allowed) {
        for (std::size_t k = 0; k < workers_.size(); ++k) {
            Worker& worker = workers_[k];
            if (worker.idle_rounds < idle_rounds_allowed) continue;
            const bool behind = worker.cost > state_.cost;
            if (k % 2 == 1 && !behind) {
                take_from_pool(worker);
            } else if (behind) {
                worker.search->adopt(best_);
                worker.source = source_;
                worker.cost = state_.cost;
            }
            worker.idle_rounds = 0;
        }
    }

    const Problem& problem_;
    const SolveOptions& options_;
    FirstOf rules_;
    Clock::time_point began_;
    StopToken stop_;
    bool reproducible_;  // a rule without a clock may end it: the answer must not depend on threads or time
    TreePool pool_;
    SlowTrees slow_trees_;

    SearchState state_;
    Tree best_;             // state_ points at it
    std::string source_;    // the construction that it began with
    std::string found_by_;  // and what improved it
    bool checked_ = false;  // best_ has been, by the pool

    std::vector<Worker> workers_;
    std::unique_ptr<BoundProcess> bound_;
    std::optional<double> simple_bound_;  // for problems without a process
    bool bounding_ = false;               // there may be more to gain
    bool bounded_now_ = false;            // the last round raised it

    std::vector<Candidate> arrived_;  // slow trees of the last round
    int in_vain_ = 0;                 // batches of them since one was the best tree
    std::optional<SideTask> beside_;  // builds them; last, so that it ends before what it works on
};

}  // namespace

bool search_anytime(const Problem& problem, const SolveOptions& options, Solution& solution) {
    return AnytimeSearch(problem, options).run(solution);
}

}  // namespace neuroprim
