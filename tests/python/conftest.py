"""Fixtures that several files share."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")


@pytest.fixture
def points():
    """Fifty points in the unit square, float64 in C order."""
    return np.random.default_rng(1).random((50, 2))


@pytest.fixture
def few():
    """Six points: all 1296 trees can be looked at."""
    return np.random.default_rng(3).random((6, 2))
