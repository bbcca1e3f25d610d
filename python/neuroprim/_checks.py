"""Numbers as arguments: checked, and named when they are wrong."""

from __future__ import annotations

import math
import operator
from typing import Any


def whole(name: str, value: Any, least: int, most: int = 2**31 - 1) -> int:
    """A whole number between two others, or an error that names it."""
    try:
        result = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, found {value!r}") from None
    if not least <= result <= most:
        wanted = f"a whole number of at least {least}" if result < least else f"at most {most}"
        raise ValueError(f"{name}: expected {wanted}, found {value!r}")
    return result


def number(name: str, value: Any, least: float) -> float:
    """A finite number of at least `least`, or an error that names it."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: expected a number, found {value!r}")
    result = float(value)
    if not (math.isfinite(result) and result >= least):
        raise ValueError(f"{name}: expected a finite number of at least {least:g}, found {value!r}")
    return result
