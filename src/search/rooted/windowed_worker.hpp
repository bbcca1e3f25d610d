#pragma once

#include <cstdint>
#include <optional>

#include "graph/neighbours.hpp"
#include "neuroprim/random.hpp"
#include "search/local_search.hpp"
#include "search/rooted/cycle_plan.hpp"
#include "search/rooted/rooted_window.hpp"
#include "search/rooted/tree_snapshot.hpp"
#include "search/rooted/window_cells.hpp"

namespace neuroprim::rooted {

/// One large tree that all threads improve together: it is cut into windows, which are searched side by side and put
/// back. Each pass over all vertices cuts it elsewhere and takes twice the steps of the one before. The first passes
/// descend, later ones anneal each window by itself.
///
/// Seed and pass decide what is in a window and what is done there, so the tree does not depend on the threads.
class WindowedWorker final : public SearchWorker {
public:
    /// What it is given must outlive it.
    WindowedWorker(const Problem& problem, const Neighbours& near, int threads, Random random);

    void adopt(const Tree& tree) override;
    std::int64_t run(std::int64_t steps, const StopToken& stop) override;
    void use_threads(int threads) override { threads_ = threads; }
    void use_clock(bool uses) override { plan_.use_clock(uses); }
    [[nodiscard]] double cost() const override { return cost_; }
    [[nodiscard]] Tree tree() const override;

private:
    void take_over(const Tree& tree);
    void begin_pass(const StopToken& stop);

    const Problem* problem_;
    const Neighbours* near_;
    int threads_;
    Random random_;
    std::optional<Tree> adopted_;  // not taken over yet
    std::optional<TreeSnapshot> tree_;
    double seconds_to_price_ = 0;  // an adopted tree
    double seconds_to_merge_ = 0;  // windows, the last time
    double cost_ = Weights::infinity;
    WindowCells cells_;
    std::size_t next_ = 0;  // cell
    int passes_ = 0;
    std::int64_t steps_per_vertex_ = 0;  // of the pass in hand
    CyclePlan plan_;
};

}  // namespace neuroprim::rooted
