"""Many instances: what each is asked, and how any executor of Python's solves them."""

from __future__ import annotations

import concurrent.futures
import os
import queue
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from . import _core
from ._problem import Problem
from ._solution import Solution, solution_of, told
from ._task import Task


@dataclass(frozen=True)
class BatchProgress:
    """One more instance has ended, for the callback of `solve_many`."""

    done: int  #: how many have ended
    total: int
    index: int  #: which one has ended now
    result: Solution | BaseException | None  #: None when it was stopped before it had a tree


@dataclass(frozen=True)
class Item:
    """One instance of a batch with all that is asked of it; it travels by pickle."""

    data: Any
    problem: str | Problem | None
    options: dict[str, Any]

    def task(self) -> Task:
        return Task(self.data, self.problem, **self.options)


def item_of(one: Any, problem: str | Problem | None, options: Mapping[str, Any], known: Iterable[str]) -> Item:
    """`one` is an instance, or a pair of an instance and the options that it alone has."""
    if not (isinstance(one, tuple) and len(one) == 2 and isinstance(one[1], Mapping)):
        return Item(one, problem, dict(options))
    data, own = one
    for name in own:
        if name not in known:
            raise TypeError(f"{name!r} is no option that an instance may have of its own")
    merged = {**options, **own}
    return Item(data, merged.pop("problem", problem), merged)


def solve_on(
    executor: concurrent.futures.Executor,
    items: Iterable[Item | Exception],
    progress: Callable[[BatchProgress], Any] | None,
    return_exceptions: bool,
) -> Iterator[Any]:
    """Submits all at once; the iterator gives the answers in the order of the items, as soon as they are there.

    What comes back from a worker is the tree alone, except where the worker has read a file.
    """
    waiting: list[Any] = []  # futures, or exceptions of what cannot be begun
    instances: list[Any] = []
    try:
        for place, item in enumerate(items):
            instance: Any = None
            result: Any = item
            if isinstance(item, Item):
                try:
                    is_file = isinstance(item.data, (str, os.PathLike))
                    instance = None if is_file else item.task().instance
                    result = executor.submit(_solve_there, item, is_file)
                except Exception as error:
                    result = error
            if isinstance(result, Exception) and not return_exceptions:
                raise_for(place, result)
            waiting.append(result)
            instances.append(instance)
    except BaseException:
        _cancel(waiting)
        raise
    return _answers(waiting, instances, progress, return_exceptions)


def _solve_there(item: Item, is_file: bool) -> tuple[Any, ...]:
    """What a worker does: the outcome, and the instance when it is known here only."""
    task = item.task()
    return _core.solve(task.core, None), task.instance if is_file else None


def _answers(
    waiting: list[Any],
    instances: list[Any],
    progress: Callable[[BatchProgress], Any] | None,
    return_exceptions: bool,
) -> Iterator[Any]:
    total = len(waiting)
    ended: queue.SimpleQueue[int] = queue.SimpleQueue()  # places, in the order in which their items end
    ready: dict[int, Any] = {}
    for place, result in enumerate(waiting):
        if isinstance(result, concurrent.futures.Future):
            result.add_done_callback(lambda _, place=place: ended.put(place))  # type: ignore[misc]
        else:
            ready[place] = result
    done = len(ready)
    try:
        for place in range(total):
            while place not in ready:
                other = ended.get()
                result = ready[other] = _result(waiting[other], instances[other])
                waiting[other] = instances[other] = None  # the iterator keeps no more than it must
                done += 1
                if progress is not None:
                    try:
                        progress(BatchProgress(done, total, other, result))
                    except StopIteration:
                        return
            result = ready.pop(place)
            if isinstance(result, BaseException) and not return_exceptions:
                raise_for(place, result)
            yield told_of(result)
    finally:
        _cancel(waiting)


def _result(future: Any, instance: Any) -> Any:
    try:
        outcome, read_there = future.result()
    except (Exception, concurrent.futures.CancelledError) as error:
        return error
    return solution_of(outcome, instance if read_there is None else read_there)


def told_of(result: Any) -> Any:
    """The same; warnings of the worker are told here."""
    if isinstance(result, Solution):
        told(result._impl)
    return result


def _cancel(waiting: list[Any]) -> None:
    for future in waiting:
        if isinstance(future, concurrent.futures.Future):
            future.cancel()


def raise_for(place: int, error: BaseException) -> NoReturn:
    """Raises the same kind of exception, saying which instance it is about; one that is more than a message as it is."""
    if error.args != (str(error),):
        raise error
    try:
        named = type(error)(f"item {place}: {error}")
    except Exception:
        raise error from None  # its class wants other arguments
    raise named from error
