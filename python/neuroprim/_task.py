"""From the arguments of `solve` to what the core is told; everything is checked here, in the words of Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _core
from ._checks import PARAMETERS, checked, is_usual, number, whole
from ._instance import Instance, as_instance
from ._models import model_file
from ._problem import Problem
from ._specification import pair_of, specified

#: Keywords that say what a tree must be.
SPECIFYING = [name for name, row in PARAMETERS.items() if row["specifies"] and name not in ("problem", "metric")]


class Task:
    """An instance with a problem and options, as Python and as the core know it."""

    def __init__(
        self,
        data: Any,
        problem: str | Problem | None = None,
        *,
        metric: str | None = None,
        weight: Any = "weight",
        has_policy: bool = False,
        **options: Any,
    ) -> None:
        given = {name: options.pop(name) for name in SPECIFYING if name in options}
        given = {name: value for name, value in given.items() if value is not None}
        _check_known(problem)
        instance = as_instance(data, weight=weight, metric=metric)
        preset = problem if isinstance(problem, str) else None
        instance, problem_options, facts = specified(instance, preset, given)
        if isinstance(problem, Problem) and options.get("threads") is None:
            options["threads"] = 1  # rules in Python are asked one at a time: more threads would only wait
        self.instance = instance
        self.core = _core.Task(
            instance=instance._impl,
            face=instance,
            problem=preset or "",
            rules=problem if isinstance(problem, Problem) else None,
            problem_options=problem_options,
            options=solve_options(instance, **options),
            facts=facts,
        )
        if not has_policy and options.get("model") is None and _core.is_neural(options.get("method") or "search"):
            name = problem.name if isinstance(problem, Problem) else _core.problem_name(self.core)
            self._check_policy(options["method"], name)

    def _check_policy(self, method: str, name: str) -> None:
        """Said in the words of Python before the core says it in those of the command line."""
        if _core.model_for(self.core) is None:
            raise ValueError(f"{method} needs model=..., a policy or its file: there is no pretrained one for {name}")


def _check_known(problem: Any) -> None:
    if problem is None or isinstance(problem, Problem):
        return
    if isinstance(problem, type) and issubclass(problem, Problem):
        raise TypeError(f"problem: expected an object; {problem.__name__}() makes one")
    if not isinstance(problem, str):
        raise TypeError(f"problem: expected a name or a neuroprim.Problem, found {problem!r}")
    if problem not in _core.problems():
        raise ValueError(f"unknown problem {problem!r}: expected one of {', '.join(_core.problems())}")


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
    augmentations: int = 0,
    augmentations_per_start: int = 0,
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
    options.time_limit = None if time_limit is None else checked("time_limit", time_limit)
    options.target_gap = None if target_gap is None else 100 * number("target_gap", target_gap, 0)
    options.max_iterations = None if max_iterations is None else checked("max_iterations", max_iterations)
    options.no_improvement = None if no_improvement is None else checked("no_improvement", no_improvement)
    options.seed = checked("seed", seed)
    options.threads = (0 if threads is None else checked("threads", threads)) or _core.cores()
    if start is not None:
        options.start = instance.indices([start], "start")[0]
    policy = getattr(model, "_impl", None)
    if isinstance(policy, _core.Policy):
        options.set_policy(policy)
    elif model is not None:
        options.model = model_file(model)
    options.starts = checked("starts", starts)
    options.samples = checked("samples", samples)
    options.beam = checked("beam", beam)
    options.augmentations = checked("augmentations", augmentations)
    options.augmentations_per_start = checked("augmentations_per_start", augmentations_per_start)
    options.rounds = checked("rounds", rounds)
    options.temperature = checked("temperature", temperature)
    options.max_memory = None if max_memory is None else whole("max_memory", max_memory, 1, 2**63 - 1)
    options.set_initial(initial)
    given = locals()
    for name, row in PARAMETERS.items():
        if row["readers"] and not is_usual(name, given[name]):
            _core.check_use(name, method)
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
        edges = [pair_of(edge) for edge in tree.tolist()]
    else:
        edges = [pair_of(edge) for edge in (tree.edges() if hasattr(tree, "edges") else tree)]
    numbers = [instance.indices(edge, "edges") for edge in edges]
    return (numbers[0][0] if numbers else 0), np.array(numbers, dtype=np.int32).reshape(-1, 2)
