#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"
#include "problems/crossings.hpp"

namespace neuroprim::rooted {

/// Less than this part of a cost is rounding, not an improvement.
inline constexpr double rounding = 1e-11;

/// Where a vertex stands, as seen from the top of its component. O(depth) to find.
struct Place {
    Vertex top = no_vertex;     ///< the root, or the top of the floating subtree that holds it
    Vertex branch = no_vertex;  ///< the child of the top above it, or itself; none for the top
    int hops = 0;               ///< edges between the top and it
    double length = 0;          ///< and their weight
    int far_above = 0;          ///< hops to the farthest vertex that does not hang from it; kept where it matters
};

/// What hangs from a vertex, seen from there.
struct Burden {
    int hops = 0;       ///< to its deepest vertex
    double length = 0;  ///< to its farthest vertex
    double load = 0;    ///< its demand
};

/// A tree of which most vertices are left out: what the others have to know of them.
struct Contraction {
    std::vector<char> is_fixed;  // (k) the edge above stays, and stands for the whole way to the parent
    std::vector<int> hops;       // (k) edges of that way; 1 where it is not fixed, 0 for the twin of a root
    std::vector<double> length;  // (k) their weight
    std::vector<int> height;     // (k) hops to the deepest vertex among those left out that hang from here
    std::vector<double> reach;   // (k) length to the farthest of them
};

/// A rooted tree with what a specification limits: loads, hops, lengths, degrees. Subtrees can be cut off and float
/// for a while; whatever hangs below the root always keeps the limits if every `attach` was asked for by `fits`.
///
/// A limited diameter is kept by a limit on hops from a centre: a vertex when the diameter is even, an edge when it
/// is odd. The centre is then the root, and the other end of the centre edge, its twin, counts no hop. Hops from a
/// root of the specification are kept beside it by a chain that seems to hang from there (`chain_at_root`). Where
/// lengths or loads are counted from a root, too, the tree hangs from that root, and a vertex that gets a child is
/// asked how far the farthest one is from it.
///
/// `attach` and `detach` cost O(depth), O(1) where nothing has to be kept up to date above.
class ResourceTree {
public:
    /// Does it know all that this problem's specification asks for?
    [[nodiscard]] static bool supports(const Problem& problem);

    /// Do the trees of this specification hang from the centre of a limited diameter?
    [[nodiscard]] static bool has_centre(const TreeSpec& spec);

    /// The problem must outlive it, and be supported.
    explicit ResourceTree(const Problem& problem);

    /// For trees that stand for a larger one. The problem has a root and no diameter; its demands are those of all
    /// that hangs from a vertex and was left out, its degrees what is left of them.
    ResourceTree(const Problem& problem, Contraction contraction);

    /// Takes a feasible tree over and forgets what can be undone. O(n).
    void load(const Tree& tree);

    /// The same for a tree told by parents: those with `no_vertex` are outside, but for the root.
    void load(Vertex root, Vertex twin, std::span<const Vertex> parent);

    /// The tree below the root, in growing order. Floating subtrees are not part of it. O(n).
    [[nodiscard]] Tree tree() const;

    /// Of all edges, floating ones too, and the prizes of what is outside. Fixed edges of a contraction cost nothing.
    [[nodiscard]] double cost() const { return cost_; }

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(node_.size()); }
    [[nodiscard]] Vertex root() const { return root_; }
    [[nodiscard]] Vertex twin() const { return twin_; }
    [[nodiscard]] bool inside(Vertex v) const { return node_[index(v)].inside; }
    [[nodiscard]] Vertex parent(Vertex v) const { return node_[index(v)].parent; }
    [[nodiscard]] Vertex first_child(Vertex v) const { return node_[index(v)].first_child; }
    [[nodiscard]] Vertex next_sibling(Vertex v) const { return node_[index(v)].next; }
    [[nodiscard]] int children(Vertex v) const { return node_[index(v)].children; }
    [[nodiscard]] int degree(Vertex v) const { return children(v) + (parent(v) == no_vertex ? 0 : 1); }

    /// Edges that the one above stands for: 1, unless it is that of a twin or of a contraction.
    [[nodiscard]] int hop(Vertex v) const { return node_[index(v)].hop; }
    [[nodiscard]] double weight_above(Vertex v) const { return node_[index(v)].weight_above; }
    [[nodiscard]] bool is_group_inside(int group) const {
        return group_inside_[static_cast<std::size_t>(group)] != 0;
    }

    /// Demand of the subtree of `v`; kept only where the specification asks for it.
    [[nodiscard]] double load_of(Vertex v) const { return node_[index(v)].load; }

    /// The subtree of `v` itself: hops to its deepest vertex, length to its farthest one, demand; 0 where not kept.
    [[nodiscard]] Burden burden_of(Vertex v) const;

    /// The same for a vertex alone.
    [[nodiscard]] double own_load(Vertex v) const;

    [[nodiscard]] Place place(Vertex v) const;

    /// Does it depend on the whole tree what may hang from a vertex? Places are then known till the next `attach`.
    [[nodiscard]] bool asks_how_far() const { return widest_ > 0; }

