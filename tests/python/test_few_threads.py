"""A system that refuses threads, in a process of its own."""

import subprocess
import sys
import textwrap

import pytest

UNTESTABLE = 77

BEGIN = f"""
import os
import resource
import threading
import numpy as np
import neuroprim

points = np.random.default_rng(0).random((20, 2))
neuroprim.solve(points, "mst")

nobody = 65534  # the limit does not hold for root
if os.geteuid() == 0:
    os.setuid(nobody)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
try:
    threading.Thread(target=int).start()
    os._exit({UNTESTABLE})
except RuntimeError:  # as it should be
    pass
"""


def without_new_threads(code):
    run = subprocess.run(
        [sys.executable, "-c", BEGIN + textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    if run.returncode == UNTESTABLE:
        pytest.skip("threads cannot be refused here")
    return run.returncode, run.stdout


def test_solve_many_goes_on_with_the_threads_there_are():
    code = """
        told = []
        trees = neuroprim.solve_many([points] * 5, "mrcst", threads=4, max_iterations=5, progress=told.append)
        print(len({tree.cost for tree in trees}), len(told))
        """
    assert without_new_threads(code) == (0, "1 5\n")


def test_solve_needs_no_further_thread():
    code = """
        tree = neuroprim.solve(points, "mrcst", threads=4, max_iterations=5)
        print(neuroprim.check(points, tree, "mrcst"))
        """
    assert without_new_threads(code) == (0, "None\n")
