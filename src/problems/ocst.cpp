#include "neuroprim/error.hpp"
#include "problems/registry.hpp"

namespace neuroprim {

namespace {

/// Least Σ requirement × tree distance: MRCST with traffic that differs between pairs.
class OptimumCommunicationTree final : public Problem {
public:
    using Problem::Problem;

    [[nodiscard]] std::string_view name() const override { return "ocst"; }
    [[nodiscard]] double cost(const Tree& tree) const override {
        return communication_cost(tree, weights(), instance().requirements);
    }
    [[nodiscard]] bool cost_is_total_weight() const override { return false; }
};

}  // namespace

std::unique_ptr<Problem> make_ocst(const Instance& instance, const ProblemOptions&) {
    if (instance.requirements.empty() && instance.size() > 1) {
        throw InputError("ocst needs the traffic between every pair: an input with requirements (OCST file or JSON)");
    }
    return std::make_unique<OptimumCommunicationTree>(instance);
}

}  // namespace neuroprim
