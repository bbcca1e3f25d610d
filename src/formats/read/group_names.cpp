#include "formats/read/group_names.hpp"

#include <algorithm>
#include <unordered_map>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

void GroupNames::set(std::size_t v, std::string name) {
    if (!name.empty() && name != "-1") members_.emplace_back(v, std::move(name));
}

std::vector<int> GroupNames::numbered(std::size_t n) const {
    if (members_.empty()) return {};
    auto by_vertex = members_;
    std::stable_sort(by_vertex.begin(), by_vertex.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::unordered_map<std::string, int> numbers;
    for (const auto& [v, name] : by_vertex) numbers.try_emplace(name, static_cast<int>(numbers.size()));
    const auto count = static_cast<int>(numbers.size());
    bool are_numbers = true;
    for (int k = 0; k < count && are_numbers; ++k) are_numbers = numbers.contains(std::to_string(k));
    std::vector<int> groups(n, -1);
    for (const auto& [v, name] : by_vertex) {
        groups[v] = are_numbers ? static_cast<int>(*parse_integer(name)) : numbers.at(name);
    }
    return groups;
}

}  // namespace neuroprim::formats
