#include "search/routing/communication_search.hpp"

#include <algorithm>

#include "problems/kinds.hpp"
#include "search/routing/communication_worker.hpp"

namespace neuroprim {

namespace {

class CommunicationSearch final : public LocalSearch {
public:
    explicit CommunicationSearch(const Problem& problem)
        : lengths_(problem.weights()), traffic_(problem.size(), problem.instance().requirements) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<routing::CommunicationWorker>(lengths_, traffic_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        const std::int64_t n = lengths_.weights().size();
        constexpr std::int64_t steps_of_one_vertex = 100000;
        return std::max<std::int64_t>(1, steps_of_one_vertex / (n * n));
    }

private:
    routing::Lengths lengths_;
    routing::Traffic traffic_;
};

}  // namespace

bool suits_communication(const Problem& problem) {
    constexpr Vertex most_for_tables = 4000;
    return is_communication(problem) && problem.size() <= most_for_tables;
}

std::unique_ptr<LocalSearch> prepare_communication(const Problem& problem, int /*threads*/,
                                                   const StopToken& /*stop*/) {
    return std::make_unique<CommunicationSearch>(problem);
}

}  // namespace neuroprim
