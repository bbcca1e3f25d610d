"""From the arguments of `solve` to what the core is told; everything is checked here, in the words of Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Floats, float_rows
from ._checks import number, whole
from ._instance import Instance, as_instance
from ._models import model_file
from ._problem import Problem

#: The methods that need a policy.
NEURAL = ("greedy", "beam", "sample")

#: Which arguments each problem reads.
_READS = {
    "mst": set(),
    "dcmst": {"degree"},
    "mrcst": set(),
    "ocst": {"requirements"},
    "stp": {"terminals"},
    "hmst": {"root", "hops"},
}  # type: dict[str, set[str]]


class Task:
    """An instance with a problem and options, as Python and as the core know it."""

    def __init__(
        self,
        data: Any,
        problem: str | Problem,
        *,
        degree: Any = None,
        terminals: Any = None,
        root: Any = None,
        hops: Any = None,
        requirements: Any = None,
        metric: str | None = None,
        weight: Any = "weight",
        has_policy: bool = False,
        **options: Any,
    ) -> None:
        given = {"degree": degree, "terminals": terminals, "root": root, "hops": hops, "requirements": requirements}
        given = {name: value for name, value in given.items() if value is not None}
        instance = as_instance(data, weight=weight, metric=metric)
        problem_options = _core.ProblemOptions()
        if isinstance(problem, str):
            self._check_known(problem, given)
            instance = _with_marks(instance, problem, given, problem_options)
        elif isinstance(problem, Problem):
            if given:
                raise TypeError(f"a problem of your own takes its arguments itself, not {_listed(given)}")
            if options.get("threads") is None:
                options["threads"] = 1  # rules in Python are asked one at a time: more threads would only wait
        elif isinstance(problem, type) and issubclass(problem, Problem):
            raise TypeError(f"problem: expected an object; {problem.__name__}() makes one")
        else:
            raise TypeError(f"problem: expected a name or a neuroprim.Problem, found {problem!r}")
        self.instance = instance
        self.core = _core.Task(
            instance=instance._impl,
            face=instance,
            problem=problem if isinstance(problem, str) else "",
            rules=None if isinstance(problem, str) else problem,
            problem_options=problem_options,
            options=solve_options(instance, **options),
        )
        if not has_policy and options.get("model") is None and options.get("method") in NEURAL:
            self._check_policy(options["method"], problem if isinstance(problem, str) else problem.name)

    @staticmethod
    def _check_known(problem: str, given: Mapping[str, Any]) -> None:
        if problem not in _core.problems():
            raise ValueError(f"unknown problem {problem!r}: expected one of {', '.join(_core.problems())}")
        stray = set(given) - _READS.get(problem, set(given))
        if stray:
            raise TypeError(f"{problem} takes no {_listed(stray)}")

    def _check_policy(self, method: str, name: str) -> None:
        """Said in the words of Python before the core says it in those of the command line."""
        if _core.model_for(self.core) is None:
            raise ValueError(f"{method} needs model=..., a policy or its file: there is no pretrained one for {name}")


def _listed(names: Iterable[str]) -> str:
    return " or ".join(sorted(names))


def _with_marks(instance: Instance, problem: str, given: Mapping[str, Any], options: Any) -> Instance:
    if problem == "dcmst":
        return _with_degree(instance, given.get("degree"), options)
    if problem == "stp":
        if "terminals" in given:
            instance = instance._marked(terminals=_terminals(instance, given["terminals"]))
        if len(instance.terminals) == 0:
            raise ValueError("stp needs terminals=[...], or vertices that the input marks as terminals")
    if problem == "ocst":
        if "requirements" in given:
            instance = instance._marked(requirements=_requirements(instance, given["requirements"]))
        elif not instance._impl.has_requirements:
            raise ValueError("ocst needs requirements=..., the traffic between every pair of vertices")
    if problem == "hmst":
        if "hops" not in given:
            raise ValueError("hmst needs hops=..., the longest way from the root")
        options.hops = whole("hops", given["hops"], 1)
        options.root = instance.indices([given["root"]], "root")[0] if "root" in given else 0
    return instance


def _terminals(instance: Instance, given: Any) -> npt.NDArray[np.int32]:
    """The terminals' numbers, from vertices or from a mask: one boolean for each vertex, in their order."""
    is_mask = getattr(given, "dtype", None) == np.bool_
    if isinstance(given, (list, tuple)) and given and instance.graph is None:
        is_mask = all(isinstance(one, (bool, np.bool_)) for one in given)
    if not is_mask:
        return np.array(instance.indices(given, "terminals"), dtype=np.int32)
    mask = np.asarray(given)
    if mask.shape != (instance.n,):
        raise ValueError(f"terminals: expected a mask of shape ({instance.n},), found shape {mask.shape}")
    return np.flatnonzero(mask).astype(np.int32)


