"""How a search went."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats


class History:
    """Cost and bound over time: a row for every better tree or bound, and a last one for the end.

    The arrays have equal lengths. A method that is no search has the last row only.
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: Floats) -> None:
        self._rows = rows  # (k, 4): seconds, iterations, cost, bound
        self._rows.flags.writeable = False

    @property
    def seconds(self) -> Floats:
        """(k,): since the search began."""
        return self._rows[:, 0]

    @property
    def iterations(self) -> npt.NDArray[np.int64]:
        """(k,): perturbations tried till then."""
        return self._rows[:, 1].astype(np.int64)

    @property
    def cost(self) -> Floats:
        """(k,): of the best tree so far."""
        return self._rows[:, 2]

    @property
    def bound(self) -> Floats:
        """(k,): proven so far; NaN before there is one."""
        return self._rows[:, 3]

    def __len__(self) -> int:
        return len(self._rows)

    def plot(self, ax: Any = None) -> Any:
        """Draws cost and bound as steps with Matplotlib; returns the axes.

        `ax` is where to draw, a new figure unless given.
        """
        from ._plot import plot_history

        return plot_history(self, ax)

    def __repr__(self) -> str:
        first, last = self._rows[0], self._rows[-1]
        return f"<neuroprim.History: {len(self)} rows, cost {first[2]:.6g} to {last[2]:.6g} in {last[0]:.3g} s>"
