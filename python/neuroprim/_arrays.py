"""From whatever looks like an array to the one layout that C++ reads in place: float64, rows without gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def float_rows(data: Any, what: str) -> tuple[Floats, bool]:
    """The numbers of `data` as a two-dimensional array, and whether they had to be copied."""
    if isinstance(data, np.ma.MaskedArray):
        raise TypeError(f"{what}: expected an array without a mask; a.filled(numpy.inf) marks missing edges")
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise ValueError(f"{what}: expected rows of equal length ({error})") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{what}: expected numbers, found {_described(data, array)}")
    if array.ndim != 2:
        raise ValueError(f"{what}: expected two dimensions, found shape {array.shape}")
    rows: Floats = np.ascontiguousarray(array, dtype=np.float64)
    shared = isinstance(data, np.ndarray) and np.may_share_memory(rows, data)
    return rows, not shared


def _described(data: Any, array: npt.NDArray[Any]) -> str:
    if array.ndim == 0:
        return f"an object of type {type(data).__name__}"
    return f"an array of {array.dtype}"


#: Squares of larger coordinates do not fit into a double.
LARGEST = 1e150


def check_points(points: Floats, what: str) -> None:
    """Raises ValueError naming the first row that is not finite, or too large to be measured."""
    bad = ~(np.abs(points) <= LARGEST)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        found = ", ".join(str(x) for x in points[row])
        wanted = f"coordinates up to {LARGEST:g}" if np.isfinite(points[row]).all() else "finite coordinates"
        raise ValueError(f"{what} {row}: expected {wanted}, found ({found})")
