"""Instances: one weighted graph, from any form that people have it in."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Callable, Optional, Union

import numpy as np

from . import _core
from ._arrays import Floats, check_points, float_rows
from ._checks import number, whole
from ._geo import is_geo, planar_points
from ._graphs import GraphParts, json_text, parts_of_graph, parts_of_sparse

WeightName = Union[str, Callable[[Any, Any, Any], Optional[float]], None]


class Instance:
    """A weighted graph and what is known about its vertices. Immutable; `solve` makes one of what it is given.

    Vertices are numbered 0 … n − 1 in the order of the input. Where they have names (nodes of a networkx graph, names
    in a file), `nodes` lists them and functions take names for vertices.

    Points and matrices of float64 in C order are read where they are, without a copy, so they must not change while
    the instance or a solution of it is in use; `copied` tells whether a copy was made.
    """

    __slots__ = ("_impl", "_index", "copied", "graph", "nodes")

    _impl: _core.Instance
    #: The vertices' names in their order, or None where numbers are all there is.
    nodes: list[Hashable] | None
    #: The networkx graph that it was made of, or None.
    graph: Any
    #: Whether the numbers of an array were copied; always True for graphs, sparse matrices and files.
    copied: bool

    def __init__(
        self, core: _core.Instance, *, nodes: Sequence[Hashable] | None = None, graph: Any = None, copied: bool = True
    ) -> None:
        if not isinstance(core, _core.Instance):
            raise TypeError("Instance.from_points, from_matrix, from_graph and the like make instances")
        if core.n < 1:
            raise ValueError("expected at least one vertex")
        self._impl = core
        self.nodes = list(nodes) if nodes is not None else None
        self._index = {node: v for v, node in enumerate(self.nodes)} if self.nodes is not None else None
        self.graph = graph
        self.copied = copied

    @classmethod
    def from_points(cls, points: Any, metric: str = "euclidean") -> Instance:
        """The complete graph on points of shape (n, 2), measured by `metric` (see `neuroprim.metrics()`).

        For `great-circle` they are (longitude, latitude) in degrees and weights are metres.
        """
        rows, copied = float_rows(points, "points")
        if rows.shape[1] != 2:
            raise ValueError(f"expected points of shape (n, 2), found shape {rows.shape}")
        check_points(rows, "point")
        if metric == "great-circle" and (np.abs(rows) > (360, 90)).any():
            raise ValueError("expected (longitude, latitude) in degrees: latitudes lie between -90 and 90")
        return cls(_core.Instance.from_points(rows, metric), copied=copied)

    @classmethod
    def from_matrix(cls, weights: Any) -> Instance:
        """The graph with these weights: shape (n, n), symmetric, from 0 to 1e150; `inf` where there is no edge.

        Zero is an edge that costs nothing. The diagonal is not looked at. A matrix that is symmetric only up to
        rounding (one part in 10⁹) is copied and evened out.
        """
        rows, copied = float_rows(weights, "weights")
        if rows.shape[0] != rows.shape[1]:
            raise ValueError(f"expected weights of shape (n, n), found shape {rows.shape}")
        try:
            return cls(_core.Instance.from_matrix(rows), copied=copied)
        except ValueError:
            if not np.allclose(rows, rows.T, rtol=1e-9, atol=0):
                raise
        return cls(_core.Instance.from_matrix(rows / 2 + rows.T / 2))

    @classmethod
    def from_sparse(cls, weights: Any) -> Instance:
        """The graph whose edges are the stored entries of a SciPy sparse matrix, in one triangle or in both.

        A stored zero is an edge that costs nothing; the diagonal is not looked at.
        """
        return cls._from_parts(parts_of_sparse(weights))

    @classmethod
    def from_graph(cls, graph: Any, weight: WeightName = "weight") -> Instance:
        """A networkx graph; nodes keep their names.

        `weight` names the edge attribute (1 where it is missing, as in networkx), or is a function of (u, v,
        attributes). Of parallel edges the lightest counts; loops do not. Nodes whose attribute `terminal` is true are
        terminals, and the attribute `pos`, where all nodes have it, is where pictures show them.
        """
        return cls._from_parts(parts_of_graph(graph, weight))

    @classmethod
    def from_geojson(cls, data: Any, **streets: float | str) -> Instance:
        """A GeoJSON-like mapping, an object with `__geo_interface__` or a list of such, by great-circle metres.

        So a GeoPandas frame or series, which is projected to degrees where its `crs` says otherwise, and Shapely
        geometries. Properties of features, the columns of a frame, say what vertices are: see docs/formats.md.
        Where there are lines, they are streets and points are addresses; `streets` are options as in `read`.
        """
        return cls._only(*_core.Instance.parse(json_text(data), "GeoJSON", "geojson", _texts(streets)), "GeoJSON")

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], format: str = "", *, max_input: int = 2**31, **streets: float | str
    ) -> Instance:
        """The one instance in a file of any format that the command reads; `file#3` or `file#NAME` picks one of several.

        A file that holds more than `max_input` bytes of text, once unpacked, is a ValueError. What the reader skips or
        takes for granted is a UserWarning.

        Maps with lines take options more, as the command has them: `snap_tolerance` and `snap_distance` in metres,
        `weight_property`, `price_property`, `terminal_property`, `demand_property`, `prize_property`, `existing_property`,
        `forbidden_property` and, for OpenStreetMap, `terminal_tag`.
        """
        name = os.fspath(path)
        if not os.path.exists(name.partition("#")[0]):
            raise FileNotFoundError(f"there is no file {name}")
        most = whole("max_input", max_input, 1, 2**62)
        return cls._only(*_core.Instance.read(name, format, most, _texts(streets)), name)

    @classmethod
    def random(
        cls,
        n: int = 50,
        shape: str = "uniform",
        *,
        terminals: int = 0,
        requirements: bool = False,
        average_degree: float = 4,
        seed: int = 0,
    ) -> Instance:
        """A random instance, the same on every machine: `uniform`, `clustered`, `grid`, `matrix` or `sparse`."""
        if not isinstance(shape, str):
            raise TypeError(f"shape: expected a name, found {shape!r}")
        n, terminals = whole("n", n, 1), whole("terminals", terminals, 0)
        degree = number("average_degree", average_degree, 0)
        core = _core.Instance.random(n, shape, terminals, bool(requirements), degree, whole("seed", seed, 0, 2**64 - 1))
        return cls(core)

    def around(self, obstacles: Any) -> Instance:
        """The same points with edges that go around areas by the shortest way.

        `obstacles` is the name of a GeoJSON file, a GeoJSON-like mapping, or Shapely or GeoPandas areas: in degrees for
        points on the globe, in the unit of the points otherwise. For up to 2,000 points.
        """
        if isinstance(obstacles, (str, os.PathLike)):
            source = os.fspath(obstacles)
            with open(source, encoding="utf-8") as file:
                text = file.read()
        else:
            source = "obstacles"
            text = json_text(obstacles, in_degrees=self.metric == "great-circle")
        core, told = self._impl.around(text, source)
        for message in told:
            warnings.warn(message, stacklevel=2)
        return Instance(core, nodes=self.nodes)

    @property
    def n(self) -> int:
        """How many vertices there are."""
        return self._impl.n

    def __len__(self) -> int:
        return self._impl.n

    @property
    def name(self) -> str:
        return self._impl.name

    @property
    def form(self) -> str:
        """`points`, `matrix` or `sparse`: the form that the weights are kept in."""
        return self._impl.form

    @property
    def metric(self) -> str | None:
        """How points are measured; None without points."""
        return self._impl.metric if self.form == "points" else None

    @property
    def terminals(self) -> Any:
        """The terminals' numbers, increasing."""
        return self._impl.terminals

    @property
    def positions(self) -> Floats | None:
        """(n, 2): where the vertices are drawn; None when nothing is known."""
        return self._impl.positions

    def weight(self, u: Hashable, v: Hashable) -> float:
        """What the edge between two vertices weighs; `inf` when there is none."""
        return float(self._impl.weights_of(np.array([[self.index(u), self.index(v)]], dtype=np.int32))[0])

    def index(self, node: Hashable) -> int:
        """The number of a vertex given by its name or its number. Raises ValueError when there is none."""
        if self._index is not None:
            try:
                if node in self._index:
                    return self._index[node]
            except TypeError:
                raise TypeError(f"expected a node, found {type(node).__name__}") from None
            if self.graph is not None:
                raise ValueError(f"{node!r} is not a node of the graph")
        if isinstance(node, (int, np.integer)) and not isinstance(node, bool):
            if 0 <= node < self.n:
                return int(node)
            raise ValueError(f"vertex {node} is not among the {self.n} vertices")
        if self._index is not None and isinstance(node, str):
            raise ValueError(f"no vertex has the name {node!r}")
        raise TypeError(f"expected a vertex by its number, found {node!r}")

    def indices(self, nodes: Iterable[Hashable], what: str) -> list[int]:
        """The numbers of several vertices; `what` names them in errors."""
        if isinstance(nodes, (str, bytes)) or not isinstance(nodes, Iterable):
            raise TypeError(f"{what}: expected several vertices, found {nodes!r}")
        try:
            return [self.index(node) for node in nodes]
        except (TypeError, ValueError) as error:
            raise type(error)(f"{what}: {error}") from None

    def label(self, v: int) -> Hashable:
        """The name of vertex `v`, or its number."""
        return self.nodes[v] if self.nodes is not None else int(v)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<neuroprim.Instance{name}: {self.n} {'vertex' if self.n == 1 else 'vertices'}, {self._impl.edge_count} edges, {self.form}>"

    def __copy__(self) -> Instance:
        return self  # nobody can change it

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """For pickle and deep copies, which hold numbers of their own."""
        state = {name: getattr(self, name) for name in self.__slots__}
        return None, {**state, "copied": True}

    def _marked(self, **marks: Any) -> Instance:
        return Instance(self._impl.marked(**marks), nodes=self.nodes, graph=self.graph, copied=self.copied)

    def _measured(self, metric: str) -> Instance:
        core = self._impl.with_metric(metric)
        return Instance(core, nodes=self.nodes, graph=self.graph, copied=self.copied)

    @classmethod
    def _from_parts(cls, parts: GraphParts) -> Instance:
        core = _core.Instance.from_edges(parts.n, parts.sources, parts.targets, parts.weights)
        if parts.nodes is not None:
            core = core.marked(names=[str(node) for node in parts.nodes])
        if parts.terminals:
            core = core.marked(terminals=np.array(parts.terminals, dtype=np.int32))
        if parts.layout is not None:
            core = core.marked(layout=parts.layout)
        return cls(core, nodes=parts.nodes, graph=parts.graph)

    @classmethod
    def _from_text(cls, text: str, source: str, format: str) -> Instance:
        return cls._only(*_core.Instance.parse(text, source, format), source)

    @classmethod
    def _only(cls, found: list[_core.Instance], told: list[str], source: str) -> Instance:
        for message in told:
            warnings.warn(message, stacklevel=3)
        if len(found) != 1:
            raise ValueError(f"{source} holds {len(found)} instances; {source}#1 is the first")
        names = found[0].names
        return cls(found[0], nodes=names if len(set(names)) == found[0].n and all(names) else None)


