#include "train/rules.hpp"

#include <fmt/format.h>

#include "neuroprim/error.hpp"

namespace neuroprim::train {

Rules make_rules(const std::string& problem, const ProblemOptions& options) {
    Rules rules;
    if (problem == "mst") return rules;
    if (problem == "dcmst") {
        if (!options.degree) throw InputError("training dcmst needs a degree limit: --degree D");
        if (*options.degree < 2) {
            throw InputError(fmt::format("degree limit {}: training needs at least 2", *options.degree));
        }
        rules.degree_limit = *options.degree;
        return rules;
    }
    if (problem == "mrcst") {
        rules.cost = Rules::Cost::routing_cost;
        return rules;
    }
    if (problem == "stp") {
        rules.terminals_only = true;
        return rules;
    }
    if (problem == "hmst") {
        if (!options.hops) throw InputError("training hmst needs a hop limit: --hops H");
        if (*options.hops < 1) throw InputError(fmt::format("hop limit {}: expected at least 1", *options.hops));
        rules.hop_limit = *options.hops;
        rules.one_start = true;
        return rules;
    }
    throw InputError(fmt::format("cannot train for \"{}\": expected one of mst, dcmst, mrcst, stp, hmst", problem));
}

}  // namespace neuroprim::train
