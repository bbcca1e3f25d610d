"""Good trees under constraints: degree limits, routing cost, Steiner trees, hop limits.

>>> import numpy as np, neuroprim
>>> points = np.random.default_rng(1).random((50, 2))
>>> tree = neuroprim.solve(points, problem="dcmst", degree=3, time_limit=1.0)
>>> tree.cost, tree.bound, tree.edges        # doctest: +SKIP

`solve` takes points, a matrix, a SciPy sparse matrix, a networkx graph, GeoJSON or a file; `solve_many` solves several
at a time; `Policy` decodes by itself; `Problem` is the base class of a problem of your own; `neuroprim.nx` has functions
that take and return networkx graphs. The tour is docs/python.md.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._core import Infeasible, State, Statistics, Tree
from ._core import methods, metrics, model_folders, problems
from ._core import version as __version__
from ._history import History
from ._instance import Instance
from ._policy import Explanation, Policy
from ._problem import Problem
from ._solution import Solution
from ._batch import BatchProgress
from ._solve import Progress, check, solve, solve_many

if TYPE_CHECKING:
    from . import nx

__all__ = [
    "BatchProgress",
    "Explanation",
    "History",
    "Infeasible",
    "Instance",
    "Policy",
    "Problem",
    "Progress",
    "Solution",
    "State",
    "Statistics",
    "Tree",
    "check",
    "methods",
    "metrics",
    "model_folders",
    "nx",
    "problems",
    "solve",
    "solve_many",
]

for _public in (Infeasible, State, Statistics, Tree):
    _public.__module__ = __name__  # where users find them


def __getattr__(name: str) -> Any:
    # networkx takes a while to import, and most users of arrays have no use for it.
    if name == "nx":
        return importlib.import_module(".nx", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
