"""What `solve` returns."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Floats
from ._checks import number
from ._history import History
from ._instance import Instance


def relative_gap(cost: float, bound: float | None) -> float | None:
    """How far above the bound the cost is, as a part of the bound; 0 when proven optimal, None when that says nothing."""
    percent = _core.gap_percent(cost, bound)
    return None if percent is None else percent / 100


def told(core: _core.Solution) -> _core.Solution:
    """The same; what the caller of the caller should know is told as warnings."""
    for warning in core.warnings:
        warnings.warn(warning, stacklevel=3)
    return core


def solution_of(outcome: Any, instance: Instance) -> Any:
    """The solution that the core's outcome holds, or its exception, or None when it had not begun."""
    core, failure, cut_short, history, cables = outcome
    return failure if core is None else Solution(core, instance, cut_short, History(history), cables)


class Solution:
    """A tree with what is known about it.

    In a notebook it shows itself as a picture.
    """

    __slots__ = ("_cables", "_impl", "history", "instance", "interrupted")

    #: Cost and bound over time.
    history: History
    #: The instance that was solved.
    instance: Instance
    #: True when Ctrl-C (or StopIteration in a progress callback) ended the search before its own rules did.
    interrupted: bool

    def __init__(
        self, core: _core.Solution, instance: Instance, interrupted: bool, history: History, cables: Floats
    ) -> None:
        self._impl = core
        self.instance = instance
        self.interrupted = interrupted
        self.history = history
        self._cables = cables  # (k, 2): capacity and price, by rising capacity

    @property
    def cost(self) -> float:
        return self._impl.cost

    @property
    def bound(self) -> float | None:
        """A proven lower bound on the cost of every feasible tree, or None."""
        return self._impl.bound

    @property
    def gap(self) -> float | None:
        """(cost − bound) / bound: 0.01 means that the tree is at most 1 % above the optimum. None without a bound."""
        return relative_gap(self.cost, self.bound)

    @property
    def optimal(self) -> bool:
        """Is the tree proven optimal, up to rounding?"""
        return self._impl.proven

    @property
    def edges(self) -> npt.NDArray[np.int32]:
        """(m, 2): vertex numbers, in an order in which each edge (u, v) joins a new v to the part that holds u.

        It looks into the solution's own memory and cannot be written to.
        """
        return self._impl.edges

    @property
    def edge_weights(self) -> Floats:
        """(m,): the weight of each edge."""
        return self.instance._impl.weights_of(self.edges)

    @property
    def named_edges(self) -> list[tuple[Hashable, Hashable]]:
        """The edges as pairs of the input's own node names (numbers where it has none)."""
        label = self.instance.label
        return [(label(u), label(v)) for u, v in self.edges.tolist()]

    @property
    def parents(self) -> npt.NDArray[np.int32]:
        """(n,): the next vertex on the way to the root (to `start` without one); −1 of roots and of what is left out."""
        parents = np.full(self.instance.n, -1, dtype=np.int32)
        parents[self.edges[:, 1]] = self.edges[:, 0]
        return parents

    @property
    def depths(self) -> npt.NDArray[np.int32]:
        """(n,): edges between each vertex and the root (`start` without one); −1 of vertices that are left out."""
        depths = [-1] * self.instance.n
        for root in self.roots:
            depths[root] = 0
        for u, v in self.edges.tolist():
            depths[v] = depths[u] + 1
        return np.array(depths, dtype=np.int32)

    @property
    def distances(self) -> Floats:
        """(n,): the length of the way between each vertex and the root; `inf` of vertices that are left out."""
        distances = [np.inf] * self.instance.n
        for root in self.roots:
            distances[root] = 0.0
        for (u, v), weight in zip(self.edges.tolist(), self.edge_weights.tolist()):
            distances[v] = distances[u] + weight
        return np.array(distances)

    @property
    def loads(self) -> Floats:
        """(m,): the demand behind each edge, seen from the root (from `start` without one); a vertex demands 1 unless
        the input or `demands` say otherwise."""
        behind = list(self.instance._impl.demands) or [1.0] * self.instance.n
        loads = []
        for u, v in reversed(self.edges.tolist()):
            loads.append(behind[v])
            behind[u] += behind[v]
        return np.array(loads[::-1])

    @property
    def cable_types(self) -> npt.NDArray[np.int32]:
        """(m,): which of the `cables` each edge is, counted from 0 by rising capacity. Raises ValueError without any."""
        if not len(self._cables):
            raise ValueError("this tree is not made of cables: solve(..., cables=...) prices edges by their load")
        capacities = self._cables[:, 0]
        return np.searchsorted(capacities * (1 + 1e-9), self.loads).astype(np.int32)

    @property
    def cables(self) -> Floats:
        """(k, 2): capacity and price of the kinds of cable that were offered, by rising capacity; no rows without any."""
        return self._cables

    @property
    def start(self) -> int:
        """The vertex that the tree grew from; the root of rooted problems."""
        return self._impl.start

    @property
    def crossings(self) -> int | None:
        """Pairs of edges that cross, where capacities or cables ask for branches in the plane.

        None for other problems, and where millions of pairs would have to be compared.
        """
        return self._impl.crossings

    @property
    def roots(self) -> list[int]:
        """Where the trees of a forest hang from, `start` first; for one tree its start."""
        return self._impl.roots

    @property
    def problem(self) -> str:
        return self._impl.problem

    @property
    def specification(self) -> str:
        """What the tree was asked to be, in words; empty where the problem's name says it all, or has its own rules."""
        return self._impl.specification

    @property
    def method(self) -> str:
        return self._impl.method

    @property
    def seed(self) -> int:
        return self._impl.seed

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self._impl.seconds

    @property
    def iterations(self) -> int:
        """Perturbations that the search tried."""
        return self._impl.iterations

    @property
    def found_by(self) -> str:
        """Of the search: what built and what improved the tree."""
        return self._impl.found_by

    @property
    def statistics(self) -> _core.Statistics | None:
        """Of neural methods: how all their trees did."""
        return self._impl.statistics

    def to_networkx(self) -> Any:
        """The tree as a networkx.Graph with the input's nodes, their attributes and `weight` on its edges.

        Nodes that a Steiner tree leaves out are left out. Points become the attribute `pos`.
        """
        from ._networkx import tree_as_graph

        return tree_as_graph(self)

    def to_scipy(self) -> Any:
        """The tree as a symmetric scipy.sparse.csr_matrix of shape (n, n)."""
        from scipy import sparse

        u, v = self.edges[:, 0], self.edges[:, 1]
        weights, n = self.edge_weights, self.instance.n
        both = np.concatenate([weights, weights])
        return sparse.csr_matrix((both, (np.concatenate([u, v]), np.concatenate([v, u]))), shape=(n, n))

    def to_geopandas(self) -> Any:
        """The tree's lines as a geopandas.GeoDataFrame, in degrees where the input has them.

        Its columns are the properties of the GeoJSON that `save` writes, `load`, and `cable` where there are cables.
        """
        from ._geo import tree_as_frame

        return tree_as_frame(self)

    def to_json(self) -> str:
        """The JSON object that the command writes."""
        return self._impl.to_json(self.instance._impl)

    def to_svg(self, width: float = 800) -> str:
        """A picture of the tree."""
        return self._impl.to_svg(self.instance._impl, number("width", width, 1))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the tree, by the ending of the name: json, csv, geojson, dot, svg or png."""
        self._impl.save(self.instance._impl, os.fspath(path))

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draws the tree with Matplotlib; returns the axes.

        `ax` is where to draw, a new figure unless given; `style` goes to the LineCollection of the edges (`color`,
        `linewidths`, …).
        """
        from ._plot import plot_tree

        return plot_tree(self, ax, **style)

    def _repr_svg_(self) -> str:
        return self.to_svg(width=480)

    def __repr__(self) -> str:
        gap = "" if self.gap is None else f", gap {100 * self.gap:.3g} %"
        size = "1 vertex" if self.instance.n == 1 else f"{self.instance.n} vertices"
        cut = ", interrupted" if self.interrupted else ""
        return (
            f"<neuroprim.Solution: {self.problem}, {size}, cost {self.cost:.10g}{gap}, "
            f"{self.method}, {self.seconds:.3g} s{cut}>"
        )
