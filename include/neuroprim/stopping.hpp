#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace neuroprim {

struct Tree;

/// Where an anytime search stands.
struct SearchState {
    double seconds = 0;
    std::int64_t iterations = 0;
    std::int64_t since_improvement = 0;  ///< iterations since the best tree was found
    double cost = std::numeric_limits<double>::infinity();
    std::optional<double> bound = {};  ///< proven
    const Tree* tree = nullptr;        ///< the best one so far; what is pointed at changes as the search goes on
};

/// A reason to stop searching. Asked after every round of the search; a rule of your own is one small class.
class StoppingRule {
public:
    virtual ~StoppingRule() = default;
    [[nodiscard]] virtual bool stop(const SearchState& state) const = 0;

    /// The moment, in seconds from the start, that work inside a round must not pass.
    [[nodiscard]] virtual double deadline() const { return std::numeric_limits<double>::infinity(); }
};

/// Stops when this many seconds have passed.
class TimeLimit : public StoppingRule {
public:
    explicit TimeLimit(double seconds) : seconds_(seconds) {}
    [[nodiscard]] bool stop(const SearchState& state) const override { return state.seconds >= seconds_; }
    [[nodiscard]] double deadline() const override { return seconds_; }

private:
    double seconds_;
};

/// Stops when the best tree is proven to be within `percent` of the optimum.
class TargetGap : public StoppingRule {
public:
    explicit TargetGap(double percent) : percent_(percent) {}
    [[nodiscard]] bool stop(const SearchState& state) const override {
        return state.bound && state.cost - *state.bound <= *state.bound * percent_ / 100;
    }

private:
    double percent_;
};

class MaxIterations : public StoppingRule {
public:
    explicit MaxIterations(std::int64_t iterations) : iterations_(iterations) {}
    [[nodiscard]] bool stop(const SearchState& state) const override { return state.iterations >= iterations_; }

private:
    std::int64_t iterations_;
};

/// Stops when so many iterations in a row have found nothing better.
class NoImprovement : public StoppingRule {
public:
    explicit NoImprovement(std::int64_t iterations) : iterations_(iterations) {}
    [[nodiscard]] bool stop(const SearchState& state) const override {
        return state.since_improvement >= iterations_;
    }

private:
    std::int64_t iterations_;
};

/// Stops when any of its rules says so.
class FirstOf : public StoppingRule {
public:
    void add(std::unique_ptr<StoppingRule> rule) { rules_.push_back(std::move(rule)); }
    [[nodiscard]] bool empty() const { return rules_.empty(); }
    [[nodiscard]] bool stop(const SearchState& state) const override;
    [[nodiscard]] double deadline() const override;

private:
    std::vector<std::unique_ptr<StoppingRule>> rules_;
};

}  // namespace neuroprim
