"""Trees in Matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Floats

if TYPE_CHECKING:
    from ._history import History
    from ._solution import Solution


def plot_tree(solution: Solution, ax: Any, **style: Any) -> Any:
    """Edges as one LineCollection, vertices as dots, terminals as squares; see Solution.plot."""
    import matplotlib.pyplot as pyplot
    from matplotlib.collections import LineCollection

    if ax is None:
        _, ax = pyplot.subplots()
    instance = solution.instance
    positions = instance.positions
    places = round_layout(solution) if positions is None else positions
    edges = solution.edges
    inside = sorted({solution.start, *edges.ravel().tolist()})
    terminals = instance.terminals
    ax.add_collection(LineCollection(places[edges], **{"color": "tab:blue", "linewidths": 1.5, "zorder": 1, **style}))
    ax.scatter(*places.T, s=6, color="lightgray", zorder=0)
    ax.scatter(*places[inside].T, s=12, color="black", zorder=2)
    if len(terminals):
        ax.scatter(*places[terminals].T, s=30, marker="s", color="tab:red", zorder=3)
    ax.set_aspect("equal")
    ax.margins(0.05)
    ax.set_axis_off()
    gap = "" if solution.gap is None else f"   gap {100 * solution.gap:.2g} %"
    ax.set_title(f"{solution.problem}   {solution.cost:.6g}{gap}")
    return ax


def plot_history(history: History, ax: Any) -> Any:
    """Cost and bound as steps over seconds; see History.plot."""
    import matplotlib.pyplot as pyplot

    if ax is None:
        _, ax = pyplot.subplots()
    ax.step(history.seconds, history.cost, where="post", color="tab:blue", label="cost")
    if np.isfinite(history.bound).any():
        ax.step(history.seconds, history.bound, where="post", color="tab:gray", linestyle="--", label="proven bound")
        ax.legend()
    ax.set_xlabel("seconds")
    ax.set_ylabel("cost")
    return ax


def round_layout(solution: Solution) -> Floats:
    """(n, 2) for a tree without positions: the start in the middle, each subtree in a sector as wide as its leaves."""
    children: dict[int, list[int]] = {}
    for u, v in solution.edges.tolist():
        children.setdefault(u, []).append(v)
    order = [solution.start]
    for u in order:
        order.extend(children.get(u, ()))
    leaves: dict[int, int] = {}
    for u in reversed(order):
        leaves[u] = sum(leaves[v] for v in children.get(u, ())) or 1
    places: Floats = np.full((solution.instance.n, 2), np.nan)  # NaN: not drawn
    sector = {solution.start: (0.0, 2 * math.pi, 0)}
    for u in order:
        begin, end, depth = sector[u]
        middle = (begin + end) / 2
        places[u] = depth * math.cos(middle), depth * math.sin(middle)
        for v in children.get(u, ()):
            width = (end - begin) * leaves[v] / leaves[u]
            sector[v] = (begin, begin + width, depth + 1)
            begin += width
    return places
