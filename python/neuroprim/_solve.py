"""solve, solve_many and check."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, overload

from . import _core
from ._batch import BatchProgress, item_of, raise_for, solve_on
from ._checks import whole
from ._limits import NUMBERS, check_names, with_limits
from ._problem import Problem
from ._solution import Solution, relative_gap, solution_of, told
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


@with_limits
def solve(
    data: Any,
    problem: str | Problem | None = None,
    *,
    degree: Any = None,
    root: Any = None,
    no_crossings: bool | None = None,
    cables: Any = None,
    include_edges: Any = None,
    exclude_edges: Any = None,
    terminals: Any = None,
    prizes: Any = None,
    groups: Any = None,
    leaves: Any = None,
    demands: Any = None,
    masses: Any = None,
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
    augmentations: int = 0,
    augmentations_per_start: int = 0,
    rounds: int = 1,
    temperature: float = 1.0,
    max_memory: int | None = None,
    warm_start: Any = None,
    initial: str = "best",
    progress: Callable[[Progress], Any] | None = None,
    **limits: Any,
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

    Without `problem` the tree is what the other arguments and the input say; limits combine.
      degree         the most tree edges at a vertex: a number, one for each vertex, a mapping of some, or the name of
                     a node attribute
      root           the vertex that hops, lengths and loads are counted from, or a list of several
      {limits}
      no_crossings   True: no two edges may cross where they are drawn
      cables         pairs (capacity, price), or a CSV file of them: edges are priced by the load behind them
      include_edges  pairs of vertices that are edges of the tree; `exclude_edges` are not
      terminals      the tree holds these, others where they pay: vertices, or a mask of n booleans
      prizes         what leaving out a vertex costs; none must be in: one for each, a mapping, or a node attribute
      groups         the tree holds one vertex of each: sets of vertices, or the group of each vertex, a mapping, or a
                     node attribute
      leaves         these have one tree edge: vertices, or a mask
      demands        what vertices take of capacity and cables, 1 each unless given: as prizes
      masses         how much vertices count in the routing cost, 1 each unless given: as prizes
      requirements   the traffic between pairs: a matrix or a mapping of pairs

    `problem` is a name of `neuroprim.problems()`, a specification that the literature knows (`stp`, `mrcst`, …), to
    which the limits add; or an object of a class derived from `neuroprim.Problem`, whose rules hold beside the limits.

    `method` is a name of `neuroprim.methods()`. The default, `search`, ends when the tree is proven optimal, when
    nothing is left to try, or by the first of these rules: `time_limit` in seconds (1 when no rule is given),
    `target_gap` (0.01 is 1 %), `max_iterations`, `no_improvement` (iterations in a row). Without a time limit the
    answer depends on the arguments and `seed` alone, not on `threads` (all cores unless given). `start` is the vertex
    that trees grow from, where a method asks for one. `warm_start` is a tree to go on
    from: a Solution or pairs of vertices. `initial` says where first trees come from: best, classical, policy, both.

    The neural methods `greedy`, `beam` and `sample` use the pretrained policy of the problem, or `model`: the
    name of a pretrained one, a file or a `Policy`. They read `starts`, `samples`, `beam`, `augmentations`,
    `augmentations_per_start`, `rounds` and `temperature`. A policy that needs more than `max_memory` bytes (three
    quarters of what is free unless given) raises ValueError; `search` does without.

    `progress` is called in this thread with a `Progress` when there is a better tree or bound; when it is slower than
    the search, with the newest one. StopIteration raised in it ends the search; other exceptions reach the caller.
    Ctrl-C ends the search too: the best tree so far is returned, with `interrupted` set.

    Raises ValueError or TypeError on arguments that make no sense, Infeasible when no feasible tree was found.
    """
    check_names("solve", limits, NUMBERS)
    task = Task(
        data,
        problem,
        degree=degree,
        root=root,
        no_crossings=no_crossings,
        cables=cables,
        include_edges=include_edges,
        exclude_edges=exclude_edges,
        terminals=terminals,
        prizes=prizes,
        groups=groups,
        leaves=leaves,
        demands=demands,
        masses=masses,
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
        augmentations=augmentations,
        augmentations_per_start=augmentations_per_start,
        rounds=rounds,
        temperature=temperature,
        max_memory=max_memory,
        warm_start=warm_start,
        initial=initial,
        **limits,
    )
    _check_callable(progress)
    listener = None if progress is None else lambda *state: progress(Progress(*state))
    solution: Solution = solution_of(_core.solve(task.core, listener), task.instance)
    told(solution._impl)
    return solution


