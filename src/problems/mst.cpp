#include "problems/registry.hpp"

namespace neuroprim {

namespace {

class MinimumSpanningTree final : public Problem {
public:
    using Problem::Problem;

    [[nodiscard]] std::string_view name() const override { return "mst"; }
};

}  // namespace

std::unique_ptr<Problem> make_mst(const Instance& instance, const ProblemOptions&) {
    return std::make_unique<MinimumSpanningTree>(instance);
}

}  // namespace neuroprim
