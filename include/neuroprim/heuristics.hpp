#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

struct MethodOptions {
    Vertex start = no_vertex;  ///< grow from here; `no_vertex` lets the method choose
    int threads = 1;

    /// Asked now and then, by any thread; once true the method returns what it has, if that is a whole tree, or
    /// throws Interrupted.
    std::function<bool()> interrupted = {};
};

/// A classical construction, faithful to its definition: the baselines that everything else is compared with
/// (docs/methods.md). The same problem and options give the same tree, whatever the number of threads.
struct Method {
    std::string_view name;
    std::string_view title;

    /// Builds one tree that holds every required vertex. Throws Infeasible when it finds none and InputError when
    /// the instance does not suit it (farthest insertion on an incomplete graph).
    ///
    /// `prim`, `hop-prim`, `hop-levels`, `hop-descent`, `degree-prim` and `star` keep the problem's rules or throw.
    /// The others know no limits: `kruskal` for a degree limit is the plain MST. The caller judges the tree with
    /// `Problem::violation`.
    Tree (*construct)(const Problem& problem, const MethodOptions& options);

    bool builds_mst = false;  ///< the tree is a minimum spanning tree of the required vertices, whatever the problem

    /// The problems that it is made for; null: all. For others it throws InputError.
    bool (*made_for)(const Problem&) = nullptr;

    [[nodiscard]] bool supports(const Problem& problem) const { return made_for == nullptr || made_for(problem); }
};

[[nodiscard]] std::span<const Method> methods();

/// Throws InputError when no method has this name.
[[nodiscard]] const Method& method_named(std::string_view name);

/// The classical method that suits the problem best when the user names none.
[[nodiscard]] const Method& default_method(const Problem& problem);

}  // namespace neuroprim
