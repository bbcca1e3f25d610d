#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "formats/streets/map_features.hpp"

namespace neuroprim::formats {

/// What a map has that a graph has not. Each kind is told once, with the features that have it.
class Findings {
public:
    enum class Kind {
        repeated_points,
        no_length,
        self_touching,
        loop,
        parallel,
        said_nothing,
        same_place,
        in_forbidden_area,
        forbidden,
        count,  // of kinds
    };

    /// `what` makes the sentence that follows the feature's name; only the first of a kind is asked.
    template <class What>
    void add(Kind kind, std::size_t feature, What&& what) {
        Found& found = found_[static_cast<std::size_t>(kind)];
        if (found.features.empty()) found.sentence = what();
        if (found.features.empty() || found.features.back() != feature) found.features.push_back(feature);
    }

    /// One warning for each kind.
    void tell(const Text& text, const MapFeatures& map) const;

private:
    struct Found {
        std::string sentence;
        std::vector<std::size_t> features;
    };

    std::array<Found, static_cast<std::size_t>(Kind::count)> found_;
};

}  // namespace neuroprim::formats
