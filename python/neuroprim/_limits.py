"""Keywords that the table of parameters has and no line of Python names: limits that are one number."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from . import _core
from ._checks import PARAMETERS

Function = TypeVar("Function", bound=Callable[..., Any])

#: A degree limit may also be one for each vertex, so that it has a keyword of its own.
NUMBERS = [
    name
    for name, row in PARAMETERS.items()
    if row["specifies"] and row["type"] in ("whole", "number") and name != "degree"
]


def type_of(name: str) -> str:
    return f"{'int' if PARAMETERS[name]['type'] == 'whole' else 'float'} | None"


def check_names(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """As Python itself answers to a keyword that there is not; a former one is told its name."""
    for name in given:
        if name in known:
            continue
        now = _core.renamed(name)
        hint = f": it is called {now!r} now" if now else ""
        raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def with_limits(function: Function) -> Function:
    """The function, whose `**limits` are those of the table, with their keywords and their help in sight.

    Of its documentation the line `{limits}` becomes a line for each.
    """
    signature = inspect.signature(function)
    before: list[inspect.Parameter] = []
    after: list[inspect.Parameter] = []
    for one in signature.parameters.values():
        if one.kind is not one.VAR_KEYWORD:
            (after if after or one.name == "cables" else before).append(one)
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=type_of(name))
        for name in NUMBERS
    ]
    setattr(function, "__signature__", signature.replace(parameters=[*before, *keywords, *after]))
    lines = []
    for name in NUMBERS:
        help = PARAMETERS[name]["help"]
        lines.append(f"      {name:<14} {help[0].lower()}{help[1:]}")
    function.__doc__ = (function.__doc__ or "").replace("      {limits}", "\n".join(lines))
    return function
