#include <fmt/format.h>

#include "neuroprim/error.hpp"
#include "problems/registry.hpp"

namespace neuroprim {

namespace {

/// The cheapest tree that holds all terminals; other vertices only where they pay (Section 2.1.3 of the paper).
class SteinerTree final : public Problem {
public:
    explicit SteinerTree(const Instance& instance)
        : Problem(instance), is_terminal_(static_cast<std::size_t>(instance.size()), false) {
        for (const Vertex v : instance.terminals) is_terminal_[static_cast<std::size_t>(v)] = true;
    }

    [[nodiscard]] std::string_view name() const override { return "stp"; }
    [[nodiscard]] bool required(Vertex v) const override { return is_terminal_[static_cast<std::size_t>(v)]; }
    [[nodiscard]] Tree tidied(Tree tree) const override { return pruned(tree, is_terminal_); }

protected:
    [[nodiscard]] std::string describe_missing(Vertex v) const override {
        return fmt::format("terminal {} is missing", v);
    }

private:
    std::vector<bool> is_terminal_;  // (n)
};

}  // namespace

std::unique_ptr<Problem> make_stp(const Instance& instance, const ProblemOptions&) {
    if (instance.terminals.empty()) {
        throw InputError("stp needs terminals: --terminals LIST, or marked in the input");
    }
    for (const Vertex v : instance.terminals) {
        if (v < 0 || v >= instance.size()) {
            throw InputError(fmt::format("terminal {} is not among the {} vertices", v, instance.size()));
        }
    }
    return std::make_unique<SteinerTree>(instance);
}

}  // namespace neuroprim
