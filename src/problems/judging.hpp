#pragma once

#include <optional>
#include <string>
#include <vector>

#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// `violation` where somebody else says which vertices the tree must hold: a rule as code beside a specification.
[[nodiscard]] std::optional<std::string> violation_beside(const TreeSpec& spec, const Instance& instance,
                                                          const Tree& tree, const std::vector<bool>& required);

}  // namespace neuroprim
