#include "bounds/spanning_bound.hpp"

#include "neuroprim/bounds.hpp"

namespace neuroprim {

namespace {

class SpanningBound final : public BoundProcess {
public:
    explicit SpanningBound(const Problem& problem) : problem_(problem) {}

    bool advance(double, const StopToken& stop) override {
        if (!value_) value_ = lower_bound(problem_, 1, [&] { return stop.expired(); });
        return !value_;
    }

    [[nodiscard]] double value() const override { return value_.value_or(0); }

private:
    const Problem& problem_;
    std::optional<double> value_;
};

}  // namespace

std::unique_ptr<BoundProcess> make_spanning_bound(const Problem& problem) {
    return mst_is_a_bound(problem) ? std::make_unique<SpanningBound>(problem) : nullptr;
}

}  // namespace neuroprim
