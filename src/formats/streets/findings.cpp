#include "formats/streets/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neuroprim::formats {

void Findings::tell(const Text& text, const MapFeatures& map) const {
    constexpr std::size_t named = 3;
    for (const Found& found : found_) {
        if (found.features.empty()) continue;
        std::vector<std::size_t> others = found.features;
        std::sort(others.begin() + 1, others.end());
        others.erase(std::unique(others.begin() + 1, others.end()), others.end());
        others.erase(std::remove(others.begin() + 1, others.end(), others.front()), others.end());
        std::string sentence = found.sentence;
        if (others.size() > 1) {
            std::vector<std::string> names;
            for (std::size_t k = 1; k < std::min(others.size(), 1 + named); ++k)
                names.push_back(map.name_of(others[k]));
            sentence += fmt::format("; the same holds for {}", fmt::join(names, ", "));
            if (others.size() > 1 + named) sentence += fmt::format(" and {} more", others.size() - 1 - named);
        }
        map.warn(text, found.features.front(), sentence);
    }
}

}  // namespace neuroprim::formats
