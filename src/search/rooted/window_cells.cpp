#include "search/rooted/window_cells.hpp"

#include <algorithm>
#include <utility>

namespace neuroprim::rooted {

namespace {

/// Cuts points like a k-d tree whose cuts lie at random near the middle.
class CellCutter {
public:
    CellCutter(std::span<const Point> positions, std::size_t size, Random random, WindowCells& cells)
        : positions_(positions), size_(size), random_(random), cells_(&cells) {}

    void cut(std::span<Vertex> members) {
        if (members.size() <= size_) {
            cells_->begin.push_back(cells_->begin.back() + members.size());
            return;
        }
        Point low = positions_[index(members.front())];
        Point high = low;
        for (const Vertex v : members) {
            const Point at = positions_[index(v)];
            low = {std::min(low.x, at.x), std::min(low.y, at.y)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y)};
        }
        const bool wide = high.x - low.x > high.y - low.y;
        const auto before = [&](Vertex a, Vertex b) {
            const double at_a = wide ? positions_[index(a)].x : positions_[index(a)].y;
            const double at_b = wide ? positions_[index(b)].x : positions_[index(b)].y;
            return at_a != at_b ? at_a < at_b : a < b;
        };
        const auto share = 0.35 + 0.3 * random_.uniform();
        const auto left = static_cast<std::size_t>(share * static_cast<double>(members.size()));
        std::nth_element(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(left), members.end(), before);
        cut(members.first(left));
        cut(members.subspan(left));
    }

private:
    std::span<const Point> positions_;
    std::size_t size_;
    Random random_;
    WindowCells* cells_;
};

/// Sorts each cell, and tells each vertex which one is its own.
void number_cells(WindowCells& cells) {
    cells.cell.resize(cells.vertices.size());
    for (std::size_t k = 0; k < cells.count(); ++k) {
        const auto first = cells.vertices.begin() + static_cast<std::ptrdiff_t>(cells.begin[k]);
        std::sort(first, cells.vertices.begin() + static_cast<std::ptrdiff_t>(cells.begin[k + 1]));
        for (const Vertex v : cells.of(k)) cells.cell[index(v)] = static_cast<Vertex>(k);
    }
}

}  // namespace

WindowCells cells_in_plane(std::span<const Point> positions, std::vector<Vertex> vertices, std::size_t size,
                           Random random) {
    WindowCells result{std::move(vertices), {0}, {}};
    CellCutter(positions, size, random, result).cut(result.vertices);
    number_cells(result);
    return result;
}

WindowCells window_cells(const Problem& problem, const TreeSnapshot& tree, std::size_t size, Random random) {
    if (const auto positions = problem.instance().positions(); !positions.empty()) {
        return cells_in_plane(positions, tree.order, size, random);
    }
    WindowCells result{tree.order, {0}, {}};
    const std::size_t n = result.vertices.size();
    for (std::size_t end = 1 + random.below(size); end < n; end += size) result.begin.push_back(end);
    result.begin.push_back(n);
    number_cells(result);
    return result;
}

}  // namespace neuroprim::rooted
