"""Numbers as arguments: checked, and named when they are wrong."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from . import _core

#: The table of parameters by name: what flags, fields and keywords have in common.
PARAMETERS = {row["name"]: row for row in _core.parameters()}


def _is_boolean(value: Any) -> bool:
    """True counts as 1 in Python, but nobody means it as a number here."""
    return isinstance(value, (bool, np.bool_))


def whole(name: str, value: Any, least: int, most: int = 2**31 - 1) -> int:
    """A whole number between two others, or an error that names it."""
    try:
        if _is_boolean(value):
            raise TypeError
        result = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, found {value!r}") from None
    if not least <= result <= most:
        wanted = f"a whole number of at least {least}" if result < least else f"at most {most}"
        raise ValueError(f"{name}: expected {wanted}, found {value!r}")
    return result


def number(name: str, value: Any, least: float) -> float:
    """A finite number of at least `least`, or an error that names it."""
    if isinstance(value, (str, bytes)) or _is_boolean(value) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: expected a number, found {value!r}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf  # a whole number of hundreds of digits
    if not (math.isfinite(result) and result >= least):
        wanted = "a finite number" if least == -math.inf else f"a finite number of at least {least:g}"
        raise ValueError(f"{name}: expected {wanted}, found {value!r}")
    return result


def checked(name: str, value: Any) -> Any:
    """A number within the range that the table of parameters has for this name, or an error that says it."""
    anything = math.inf
    is_whole = PARAMETERS[name]["type"] == "whole"
    if is_whole:
        result: Any = whole(name, value, -(2**63), 10**400)
        size = float(result) if abs(result) < 2**64 else (anything if result > 0 else -anything)
    else:
        result = size = number(name, value, -anything)
    expected = _core.expected_instead_of(name, size)
    if expected is not None:
        raise ValueError(f"{name}: expected {expected}, found {value!r}")
    return result


def is_usual(name: str, value: Any) -> bool:
    """Is it what holds anyway?"""
    usual = PARAMETERS[name]["usual"]
    if value is None or isinstance(value, str):
        return value is None or value == usual
    return usual != "" and PARAMETERS[name]["type"] in ("whole", "number") and value == float(usual)
