#pragma once

#include <vector>

#include "formats/text/text.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim::formats {

/// Points that a file lists by vertex number, from one, in any order. Takes memory for what was listed only,
/// whatever number of vertices the file announces.
class NumberedPoints {
public:
    NumberedPoints(const Text& text, Vertex n) : text_(&text), n_(n) {}

    /// Fails on a number outside 1 … n.
    void add(const Token& number, Point point);

    [[nodiscard]] std::size_t size() const { return entries_.size(); }

    /// The points of vertices 0 … n−1. Fails, with the line of `at`, when there are not n; with its own line when
    /// a vertex was listed twice.
    [[nodiscard]] std::vector<Point> in_order(std::size_t at) const;

private:
    struct Entry {
        Vertex vertex;
        std::size_t at;
        Point point;
    };

    const Text* text_;
    Vertex n_;
    std::vector<Entry> entries_;
};

}  // namespace neuroprim::formats
