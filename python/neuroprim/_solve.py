"""solve, solve_many and check."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable

from . import _core
from ._checks import whole
from ._problem import Problem
from ._solution import Solution, relative_gap, told
from ._task import Task, tree_of

if TYPE_CHECKING:
    from ._policy import Policy


@dataclass(frozen=True)
class Progress:
    """Where a search stands, for the callback of `solve`."""

    seconds: float
    iterations: int
    cost: float  #: of the best tree so far
    bound: float | None  #: proven so far
    found_by: str

    @property
    def gap(self) -> float | None:
        """(cost − bound) / bound."""
        return relative_gap(self.cost, self.bound)


@dataclass(frozen=True)
class BatchProgress:
    """One more instance has ended, for the callback of `solve_many`."""

    done: int  #: how many have ended
    total: int
    index: int  #: which one has ended now
    result: Solution | BaseException | None  #: None when it was stopped before it had a tree


def solve(
    data: Any,
    problem: str | Problem = "dcmst",
    *,
    degree: Any = None,
    terminals: Any = None,
    root: Any = None,
    hops: int | None = None,
    requirements: Any = None,
    metric: str | None = None,
    weight: Any = "weight",
    method: str = "search",
    time_limit: float | None = None,
    target_gap: float | None = None,
    max_iterations: int | None = None,
    no_improvement: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    start: Any = None,
    model: str | os.PathLike[str] | Policy | None = None,
    starts: int = 0,
    samples: int = 0,
    beam: int = 4,
    augment: int = 1,
    spread: int = 0,
    rounds: int = 1,
    temperature: float = 1.0,
    max_memory: int | None = None,
    warm_start: Any = None,
    beginnings: str = "best",
    progress: Callable[[Progress], Any] | None = None,
) -> Solution:
    """Finds a good tree, checks it, and says how far from optimal it can be at most.

    `data` is one of
      points         an array of shape (n, 2); `metric` says how they are measured
      weights        an array of shape (n, n), symmetric, `inf` where there is no edge
      sparse         a SciPy sparse matrix: its stored entries are the edges
      graph          a networkx graph; `weight` names the edge attribute
      GeoJSON        a mapping, or an object with `__geo_interface__`
      file           the name of a file in any format that the command reads
      Instance       made by one of the above, or `Instance.random`
    Arrays of float64 in C order are not copied. An array of shape (2, 2) is two points.

    `problem` is a name of `neuroprim.problems()`, or an object of a class derived from `neuroprim.Problem`:
      mst            minimum spanning tree
      dcmst          `degree`: a limit for all vertices (3 unless given here or in the input), one for each, a mapping of
                     some vertices to theirs, or the name of a node attribute
      mrcst          least sum of tree distances over all pairs
      ocst           the same with traffic: `requirements`, a matrix or a mapping of pairs
      stp            Steiner tree: `terminals`, vertices by name or number, or marked in the input
      hmst           `hops` edges from `root` at most

    `method` is a name of `neuroprim.methods()`. The default, `search`, ends when the tree is proven optimal, when
    nothing is left to try, or by the first of these rules: `time_limit` in seconds (1 when no rule is given),
    `target_gap` (0.01 is 1 %), `max_iterations`, `no_improvement` (iterations in a row). Without a time limit the
    answer depends on the arguments alone, not on `threads` (all cores unless given). `warm_start` is a tree to go on
    from: a Solution or pairs of vertices. `beginnings` says where first trees come from: best, classical, neural, both.

    The neural methods `greedy`, `beam` and `sample` use the pretrained policy of the problem, or `model`: a file or a
    `Policy`. They read `starts`, `samples`, `beam`, `augment`, `spread`, `rounds` and `temperature`. A policy that needs
    more than `max_memory` bytes (three quarters of what is free unless given) raises ValueError; `search` does without.

    `progress` is called in this thread with a `Progress` when there is a better tree or bound; when it is slower than
    the search, with the newest one. StopIteration raised in it ends the search; other exceptions reach the caller.
    Ctrl-C ends the search too: the best tree so far is returned, with `interrupted` set.

    Raises ValueError or TypeError on arguments that make no sense, Infeasible when no feasible tree was found.
    """
    task = Task(
        data,
        problem,
        degree=degree,
        terminals=terminals,
        root=root,
        hops=hops,
        requirements=requirements,
        metric=metric,
        weight=weight,
        method=method,
        time_limit=time_limit,
        target_gap=target_gap,
        max_iterations=max_iterations,
        no_improvement=no_improvement,
        seed=seed,
        threads=threads,
        start=start,
        model=model,
        starts=starts,
        samples=samples,
        beam=beam,
        augment=augment,
        spread=spread,
        rounds=rounds,
        temperature=temperature,
        max_memory=max_memory,
        warm_start=warm_start,
        beginnings=beginnings,
    )
    _check_callable(progress)
    listener = None if progress is None else lambda *state: progress(Progress(*state))
    core, _, cut_short = _core.solve(task.core, listener)
    assert core is not None
    return Solution(told(core), task.instance, cut_short)


def solve_many(
    data: Iterable[Any],
    problem: str | Problem = "dcmst",
    *,
    threads: int | None = None,
    progress: Callable[[BatchProgress], Any] | None = None,
    return_exceptions: bool = False,
    **options: Any,
) -> list[Any]:
    """Solves several instances, as many at a time as there are `threads` (cores unless given), one thread each.

    `options` are those of `solve` and hold for every instance. The answers come in the order of the instances. The
    first failure stops all and is raised, unless `return_exceptions` asks for exceptions among the answers.

    `progress` is called in this thread with a `BatchProgress` whenever an instance has ended. After Ctrl-C (or
    StopIteration in the callback) the list holds what there is: solutions, the best tree so far of those that were
    being solved (`interrupted` set), and None for those that had no tree yet.
    """
    _check_callable(progress)
    tasks = [Task(one, problem, threads=1, **options) for one in data]
    workers = min(len(tasks), _core.cores() if threads is None else whole("threads", threads, 1, 4096))
    ended = 0

    def one_ended(index: int, outcome: Any) -> None:
        nonlocal ended
        ended += 1
        assert progress is not None
        progress(BatchProgress(ended, len(tasks), index, _result(outcome, tasks[index])))

    outcomes, _ = _core.solve_many(
        [task.core for task in tasks], workers, None if progress is None else one_ended, not return_exceptions
    )
    results = [_result(outcome, task) for outcome, task in zip(outcomes, tasks)]
    for core, _, _ in outcomes:
        if core is not None:
            told(core)
    if not return_exceptions:
        for result in results:
            if isinstance(result, BaseException):
                raise result
    return results


def check(data: Any, tree: Any, problem: str | Problem = "dcmst", **options: Any) -> str | None:
    """The first reason why `tree` is not a feasible answer, or None.

    `tree` is a Solution, an (m, 2) array, a networkx graph or pairs of vertices; `options` are those of `solve`.
    """
    task = Task(data, problem, **options)
    return _core.violation(task.core, *tree_of(task.instance, tree))


def _result(outcome: Any, task: Task) -> Any:
    core, failure, cut_short = outcome
    return failure if core is None else Solution(core, task.instance, cut_short)


def _check_callable(progress: Any) -> None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: expected something to call, found {progress!r}")
