#include "problems/registry.hpp"

namespace neuroprim {

namespace {

/// Least sum of tree distances over all pairs (Section 2.1.2 of the paper).
class MinimumRoutingCostTree final : public Problem {
public:
    using Problem::Problem;

    [[nodiscard]] std::string_view name() const override { return "mrcst"; }
    [[nodiscard]] double cost(const Tree& tree) const override { return routing_cost(tree, weights()); }
    [[nodiscard]] bool cost_is_total_weight() const override { return false; }
};

}  // namespace

std::unique_ptr<Problem> make_mrcst(const Instance& instance, const ProblemOptions&) {
    return std::make_unique<MinimumRoutingCostTree>(instance);
}

}  // namespace neuroprim
