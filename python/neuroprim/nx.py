"""networkx in, networkx out: one function for each problem, in the manner of networkx.

Every function takes an undirected graph (`weight` names the edge attribute; missing ones count 1) and returns a graph of
the same class. Keyword arguments of `neuroprim.solve` go through: `time_limit=10`, `seed=1`, `threads=2`, `method=…`.
Where `neuroprim.solve(G, …)` returns a Solution with bound and gap, these return the tree alone.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable
from typing import Any

import networkx
from networkx.utils import not_implemented_for

from ._graphs import weighted_edges
from ._solve import solve

__all__ = [
    "degree_constrained_spanning_tree",
    "hop_constrained_spanning_tree",
    "minimum_routing_cost_spanning_tree",
    "minimum_spanning_tree",
    "optimum_communication_spanning_tree",
    "steiner_tree",
]


@not_implemented_for("directed")
def minimum_spanning_tree(
    G: Any, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False, **options: Any
) -> Any:
    """The minimum spanning tree, exactly. A new graph with the attributes of G, as networkx's function gives.

    Of a graph that is not connected it is the forest of the trees of its parts. `algorithm` may be any of networkx's
    names, which all find the same weight; `ignore_nan` leaves out edges whose weight is NaN.
    """
    if algorithm not in ("kruskal", "prim", "boruvka"):
        raise ValueError(f"{algorithm} is not a valid choice for an algorithm.")
    asked = _without_nan(weight) if ignore_nan else weight
    visible = networkx.Graph()
    visible.add_nodes_from(G)
    visible.add_edges_from((u, v) for u, v, amount in weighted_edges(G, asked) if not _is_missing(amount, asked))
    edges: list[tuple[Hashable, Hashable]] = []
    for part in networkx.connected_components(visible):
        if len(part) > 1:
            graph = G if len(part) == len(G) else G.subgraph(part)
            edges += solve(graph, "mst", weight=asked, **options).named_edges
    return _spanning(G, edges, asked)


@not_implemented_for("directed")
def degree_constrained_spanning_tree(G: Any, degree: Any, weight: Any = "weight", **options: Any) -> Any:
    """A spanning tree of small weight in which no node has more than `degree` edges.

    `degree` may be a mapping of nodes to their limits, or the name of a node attribute that holds them.
    """
    return _spanning(G, solve(G, "dcmst", degree=degree, weight=weight, **options).named_edges, weight)


@not_implemented_for("directed")
def hop_constrained_spanning_tree(G: Any, root: Hashable, hops: int, weight: Any = "weight", **options: Any) -> Any:
    """A spanning tree of small weight in which no node is more than `hops` edges away from `root`."""
    return _spanning(G, solve(G, "hmst", root=root, hops=hops, weight=weight, **options).named_edges, weight)


@not_implemented_for("directed")
def minimum_routing_cost_spanning_tree(G: Any, weight: Any = "weight", **options: Any) -> Any:
    """A spanning tree whose distances between all pairs of nodes have a small sum."""
    return _spanning(G, solve(G, "mrcst", weight=weight, **options).named_edges, weight)


@not_implemented_for("directed")
def optimum_communication_spanning_tree(G: Any, requirements: Any, weight: Any = "weight", **options: Any) -> Any:
    """The same with traffic: `requirements` maps pairs of nodes to theirs, or is a matrix in the order of the nodes."""
    tree = solve(G, "ocst", requirements=requirements, weight=weight, **options)
    return _spanning(G, tree.named_edges, weight)


@not_implemented_for("directed")
def steiner_tree(
    G: Any, terminal_nodes: Iterable[Hashable], weight: Any = "weight", method: str | None = None, **options: Any
) -> Any:
    """A tree of small weight that holds all terminals: networkx's approximation.steiner_tree, better and faster.

    Returns what that returns, a subgraph view of G made of the tree's edges; G itself need not be connected as long as
    the terminals are. `method` may be one of networkx's, None, `mehlhorn` or `kou`: the tree is then searched for, and
    is at most as heavy as theirs almost always; or one of `neuroprim.methods()`. Unless `options` say otherwise, it takes
    one thread and ends when the tree is proven optimal or after a hundred iterations of the search, so the answer is the
    same every time.
    """
    if method not in (None, "mehlhorn", "kou"):
        options["method"] = method
    searches = options.get("method", "search") == "search"
    if searches and not {"time_limit", "target_gap", "max_iterations", "no_improvement"} & options.keys():
        options.update(max_iterations=100, threads=options.get("threads", 1))
    tree = solve(G, "stp", terminals=terminal_nodes, weight=weight, **options)
    return G.edge_subgraph(_lightest(G, tree.named_edges, weight))


def _is_missing(amount: Any, weight: Any) -> bool:
    """Does such a weight stand for no edge? As instances have it: infinity, and None from a function."""
    return bool(amount == math.inf) or (amount is None and callable(weight))


def _without_nan(weight: Any) -> Any:
    """The weight as a function that hides edges which have NaN."""

    def weight_of(u: Hashable, v: Hashable, marks: Any) -> Any:
        amount = weight(u, v, marks) if callable(weight) else 1 if weight is None else marks.get(weight, 1)
        return None if isinstance(amount, numbers.Real) and math.isnan(amount) else amount

    return weight_of


def _spanning(G: Any, edges: list[tuple[Hashable, Hashable]], weight: Any) -> Any:
    tree = G.__class__()
    tree.graph.update(G.graph)
    tree.add_nodes_from(G.nodes.items())
    for edge in _lightest(G, edges, weight):
        tree.add_edge(*edge, **G.edges[edge])
    return tree


def _lightest(G: Any, edges: list[tuple[Hashable, Hashable]], weight: Any) -> list[tuple[Hashable, ...]]:
    """The edges themselves; in a multigraph (u, v, key) of the lightest between each two nodes."""
    if not G.is_multigraph():
        return list(edges)

    def weight_of(u: Hashable, v: Hashable, key: Hashable) -> Any:
        marks = G.edges[u, v, key]
        if callable(weight):
            amount = weight(u, v, marks)
            return math.inf if amount is None else amount
        return 1 if weight is None else marks.get(weight, 1)

    return [(u, v, min(G[u][v], key=lambda key, u=u, v=v: weight_of(u, v, key))) for u, v in edges]  # type: ignore[misc]