    /// From where the parent of `v` stands to where `v` does.
    void descend(Place& place, Vertex v) const {
        const Node& node = node_[index(v)];
        if (asks_how_far()) place.far_above = node.hop + std::max(place.far_above, height_beside(v));
        place.hops += node.hop;
        place.length += node.weight_above;
        if (place.branch == no_vertex) place.branch = v;
    }

    /// May the edge above `v` be cut? Not the one between the two ends of a centre, and no included edge.
    [[nodiscard]] bool may_detach(Vertex v) const;

    /// May the floating subtree of `v` hang from `u`, which stands at `place` below the root?
    [[nodiscard]] bool fits(const Place& place, Vertex u, Vertex v) const {
        return fits(place, u, v, keeps_lengths_ ? problem_->weights()(u, v) : 0);
    }
    [[nodiscard]] bool fits(const Place& place, Vertex u, Vertex v, double weight) const;

    /// May anything with this burden do so? Crossings are not looked at.
    [[nodiscard]] bool fits(const Place& place, Vertex u, const Burden& burden) const;

    /// Does the burden keep the limits where nothing else takes part of them?
    [[nodiscard]] bool fits_alone(const Burden& burden) const;

    /// What that adds to the cost. O(1) where prices do not depend on loads, O(depth) otherwise.
    [[nodiscard]] double price(Vertex u, Vertex v, double weight) const;

    /// What a unit of weight costs under this load, and what the load adds to the edges above `u`.
    [[nodiscard]] double unit_price(double load) const { return priced_by_load_ ? edge_price(load) : 1; }
    [[nodiscard]] double price_of_load_above(Vertex u, double load) const;

    /// What the leaf `v` costs where it hangs.
    [[nodiscard]] double price_above(Vertex v) const;

    void detach(Vertex v);
    void attach(Vertex u, Vertex v);

    /// An outside vertex becomes a floating subtree of its own, and back.
    void take_in(Vertex v);
    void leave_out(Vertex v);

    /// Turns a floating subtree so that `v` is its top. O(depth²) at worst.
    void turn(Vertex v);

    /// Makes `v`, which hangs below the root, the root, without a twin. Limits are not looked at.
    void change_root(Vertex v);

    /// Makes `v`, which hangs below the root, the other end of the centre edge; limits are not looked at.
    void change_twin(Vertex v);

    /// All since the last `commit` or `load` stays.
    void commit() { log_.clear(); }

    /// Calls `visit(v)` for every vertex whose parent may have changed since then, some of them several times.
    template <class Visit>
    void for_each_changed(Visit&& visit) const {
        for (const Change& change : log_) {
            if (change.kind == Kind::attached || change.kind == Kind::left_out) visit(change.v);
            if (change.kind == Kind::root_changed) visit(change.other);  // it hangs from nothing now
        }
    }

    /// How many changes can be undone; undoes the last of them till there are so many only.
    [[nodiscard]] std::size_t changes() const { return log_.size(); }
    void roll_back(std::size_t changes = 0);

private:
    /// All of a vertex in one line of the cache.
    struct alignas(64) Node {
        Vertex parent = no_vertex;
        Vertex first_child = no_vertex;
        Vertex next = no_vertex;
        Vertex previous = no_vertex;
        int children = 0;
        int hop = 1;      // edges that the one above stands for
        int height = 0;   // hops to the deepest vertex below
        int deepest = 0;  // ways down that reach it
        double weight_above = 0;
        double load = 0;
        double reach = 0;  // length to the farthest vertex below
        bool inside = false;
        bool fixed = false;  // it may not be cut off
    };
    enum class Kind { attached, detached, taken_in, left_out, root_changed, twin_changed };
    struct Change {
        Kind kind;
        Vertex v;      // the former root or twin where that changed
        Vertex other;  // the parent, or the new root
        double cost_before;
    };

    [[nodiscard]] double edge_price(double load) const;
    [[nodiscard]] int least_height(Vertex v) const;
    [[nodiscard]] int height_beside(Vertex v) const;
    void link(Vertex u, Vertex v);
    void unlink(Vertex v);
    void set_twin(Vertex v);
    void add_load(Vertex from, double load);
    void update_heights(Vertex x, int before, int after);
    void update_reaches(Vertex x, double before, double after);
    void do_attach(Vertex u, Vertex v);
    void do_detach(Vertex v);
    void do_take_in(Vertex v);
    void do_leave_out(Vertex v);

    const Problem* problem_;
    const TreeSpec* spec_;
    int most_hops_ = 0;       // 0: not limited
    int widest_ = 0;          // the diameter where the tree does not hang from its centre; 0: not limited
    int chain_ = 0;           // edges that seem to hang from the specification's root (`chain_at_root`)
    double most_length_ = 0;  // with tolerance; infinity: not limited
    double capacity_ = 0;     // with tolerance; infinity: not limited
    bool keeps_heights_ = false;
    bool keeps_lengths_ = false;
    bool keeps_loads_ = false;
    bool priced_by_load_ = false;
    double total_mass_ = 0;  // for routing cost

    Vertex root_ = no_vertex;
    Vertex twin_ = no_vertex;
    double cost_ = 0;
    std::vector<Node> node_;  // (n)
    std::optional<Contraction> contraction_;
    std::vector<int> group_inside_;
    std::optional<CrossingIndex> crossings_;  // of all edges, floating ones too, where none may cross
    std::vector<Change> log_;
};

}  // namespace neuroprim::rooted