def _texts(options: Mapping[str, float | str]) -> dict[str, str]:
    """Options of maps as the command would have them."""
    for name, value in options.items():
        if isinstance(value, bool) or not isinstance(value, (str, int, float, np.integer, np.floating)):
            raise TypeError(f"{name}: expected a number or a name, found {value!r}")
    return {name: value if isinstance(value, str) else repr(float(value)) for name, value in options.items()}


def as_instance(data: Any, *, weight: WeightName = "weight", metric: str | None = None) -> Instance:
    """The instance that `data` describes: see `solve` for what it may be."""
    if metric is not None and not isinstance(metric, str):
        raise TypeError(f"metric: expected a name, found {metric!r}")
    if metric is not None and metric != "great-circle" and is_geo(data):
        points = planar_points(data)
        if points is not None:
            return Instance.from_points(points, metric)
        if getattr(getattr(data, "crs", None), "is_projected", False):
            raise ValueError(f"a frame is measured along great circles; frame.geometry is measured by {metric}")
    if isinstance(data, (list, tuple, np.ndarray)) and not is_geo(data):
        return _of_array(data, metric)
    instance = _of_object(data, weight)
    if instance is None:
        if not hasattr(data, "__array__"):
            raise TypeError(
                "expected points (n, 2), a matrix (n, n), a SciPy sparse matrix, a networkx graph, GeoJSON, "
                f"a file name or an Instance, found {type(data).__name__}"
            )
        return _of_array(data, metric)
    if metric is None or metric == instance.metric:
        return instance
    return instance._measured(metric)


def _of_object(data: Any, weight: WeightName) -> Instance | None:
    if isinstance(data, Instance):
        return data
    if isinstance(data, (str, os.PathLike)):
        return Instance.read(data)
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(data, networkx.Graph):
        return Instance.from_graph(data, weight)
    sparse = sys.modules.get("scipy.sparse")
    if sparse is not None and sparse.issparse(data):
        return Instance.from_sparse(data)
    if is_geo(data):
        return Instance.from_geojson(data)
    return None


def _of_array(data: Any, metric: str | None) -> Instance:
    rows, copied = float_rows(data, "input")
    if rows.shape[1] == 2:
        instance = Instance.from_points(rows, metric or "euclidean")
    elif rows.shape[0] == rows.shape[1]:
        if metric is not None:
            raise ValueError("a metric needs points, and this graph is given by its weights")
        instance = Instance.from_matrix(rows)
    else:
        raise ValueError(f"expected points of shape (n, 2) or weights of shape (n, n), found shape {rows.shape}")
    instance.copied = instance.copied or copied
    return instance
