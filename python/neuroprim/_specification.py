"""What a tree must be, from keywords: limits for the core, and facts about vertices as marks of the instance."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Callable, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Floats, float_rows
from ._checks import checked, number, whole
from ._instance import Instance
from ._limits import NUMBERS

Value = TypeVar("Value")

def specified(
    instance: Instance, problem: str | None, given: Mapping[str, Any]
) -> tuple[Instance, _core.ProblemOptions, list[str]]:
    """The instance with the facts that keywords tell about its vertices, the limits, and the names of the facts.

    `problem` is the name of a preset, None where the keywords and the input say it all.
    """
    options = _core.ProblemOptions()
    _set_limits(instance, given, options)
    marks = _marks(instance, given)
    if problem == "ocst" and "requirements" not in marks and not instance._impl.has_requirements:
        raise ValueError("ocst needs requirements=..., the traffic between every pair of vertices")
    facts = ["degree" if name == "degree_limits" else name for name in marks if len(marks[name]) > 0]
    return (instance._marked(**marks) if marks else instance), options, facts


def _set_limits(instance: Instance, given: Mapping[str, Any], options: _core.ProblemOptions) -> None:
    if "root" in given:
        roots = _roots(instance, given["root"])
        options.root, options.other_roots = roots[0], roots[1:]
    for name in NUMBERS:
        if name in given:
            options.set_limit(name, checked(name, given[name]))
    if "no_crossings" in given:
        if not isinstance(given["no_crossings"], (bool, np.bool_)):
            raise TypeError(f"no_crossings: expected True or False, found {given['no_crossings']!r}")
        options.no_crossings = bool(given["no_crossings"])
    if _is_one(given.get("degree")):
        options.set_limit("degree", checked("degree", given["degree"]))
    if "cables" in given:
        _set_cables(given["cables"], options)
    for name, put in (("include_edges", options.include_edges), ("exclude_edges", options.exclude_edges)):
        if name in given:
            put(_edges(instance, given[name], name))


def _roots(instance: Instance, given: Any) -> list[int]:
    """One vertex, or a list, set, array or tuple of them; a tuple that is a node itself is one vertex."""
    several = isinstance(given, (list, set, frozenset, np.ndarray))
    if isinstance(given, tuple):
        several = instance.graph is None or given not in instance.graph
    if not several:
        return instance.indices([given], "root")
    roots = sorted(set(instance.indices(given, "root")))
    if not roots:
        raise ValueError("root: expected a vertex or several, found none")
    return [int(root) for root in roots]


def _marks(instance: Instance, given: Mapping[str, Any]) -> dict[str, Any]:
    marks: dict[str, Any] = {}
    degree = given.get("degree")
    if degree is not None and not _is_one(degree):
        least_one = lambda name, value: whole(name, value, 1)
        marks["degree_limits"] = _each(instance, degree, "degree", least_one, instance.n)
    for name, other in (("demands", 1.0), ("masses", 1.0), ("prizes", 0.0)):
        if name in given:
            least_nothing = lambda name, value: number(name, value, 0)
            marks[name] = _each(instance, given[name], name, least_nothing, other)
    for name in ("terminals", "leaves"):
        if name in given:
            marks[name] = _vertices(instance, given[name], name)
    if "groups" in given:
        marks["groups"] = _groups(instance, given["groups"])
    if "requirements" in given:
        marks["requirements"] = _requirements(instance, given["requirements"])
    return marks


def _is_one(degree: Any) -> bool:
    """One limit for all vertices, not a limit for each."""
    return degree is not None and not isinstance(degree, (str, Mapping)) and np.ndim(degree) == 0


def _attribute(instance: Instance, name: str, what: str) -> dict[Hashable, Any]:
    """The node attribute of this name, of nodes that have it."""
    if instance.graph is None:
        raise TypeError(f"{what}: a name stands for a node attribute of a networkx graph, and this is none")
    named = {node: value for node, value in instance.graph.nodes(data=name) if value is not None}
    if not named:
        raise ValueError(f"{what}: no node has the attribute {name!r}")
    return named


def _each(
    instance: Instance, given: Any, what: str, read: Callable[[str, Any], Value], other: Value
) -> list[Value]:
    """A value for every vertex: from all of them, or from a mapping, or a node attribute, of some; `other` else."""
    if isinstance(given, str):
        named = _attribute(instance, given, what)
        if what == "degree" and len(named) < instance.n:
            missing = next(node for node in instance.graph if node not in named)
            raise ValueError(f"degree: node {missing!r} has no attribute {given!r}")
        given = named
    one = what.removesuffix("s")
    if isinstance(given, Mapping):
        values = [other] * instance.n
        for node, value in given.items():
            values[instance.indices([node], what)[0]] = read(f"{one} of {node!r}", value)
        return values
    if not isinstance(given, Iterable):
        raise TypeError(f"{what}: expected a number for each vertex or a mapping of some, found {given!r}")
    values = [read(f"{one} of vertex {v}", value) for v, value in enumerate(given)]
    if len(values) != instance.n:
        wanted = f"one limit or {instance.n}" if what == "degree" else f"{instance.n} numbers"
        raise ValueError(f"{what}: expected {wanted}, found {len(values)}")
    return values


def _vertices(instance: Instance, given: Any, what: str) -> npt.NDArray[np.int32]:
    """Numbers of vertices, from vertices or from a mask: one boolean for each vertex, in their order."""
    is_mask = getattr(given, "dtype", None) == np.bool_
    if isinstance(given, (list, tuple)) and given and instance.graph is None:
        is_mask = all(isinstance(one, (bool, np.bool_)) for one in given)
    if not is_mask:
        numbers = np.array(instance.indices(given, what), dtype=np.int32)
    else:
        mask = np.asarray(given)
        if mask.shape != (instance.n,):
            raise ValueError(f"{what}: expected a mask of shape ({instance.n},), found shape {mask.shape}")
        numbers = np.flatnonzero(mask).astype(np.int32)
    if what == "terminals" and len(numbers) == 0:
        raise ValueError("terminals: expected at least one vertex, found none")
    return numbers


def _groups(instance: Instance, given: Any) -> list[int]:
    """The number of each vertex's group, −1 for none: from sets of vertices, or from the name of each one's group."""
    if isinstance(given, str):
        given = _attribute(instance, given, "groups")
    if not isinstance(given, Iterable):
        raise TypeError(f"groups: expected sets of vertices or a group for each vertex, found {given!r}")
    if not isinstance(given, Mapping):
        members = list(given)
        if any(isinstance(one, Iterable) and not isinstance(one, (str, bytes)) for one in members):
            return _groups_of_sets(instance, members)
        if len(members) != instance.n:
            raise ValueError(f"groups: expected sets of vertices or {instance.n} groups, found {len(members)}")
        given = dict(zip((instance.label(v) for v in range(instance.n)), members))
    numbers: dict[Hashable, int] = {}
    groups = [-1] * instance.n
    for node, group in given.items():
        if group is None or (isinstance(group, (int, np.integer)) and group < 0):
            continue
        groups[instance.indices([node], "groups")[0]] = numbers.setdefault(group, len(numbers))
    return groups


def _groups_of_sets(instance: Instance, sets: list[Any]) -> list[int]:
    groups = [-1] * instance.n
    for group, members in enumerate(sets):
        for v in instance.indices(members, "groups"):
            if groups[v] >= 0:
                raise ValueError(f"groups: vertex {instance.label(v)!r} is in two of them")
            groups[v] = group
    return groups


def _set_cables(given: Any, options: _core.ProblemOptions) -> None:
    """Pairs of capacity and price, or the CSV file that has them."""
    if isinstance(given, (str, os.PathLike)):
        return options.read_cables(os.fspath(given))
    wanted = "cables: expected pairs (capacity, price) or a file"
    if not isinstance(given, Iterable):
        raise TypeError(f"{wanted}, found {given!r}")
    pairs = []
    for k, cable in enumerate(given):
        pair = tuple(cable) if isinstance(cable, Iterable) and not isinstance(cable, (str, bytes)) else ()
        if len(pair) != 2:
            raise ValueError(f"{wanted}, found {cable!r}")
        pairs.append((number(f"capacity of cable {k + 1}", pair[0], 0), number(f"price of cable {k + 1}", pair[1], 0)))
    if not pairs:
        raise ValueError(f"{wanted}, found none")
    options.set_cables(pairs)


def pair_of(edge: Any) -> tuple[Any, ...]:
    """The two ends of an edge."""
    ends = tuple(edge) if isinstance(edge, Iterable) and not isinstance(edge, (str, bytes)) else ()
    if len(ends) != 2:
        raise ValueError(f"expected edges as pairs of vertices, found {edge!r}")
    return ends


def _edges(instance: Instance, given: Any, what: str) -> npt.NDArray[np.int32]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{what}: expected edges as pairs of vertices, found {given!r}")
    pairs = given.tolist() if isinstance(given, np.ndarray) else given
    try:
        numbers = [instance.indices(pair_of(edge), what) for edge in pairs]
    except ValueError as error:
        raise ValueError(str(error) if str(error).startswith(what) else f"{what}: {error}") from None
    return np.array(numbers, dtype=np.int32).reshape(-1, 2)


def _requirements(instance: Instance, given: Any) -> Floats:
    """(n, n) from a matrix or from a mapping of pairs; pairs that it leaves out have none."""
    if not isinstance(given, Mapping):
        rows, _ = float_rows(given, "requirements")
        if rows.shape != (instance.n, instance.n):
            raise ValueError(f"requirements: expected shape ({instance.n}, {instance.n}), found {rows.shape}")
        return rows
    rows = np.zeros((instance.n, instance.n))
    for pair, amount in given.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"requirements: expected pairs of vertices as keys, found {pair!r}")
        u, v = instance.indices(pair, "requirements")
        rows[u, v] = rows[v, u] = number(f"requirement of {pair!r}", amount, 0)
    return rows
