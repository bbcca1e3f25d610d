#include "problems/registry.hpp"

#include <fmt/format.h>

#include <array>

#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

constexpr std::array kinds = {
    ProblemKind{"mst", "minimum spanning tree", "", make_mst},
    ProblemKind{"dcmst", "degree-constrained minimum spanning tree", "--degree D, or limits in the input",
                make_dcmst},
    ProblemKind{"mrcst", "minimum routing cost spanning tree", "", make_mrcst},
    ProblemKind{"ocst", "optimum communication spanning tree", "requirements in the input", make_ocst},
    ProblemKind{"stp", "Steiner tree in graphs", "--terminals LIST, or terminals in the input", make_stp},
    ProblemKind{"hmst", "hop-constrained minimum spanning tree", "--hops H, --root V", make_hmst},
};

}  // namespace

std::span<const ProblemKind> problem_kinds() {
    return kinds;
}

std::unique_ptr<Problem> make_problem(std::string_view name, const Instance& instance,
                                      const ProblemOptions& options) {
    if (instance.size() < 1) throw InputError("an instance needs at least one vertex");
    std::string known;
    for (const auto& kind : kinds) {
        if (kind.name == name) return kind.make(instance, options);
        known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.name);
    }
    throw InputError(fmt::format("unknown problem \"{}\": expected one of {}", name, known));
}

}  // namespace neuroprim