@overload
def solve_many(
    data: Iterable[Any],
    problem: str | Problem | None = ...,
    *,
    executor: None = ...,
    threads: int | None = ...,
    progress: Callable[[BatchProgress], Any] | None = ...,
    return_exceptions: bool = ...,
    **options: Any,
) -> list[Any]: ...


@overload
def solve_many(
    data: Iterable[Any],
    problem: str | Problem | None = ...,
    *,
    executor: Executor,
    threads: int | None = ...,
    progress: Callable[[BatchProgress], Any] | None = ...,
    return_exceptions: bool = ...,
    **options: Any,
) -> Iterator[Any]: ...


def solve_many(
    data: Iterable[Any],
    problem: str | Problem | None = None,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    progress: Callable[[BatchProgress], Any] | None = None,
    return_exceptions: bool = False,
    **options: Any,
) -> list[Any] | Iterator[Any]:
    """Solves several instances, as many at a time as there are `threads` (cores unless given), one thread each.

    `options` are those of `solve` and hold for every instance. An item of `data` may be a pair of an instance and a
    dict of options that it alone has, `problem` among them. The answers come in the order of the instances. The first
    failure stops all and is raised, its message beginning with `item 3:`, the place in `data`. With
    `return_exceptions` nothing is raised for an instance: its exception stands among the answers, and all others are
    solved.

    `executor` is any `concurrent.futures.Executor`, such as a ProcessPoolExecutor, the `get_executor()` of a Dask
    client or mpi4py's MPIPoolExecutor. All instances are submitted to it at once, and the answer is an iterator: it
    gives the first solution as soon as it is there, then the second, and so on. `threads` is then what each instance
    takes, 1 unless given. The instances travel by pickle; files are read where they are solved. Closing the iterator,
    or an exception that passes through it, cancels what has not begun.

    `progress` is called in this thread with a `BatchProgress` whenever an instance has ended; with an executor, while
    the iterator is waited for. After Ctrl-C (or StopIteration in the callback) the list holds what there is: solutions,
    the best tree so far of those that were being solved (`interrupted` set), and None for those that had no tree yet.
    An iterator ends by StopIteration of the callback, and passes KeyboardInterrupt on.
    """
    _check_callable(progress)
    known = inspect.signature(solve).parameters.keys() - {"data", "threads", "progress"}
    check_names("solve_many", options, known)  # a misspelt option is no failure of an instance
    if isinstance(data, (str, bytes, Mapping)) or not isinstance(data, Iterable):
        raise TypeError(f"data: expected several instances, found {type(data).__name__}")
    if executor is not None:
        if not isinstance(executor, Executor):
            raise TypeError(f"executor: expected a concurrent.futures.Executor, found {type(executor).__name__}")
        options["threads"] = 1 if threads is None else whole("threads", threads, 1, 4096)
        items = (_item(one, problem, options, known) for one in data)
        return solve_on(executor, items, progress, return_exceptions)
    workers = _core.cores() if threads is None else whole("threads", threads, 1, 4096)
    options["threads"] = 1
    tasks: list[Task] = []
    places: list[int] = []  # of the tasks among the results
    results: list[Any] = []
    for place, one in enumerate(data):
        try:
            tasks.append(item_of(one, problem, options, known).task())
            places.append(place)
            results.append(None)
        except Exception as error:
            if not return_exceptions:
                raise_for(place, error)
            results.append(error)
    ended = len(results) - len(tasks)  # those that cannot be begun

    def one_ended(index: int, outcome: Any) -> None:
        nonlocal ended
        ended += 1
        assert progress is not None
        progress(BatchProgress(ended, len(results), places[index], solution_of(outcome, tasks[index].instance)))

    outcomes, _ = _core.solve_many(
        [task.core for task in tasks],
        min(len(tasks), workers),
        None if progress is None else one_ended,
        not return_exceptions,
    )
    for place, outcome, task in zip(places, outcomes, tasks):
        result = results[place] = solution_of(outcome, task.instance)
        if isinstance(result, BaseException) and not return_exceptions:
            raise_for(place, result)
    for result in results:
        if isinstance(result, Solution):
            told(result._impl)
    return results


def _item(one: Any, problem: str | Problem | None, options: Mapping[str, Any], known: Iterable[str]) -> Any:
    try:
        return item_of(one, problem, options, known)
    except Exception as error:
        return error


def check(data: Any, tree: Any, problem: str | Problem | None = None, **options: Any) -> str | None:
    """The first reason why `tree` is not a feasible answer, or None.

    `tree` is a Solution, an (m, 2) array, a networkx graph or pairs of vertices; `options` are those of `solve`.
    """
    task = Task(data, problem, **options)
    return _core.violation(task.core, *tree_of(task.instance, tree))


def _check_callable(progress: Any) -> None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: expected something to call, found {progress!r}")
