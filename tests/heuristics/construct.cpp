#include "heuristics/construct.hpp"

#include "neuroprim/error.hpp"

namespace neuroprim::testing {

std::string complaint(std::string_view method, const Problem& problem, const MethodOptions& options) {
    try {
        (void)construct(method, problem, options);
    } catch (const Infeasible& error) {
        return error.what();
    } catch (const InputError& error) {
        return error.what();
    }
    return "built a tree";
}

bool finds_no_tree(std::string_view method, const Problem& problem) {
    try {
        (void)construct(method, problem);
    } catch (const Infeasible&) {
        return true;
    }
    return false;
}

}  // namespace neuroprim::testing
