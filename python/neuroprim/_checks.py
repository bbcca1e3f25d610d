"""Numbers as arguments: checked, and named when they are wrong."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np


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
        raise ValueError(f"{name}: expected a finite number of at least {least:g}, found {value!r}")
    return result
