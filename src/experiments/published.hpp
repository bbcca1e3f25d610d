#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "experiments/literature.hpp"

namespace neuroprim::experiments {

/// What the paper prints for one of its methods on one instance.
struct PublishedResult {
    double cost = 0;
    double gap_percent = 0;
    double seconds = 0;
};

struct Published {
    PublishedResult greedy;  ///< NeuroPrim (g)
    PublishedResult sample;  ///< NeuroPrim (s), the best of its samples
};

/// The paper's results by the names of the instances, from the table's file in `folder`. Throws InputError when the
/// file is missing or broken.
[[nodiscard]] std::map<std::string, Published> published_results(const LiteratureTable& table,
                                                                 const std::filesystem::path& folder);

}  // namespace neuroprim::experiments
