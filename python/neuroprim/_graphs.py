"""Graphs of other libraries as lists of edges: networkx, SciPy's sparse matrices, GeoJSON as text."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._geo import geo_mapping


@dataclass
class GraphParts:
    """A graph as the core reads it."""

    n: int
    sources: npt.NDArray[np.int32]
    targets: npt.NDArray[np.int32]
    weights: Floats
    nodes: list[Hashable] | None = None
    graph: Any = None
    terminals: list[int] | None = None
    layout: Floats | None = None


def parts_of_sparse(matrix: Any) -> GraphParts:
    """Stored entries are edges; one triangle is enough, two must agree."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"expected a sparse matrix of shape (n, n), found shape {matrix.shape}")
    if matrix.dtype.kind not in "iuf":
        raise TypeError(f"expected a sparse matrix of numbers, found {matrix.dtype}")
    n = int(matrix.shape[0])
    entries = matrix.tocsr().tocoo()  # equal places are added up on the way, as SciPy means them
    keep = (entries.row != entries.col) & ~np.isposinf(entries.data)
    row, col = entries.row[keep].astype(np.int64), entries.col[keep].astype(np.int64)
    weight: Floats = entries.data[keep].astype(np.float64)
    wrong = ~(weight >= 0)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise ValueError(f"entry ({row[k]}, {col[k]}): expected a weight of at least 0, found {weight[k]}")
    _check_both_triangles(n, row, col, weight)
    return GraphParts(n, row.astype(np.int32), col.astype(np.int32), weight)


def _check_both_triangles(n: int, row: Any, col: Any, weight: Floats) -> None:
    pair = np.minimum(row, col) * n + np.maximum(row, col)
    order = np.argsort(pair, kind="stable")
    pair, weight = pair[order], weight[order]
    differs = (pair[1:] == pair[:-1]) & (weight[1:] != weight[:-1])
    if differs.any():
        k = int(np.argmax(differs))
        u, v = divmod(int(pair[k]), n)
        raise ValueError(
            f"expected a symmetric matrix or one triangle, found {weight[k]} and {weight[k + 1]} between {u} and {v}"
        )


def parts_of_graph(graph: Any, weight: Any = "weight") -> GraphParts:
    """A networkx graph, directed ones excepted."""
    if graph.is_directed():
        raise TypeError("expected an undirected graph; G.to_undirected() makes one")
    nodes: list[Hashable] = list(graph)
    index = {node: v for v, node in enumerate(nodes)}
    sources: list[int] = []
    targets: list[int] = []
    weights: list[float] = []
    for u, v, amount in weighted_edges(graph, weight):
        if u == v or amount == math.inf or (amount is None and callable(weight)):
            continue
        sources.append(index[u])
        targets.append(index[v])
        weights.append(amount)
    values = _numbers(weights, nodes, sources, targets)
    ends = np.array([sources, targets], dtype=np.int32).reshape(2, -1)
    marked = [v for v, (_, marks) in enumerate(graph.nodes(data=True)) if marks.get("terminal", False)]
    return GraphParts(len(nodes), ends[0], ends[1], values, nodes, graph, marked, _layout(graph))


def weighted_edges(graph: Any, weight: Any) -> Any:
    """(u, v, weight) of every edge, parallel ones each; a function hides an edge by None."""
    if callable(weight):
        return ((u, v, weight(u, v, marks)) for u, v, marks in graph.edges(data=True))
    if weight is None:
        return ((u, v, 1.0) for u, v in graph.edges())
    return graph.edges(data=weight, default=1)


def _numbers(weights: list[float], nodes: list[Hashable], sources: list[int], targets: list[int]) -> Floats:
    try:
        values: Floats = np.array(weights, dtype=np.float64)
        fine = values.ndim == 1 and not any(w is None or isinstance(w, str) for w in weights)
    except (TypeError, ValueError):
        fine = False
    if not fine:
        odd = (k for k, w in enumerate(weights) if isinstance(w, str) or not hasattr(w, "__float__"))
        k = next(odd, 0)
        edge = f"edge ({nodes[sources[k]]!r}, {nodes[targets[k]]!r})"
        raise TypeError(f"{edge}: expected a number as its weight, found {weights[k]!r}")
    wrong = ~(values >= 0)
    if wrong.any():
        k = int(np.argmax(wrong))
        edge = f"edge ({nodes[sources[k]]!r}, {nodes[targets[k]]!r})"
        raise ValueError(f"{edge}: expected a weight of at least 0, found {weights[k]!r}")
    return values


def _layout(graph: Any) -> Floats | None:
    """(n, 2), where every node has a position of two coordinates."""
    places = [place for _, place in graph.nodes(data="pos")]
    try:
        layout: Floats = np.array(places, dtype=np.float64)
    except (TypeError, ValueError):
        return None  # they mean something else
    return layout if layout.shape == (len(places), 2) and np.isfinite(layout).all() else None


def json_text(data: Any, *, in_degrees: bool = True) -> str:
    """What GeoJSON-like data say, as JSON. NumPy's numbers and arrays are taken for Python's."""
    mapping = geo_mapping(data, in_degrees=in_degrees)
    if "type" not in mapping:
        raise ValueError('expected a GeoJSON-like mapping with a "type", found the keys ' + ", ".join(map(str, mapping)))

    def plain(value: Any) -> Any:
        if isinstance(value, (np.generic, np.ndarray)):
            return value.tolist()
        if isinstance(value, Mapping):
            return dict(value)
        if hasattr(value, "__geo_interface__"):
            return value.__geo_interface__
        if hasattr(value, "isoformat"):
            return value.isoformat()  # dates are columns of frames
        raise TypeError(f"GeoJSON: {type(value).__name__} is nothing that JSON can hold")

    try:
        return json.dumps(dict(mapping), default=plain, allow_nan=False)
    except ValueError as error:
        raise ValueError(f"GeoJSON: expected finite coordinates ({error})") from None
