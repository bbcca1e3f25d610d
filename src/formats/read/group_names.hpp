#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace neuroprim::formats {

/// The groups of vertices by the names that a file gives them.
class GroupNames {
public:
    /// No name, and the name -1, put the vertex in no group.
    void set(std::size_t v, std::string name);

    /// The group of each of n vertices, −1 for none; empty when no vertex was given one. Names that are just the
    /// numbers 0 … k−1 stay what they are; others are numbered from 0 in the order of their first vertices.
    [[nodiscard]] std::vector<int> numbered(std::size_t n) const;

private:
    std::vector<std::pair<std::size_t, std::string>> members_;
};

}  // namespace neuroprim::formats
