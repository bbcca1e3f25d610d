#include "search/windows/tree_windows.hpp"

#include <algorithm>
#include <utility>

namespace neuroprim {

namespace {

/// Cuts one tree. What hangs below a vertex is open till a window takes it.
class TreeCutter {
public:
    TreeCutter(const RootedTree& tree, const WindowCut& cut) : tree_(&tree), cut_(&cut) {
        const std::size_t n = tree.parent.size();
        begin_.assign(n + 1, 0);
        open_.assign(n, 1);
        taken_.assign(n, false);
        for (const Vertex v : tree.order) {
            if (tree.parent[index(v)] != no_vertex) ++begin_[index(tree.parent[index(v)]) + 1];
        }
        for (std::size_t v = 0; v < n; ++v) begin_[v + 1] += begin_[v];
        children_.resize(begin_[n]);
        std::vector<Vertex> by_rank(tree.order);
        std::sort(by_rank.begin(), by_rank.end(), [&](Vertex a, Vertex b) { return rank(a) < rank(b); });
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (const Vertex v : by_rank) {
            if (const Vertex parent = tree.parent[index(v)]; parent != no_vertex) {
                children_[next[index(parent)]++] = v;
            }
        }
    }

    [[nodiscard]] std::vector<TreeWindow> windows() && {
        for (auto v = tree_->order.rbegin(); v != tree_->order.rend(); ++v) close_below(*v);
        number_levels();
        hand_out_degrees();
        return std::move(windows_);
    }

private:
    [[nodiscard]] Vertex rank(Vertex v) const { return cut_->rank.empty() ? v : cut_->rank[index(v)]; }

    [[nodiscard]] std::span<const Vertex> children(Vertex v) const {
        return std::span(children_).subspan(begin_[index(v)], begin_[index(v) + 1] - begin_[index(v)]);
    }

    /// Leaves open what is small enough to join the window above.
    void close_below(Vertex v) {
        const auto below = children(v);
        std::size_t size = 1;
        for (const Vertex child : below) size += open_[index(child)];
        const bool is_root = tree_->parent[index(v)] == no_vertex;
        open_[index(v)] = size;
        if (below.empty() || (!is_root && size < cut_->usual)) return;

        const auto first = static_cast<std::size_t>(cut_->turn * static_cast<double>(below.size())) % below.size();
        std::vector<Vertex> group;
        std::size_t together = 1;
        for (std::size_t k = 0; k < below.size(); ++k) {
            const Vertex child = below[(first + k) % below.size()];
            if (together + open_[index(child)] > cut_->most) {
                close(v, group);
                together = 1;
            }
            group.push_back(child);
            together += open_[index(child)];
        }
        const bool stays_open = !is_root && 2 * together < cut_->usual;
        open_[index(v)] = stays_open ? together : 1;
        if (!stays_open) close(v, group);
    }

    void close(Vertex top, std::vector<Vertex>& group) {
        if (group.empty()) return;
        TreeWindow window{top, std::move(group), 0};
        group.clear();
        for (const Vertex child : window.members) taken_[index(child)] = true;
        for (std::size_t k = 0; k < window.members.size(); ++k) {
            for (const Vertex child : children(window.members[k])) {
                if (taken_[index(child)]) continue;
                taken_[index(child)] = true;
                window.members.push_back(child);
            }
        }
        windows_.push_back(std::move(window));
    }

    /// Windows above are closed after those below.
    void number_levels() {
        std::vector<int> level_of(taken_.size(), -1);
        for (auto window = windows_.rbegin(); window != windows_.rend(); ++window) {
            window->level = level_of[index(window->top)] + 1;
            for (const Vertex v : window->members) level_of[index(v)] = window->level;
        }
    }

    /// The largest window at each root gets what its degree limit leaves there.
    void hand_out_degrees() {
        std::vector<TreeWindow*> largest(taken_.size(), nullptr);
        for (TreeWindow& window : windows_) {
            if (tree_->parent[index(window.top)] != no_vertex) continue;
            TreeWindow*& most = largest[index(window.top)];
            if (most == nullptr || window.members.size() > most->members.size()) most = &window;
        }
        for (TreeWindow* window : largest) {
            if (window != nullptr) window->has_spare_degree = true;
        }
    }

    const RootedTree* tree_;
    const WindowCut* cut_;
    std::vector<std::size_t> begin_;  // (n + 1)
    std::vector<Vertex> children_;    // those of v at [begin_[v], begin_[v + 1]), by rank
    std::vector<std::size_t> open_;   // (n) vertices from here down that no window has
    std::vector<bool> taken_;         // (n) the edge above is in a window
    std::vector<TreeWindow> windows_;
};

}  // namespace

std::vector<TreeWindow> tree_windows(const RootedTree& tree, const WindowCut& cut) {
    return TreeCutter(tree, cut).windows();
}

}  // namespace neuroprim
