#include "search/sectors/sector_worker.hpp"

#include <algorithm>

#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"

namespace neuroprim::sectors {

namespace {

/// Fewer vertices or fewer branches would make few sectors.
constexpr Vertex least_vertices = 10'000;
constexpr double least_branches = 20;
/// The first pass builds sectors anew that hold up to one part in so many, or up to so many vertices: at their
/// borders branches are not full.
constexpr std::size_t sectors_to_build = 4;
constexpr std::size_t least_size_to_build = 100'000;
/// What temperatures are measured by, in parts of the mean weight of edges apart from the root.
constexpr double heat_of_edge = 2;

/// To cut a tree takes as long as hanging it so many times, or less.
constexpr double hangs_per_cut = 4;
/// A cut may take longer than the one before; to check what was built takes this part of one.
constexpr double cuts_kept_free = 1.3;
constexpr double cuts_per_check = 0.2;

/// Esau and Williams' tree of a sector, if it is better. Counts as a step for each vertex.
SectorResult built_anew(const Sector& sector, int threads, const StopToken& stop) {
    const Problem& problem = sector.problem();
    SectorResult result;
    result.steps = problem.size();
    try {
        const MethodOptions options{no_vertex, threads, [&] { return stop.expired(); }};
        const Tree tree = method_named("esau-williams").construct(problem, options);
        const double gain = problem.cost(sector.tree()) - problem.cost(tree);
        if (gain <= 0 || problem.violation(tree)) return result;
        result.gain = gain;
        result.parent = hang(tree, sector.root(), problem.size()).parent;
    } catch (const Infeasible&) {
        return result;  // the tree that is there stays
    } catch (const Interrupted&) {
        return {};
    }
    return result;
}

}  // namespace

bool works_in_sectors(const Problem& problem) {
    return problem.size() >= least_vertices && has_sectors(problem) &&
           vertices_per_branch(problem) * least_branches <= problem.size();
}

SectorWorker::SectorWorker(const Problem& problem, const Neighbours& near, const SectorPlan& plan,
                           ImproveSector improve, int threads, Random random)
    : problem_(&problem), near_(&near), effort_(plan), improve_(improve), threads_(threads), random_(random) {}

void SectorWorker::adopt(const Tree& tree) {
    cost_ = problem_->cost(tree);
    const auto began = StopToken::Clock::now();
    parent_ = hang(tree, *problem_->spec().root, problem_->size()).parent;
    passes_ = 0;
    is_built_ = false;
    next_ = sectors_.count();
    seconds_to_cut_ = hangs_per_cut * seconds_since(began);
}

void SectorWorker::begin_pass(const StopToken& stop) {
    const auto began = StopToken::Clock::now();
    const std::size_t size_to_build = std::max(least_size_to_build, 1 + index(problem_->size()) / sectors_to_build);
    const std::size_t size = is_built_ ? effort_.size : size_to_build;
    sectors_ = cut_sectors(*problem_, parent_, size, Random(random_.next(), 0));
    seconds_to_cut_ = seconds_since(began);
    next_ = 0;
    const std::int64_t n = problem_->size();
    const std::int64_t wished = effort_.steps_per_vertex << std::min(passes_, effort_.last_doubling);
    steps_per_vertex_ = is_built_ ? std::max<std::int64_t>(1, plan_.steps(wished * n, stop) / n) : 1;
}

/// How many more branches the root may have.
int SectorWorker::spare_branches() const {
    const TreeSpec& spec = problem_->spec();
    if (spec.degrees.empty()) return 0;
    return spec.degrees[index(*spec.root)] - static_cast<int>(std::count(parent_.begin(), parent_.end(), *spec.root));
}

std::int64_t SectorWorker::run(std::int64_t steps, const StopToken& stop) {
    if (steps <= 0 || stop.expired()) return 0;
    if (is_built_) plan_.count(0, stop);
    if (next_ == sectors_.count()) {
        if (stop.seconds_left() < cuts_kept_free * seconds_to_cut_) return 0;
        begin_pass(stop);
    }
    const std::size_t n = index(problem_->size());
    const std::size_t batch = is_built_ ? vertices_side_by_side(n) : n;
    const std::size_t first = next_;
    const std::vector<WindowEffort> efforts =
        efforts_of_batch(sectors_, next_, batch, steps, steps_per_vertex_, passes_ >= effort_.descents);
    const std::uint64_t seed = random_.next();
    const auto count = static_cast<int>(efforts.size());
    const int spare = spare_branches();
    const StopToken early = is_built_ ? stop : stop.earlier(cuts_per_check * seconds_to_cut_);
    std::vector<SectorResult> results(efforts.size());
    std::vector<std::vector<Edge>> moves(efforts.size());
    parallel_for(threads_, efforts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end && !early.expired(); ++k) {
            const int share = spare / count + (static_cast<int>(k) < spare % count ? 1 : 0);
            const Sector sector(*problem_, *near_, parent_, sectors_, first + k, share);
            if (is_built_) {
                WindowEffort effort = efforts[k];
                effort.heat = heat_of_edge * sector.mean_inner_weight();
                results[k] = improve_(sector, effort, Random(seed, k), stop);
            } else {
                results[k] = built_anew(sector, std::max(1, threads_ / count), early);
            }
            moves[k] = sector.moves_to(results[k].parent);
        }
    });
    std::int64_t done = 0;
    for (std::size_t k = 0; k < results.size(); ++k) {
        done += results[k].steps;
        cost_ -= results[k].gain;
        for (const auto& [above, v] : moves[k]) parent_[index(v)] = above;
    }
    if (is_built_) plan_.count(done, stop);
    if (next_ == sectors_.count()) {
        if (is_built_) ++passes_;
        is_built_ = true;
    }
    return done;
}

Tree SectorWorker::tree() const {
    const Vertex root = *problem_->spec().root;
    Tree result{root, {}};
    result.edges.reserve(parent_.size());
    for (Vertex v = 0; v < problem_->size(); ++v) {
        if (v != root) result.edges.push_back({parent_[index(v)], v});
    }
    return grown_from(result, root, problem_->size());
}

}  // namespace neuroprim::sectors
