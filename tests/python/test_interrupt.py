"""Ctrl-C, by a real SIGINT to a process of its own."""

import os
import signal
import subprocess
import sys
import textwrap
import time


def interrupted(code, signal_number=signal.SIGINT):
    """Runs the code; sends the signal a moment after it prints `ready`; returns what it prints then."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ},
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.4)
    process.send_signal(signal_number)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output


def test_solve_returns_the_best_tree_so_far():
    code, output = interrupted(
        """
        import numpy as np, neuroprim
        points = np.random.default_rng(0).random((200, 2))
        print("ready")
        tree = neuroprim.solve(points, degree=2, time_limit=600)
        print(tree.interrupted, tree.seconds < 60, neuroprim.check(points, tree, degree=2))
        """
    )
    assert (code, output) == (0, "True True None\n")


def test_solve_many_returns_what_there_is():
    code, output = interrupted(
        """
        import numpy as np, neuroprim
        rng = np.random.default_rng(0)
        data = [rng.random((5, 2))] + [rng.random((200, 2)) for _ in range(9)]
        print("ready")
        trees = neuroprim.solve_many(data, degree=2, time_limit=600, threads=2)
        print(len(trees), trees[0].interrupted, trees[1].interrupted, trees[-1])
        """
    )
    assert (code, output) == (0, "10 False True None\n")


def test_a_search_over_rules_in_python_is_interrupted_too():
    code, output = interrupted(
        """
        import numpy as np, neuroprim
        class Wiener(neuroprim.Problem):
            def cost(self, tree):
                return float(tree.depths(tree.start).sum())
        points = np.random.default_rng(0).random((40, 2))
        print("ready")
        tree = neuroprim.solve(points, Wiener(), time_limit=600)
        print(tree.interrupted)
        """
    )
    assert (code, output) == (0, "True\n")


def test_other_signal_handlers_may_raise():
    code, output = interrupted(
        """
        import signal, numpy as np, neuroprim
        class Alarm(Exception): pass
        def ring(*_): raise Alarm
        signal.signal(signal.SIGUSR1, ring)
        points = np.random.default_rng(0).random((200, 2))
        print("ready")
        try:
            neuroprim.solve(points, degree=2, time_limit=600)
        except Alarm:
            print("rang")
        """,
        signal.SIGUSR1,
    )
    assert (code, output) == (0, "rang\n")


def test_after_an_interruption_python_is_as_before():
    code, output = interrupted(
        """
        import numpy as np, neuroprim
        points = np.random.default_rng(0).random((200, 2))
        print("ready")
        neuroprim.solve(points, degree=2, time_limit=600)
        again = neuroprim.solve(points, degree=2, time_limit=0.1)
        print(again.interrupted)
        """
    )
    assert (code, output) == (0, "False\n")
