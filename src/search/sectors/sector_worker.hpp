#pragma once

#include <cstdint>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/random.hpp"
#include "search/local_search.hpp"
#include "search/rooted/cycle_plan.hpp"
#include "search/sectors/sector.hpp"
#include "search/sectors/sectors.hpp"
#include "search/window_effort.hpp"

namespace neuroprim::sectors {

/// What the search of a sector found: a feasible tree of it by parents; none where that is no better.
struct SectorResult {
    std::vector<Vertex> parent;
    double gain = 0;
    std::int64_t steps = 0;  ///< done
};

/// Searches a sector.
using ImproveSector = SectorResult (*)(const Sector&, const WindowEffort&, Random, const StopToken&);

/// How long sectors are searched.
struct SectorPlan {
    std::size_t size = 0;               ///< vertices of a sector, at most, unless it is a single branch
    std::int64_t steps_per_vertex = 0;  ///< of the first pass over all sectors; each further one has twice as many
    int descents = 0;                   ///< passes that descend, before those that anneal
    int last_doubling = 0;              ///< the pass after which they have no more
};

/// Is the tree so large, and are its branches so many, that all threads should improve it together by sectors?
[[nodiscard]] bool works_in_sectors(const Problem& problem);

/// A worker with sectors knows itself when a round is over.
inline constexpr std::int64_t whole_rounds = 1'000'000'000'000;

/// One large tree that all threads improve together. Its branches are parted into sectors, which are problems of the
/// same kind; these are searched side by side and put back. The first pass builds large sectors anew, further ones
/// search small ones, and each pass parts the tree elsewhere.
///
/// Seed and pass decide what is in a sector and what is done there, so the tree does not depend on the threads.
class SectorWorker final : public SearchWorker {
public:
    /// The problem, which has sectors, and the lists must outlive it.
    SectorWorker(const Problem& problem, const Neighbours& near, const SectorPlan& plan, ImproveSector improve,
                 int threads, Random random);

    void adopt(const Tree& tree) override;
    std::int64_t run(std::int64_t steps, const StopToken& stop) override;
    void use_threads(int threads) override { threads_ = threads; }
    void use_clock(bool uses) override { plan_.use_clock(uses); }
    [[nodiscard]] double cost() const override { return cost_; }
    [[nodiscard]] Tree tree() const override;

private:
    void begin_pass(const StopToken& stop);
    [[nodiscard]] int spare_branches() const;

    const Problem* problem_;
    const Neighbours* near_;
    SectorPlan effort_;
    ImproveSector improve_;
    int threads_;
    Random random_;
    std::vector<Vertex> parent_;  // (n) of the best tree
    double cost_ = Weights::infinity;
    Sectors sectors_;
    double seconds_to_cut_ = 0;          // them
    std::size_t next_ = 0;               // sector
    bool is_built_ = false;              // the first pass is over
    int passes_ = 0;                     // since then
    std::int64_t steps_per_vertex_ = 0;  // of the pass in hand
    rooted::CyclePlan plan_;
};

}  // namespace neuroprim::sectors
