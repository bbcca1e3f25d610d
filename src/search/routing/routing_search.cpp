#include "search/routing/routing_search.hpp"

#include <algorithm>

#include "search/routing/routing_worker.hpp"

namespace neuroprim {

namespace {

class RoutingSearch final : public LocalSearch {
public:
    explicit RoutingSearch(const Problem& problem) : lengths_(problem.weights()), masses_(problem.spec().masses) {
        if (masses_.empty()) masses_.assign(index(problem.size()), 1);
    }

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<routing::RoutingWorker>(lengths_, masses_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        constexpr std::int64_t steps_of_one_vertex = 5000;
        return std::max<std::int64_t>(1, steps_of_one_vertex / lengths_.weights().size());
    }

private:
    routing::Lengths lengths_;
    std::vector<double> masses_;  // (n)
};

}  // namespace

std::unique_ptr<LocalSearch> prepare_routing(const Problem& problem, int /*threads*/, const StopToken& /*stop*/) {
    return std::make_unique<RoutingSearch>(problem);
}

}  // namespace neuroprim