def _with_degree(instance: Instance, degree: Any, options: Any) -> Instance:
    if degree is None:
        if not instance._impl.degree_limits:
            raise ValueError("dcmst needs degree=..., or limits in the input")
        return instance
    if isinstance(degree, str):
        if instance.graph is None:
            raise TypeError("degree: a name stands for a node attribute of a networkx graph, and this is none")
        named = dict(instance.graph.nodes(data=degree))
        missing = [node for node, limit in named.items() if limit is None]
        if missing:
            raise ValueError(f"degree: node {missing[0]!r} has no attribute {degree!r}")
        degree = named
    if isinstance(degree, Mapping):
        limits = [instance.n] * instance.n  # vertices that are not named have no limit
        for node, limit in degree.items():
            limits[instance.indices([node], "degree")[0]] = whole(f"degree of {node!r}", limit, 1)
    elif isinstance(degree, Sequence) or np.ndim(degree) > 0:
        limits = [whole(f"degree of vertex {v}", limit, 1) for v, limit in enumerate(degree)]
        if len(limits) != instance.n:
            raise ValueError(f"degree: expected one limit or {instance.n}, found {len(limits)}")
    else:
        options.degree = whole("degree", degree, 1)
        return instance
    return instance._marked(degree_limits=limits)


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


def solve_options(
    instance: Instance,
    *,
    method: str = "search",
    time_limit: float | None = None,
    target_gap: float | None = None,
    max_iterations: int | None = None,
    no_improvement: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    start: Any = None,
    model: Any = None,
    starts: int = 0,
    samples: int = 0,
    beam: int = 4,
    augment: int = 1,
    spread: int = 0,
    rounds: int = 1,
    temperature: float = 1.0,
    max_memory: int | None = None,
    warm_start: Any = None,
    initial: str = "best",
) -> _core.SolveOptions:
    """The core's options; each is checked."""
    if not isinstance(method, str):
        raise TypeError(f"method: expected a name, found {method!r}")
    if not isinstance(initial, str):
        raise TypeError(f"initial: expected a name, found {initial!r}")
    if method not in _core.methods():
        raise ValueError(f"unknown method {method!r}: expected one of {', '.join(_core.methods())}")
    options = _core.SolveOptions()
    options.method = method
    options.time_limit = None if time_limit is None else number("time_limit", time_limit, 0)
    options.target_gap = None if target_gap is None else 100 * number("target_gap", target_gap, 0)
    options.max_iterations = None if max_iterations is None else whole("max_iterations", max_iterations, 0)
    options.no_improvement = None if no_improvement is None else whole("no_improvement", no_improvement, 1)
    options.seed = whole("seed", seed, 0, 2**64 - 1)
    options.threads = _core.cores() if threads is None else whole("threads", threads, 1, 4096)
    if start is not None:
        options.start = instance.indices([start], "start")[0]
    policy = getattr(model, "_impl", None)
    if isinstance(policy, _core.Policy):
        options.set_policy(policy)
    elif model is not None:
        options.model = model_file(model)
    options.starts = whole("starts", starts, 0)
    options.samples = whole("samples", samples, 0)
    options.beam = whole("beam", beam, 1)
    options.augment = whole("augment", augment, 1, _core.most_sides())
    options.spread = whole("spread", spread, 0, _core.most_sides())
    options.rounds = whole("rounds", rounds, 1, _core.most_sides())
    options.temperature = number("temperature", temperature, 0)
    options.max_memory = None if max_memory is None else whole("max_memory", max_memory, 1, 2**63 - 1)
    options.set_initial(initial)
    if warm_start is not None:
        options.set_warm_start(*tree_of(instance, warm_start))
    return options


def tree_of(instance: Instance, tree: Any) -> tuple[int, Any]:
    """Start and edges (m, 2) of a solution, or of pairs of vertices."""
    if hasattr(tree, "start") and hasattr(tree, "edges") and not callable(tree.edges):
        return tree.start, tree.edges
    if not isinstance(tree, Iterable) or isinstance(tree, (str, bytes)):
        raise TypeError(f"expected a tree as a Solution, an array or pairs of vertices, found {tree!r}")
    if isinstance(tree, np.ndarray) and tree.dtype.kind in "iu" and tree.ndim == 2 and instance.graph is None:
        edges = [_pair(edge) for edge in tree.tolist()]
    else:
        edges = [_pair(edge) for edge in (tree.edges() if hasattr(tree, "edges") else tree)]
    numbers = [instance.indices(edge, "edges") for edge in edges]
    return (numbers[0][0] if numbers else 0), np.array(numbers, dtype=np.int32).reshape(-1, 2)


def _pair(edge: Any) -> tuple[Any, ...]:
    ends = tuple(edge) if isinstance(edge, Iterable) and not isinstance(edge, (str, bytes)) else ()
    if len(ends) != 2:
        raise ValueError(f"expected edges as pairs of vertices, found {edge!r}")
    return ends
