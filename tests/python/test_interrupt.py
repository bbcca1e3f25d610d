"""Ctrl-C, by a real SIGINT to a process of its own."""

import os
import signal
import subprocess
import sys
import textwrap
import time


BEGIN = """
import signal
import numpy as np
import neuroprim

points = np.random.default_rng(0).random((200, 2))

def ready(state, told=[]):
    if not told:
        told.append(True)
        print("ready", flush=True)
"""


def interrupted(code, signal_number=signal.SIGINT):
    """Runs the code; sends the signal a moment after it says `ready`; returns what it prints then."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", BEGIN + textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ},
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal_number)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output


def test_solve_returns_the_best_tree_so_far():
    code, output = interrupted(
        """
        tree = neuroprim.solve(points, degree=2, time_limit=600, progress=ready)
        print(tree.interrupted, tree.seconds < 60, neuroprim.check(points, tree, degree=2))
        """
    )
    assert (code, output) == (0, "True True None\n")


def test_solve_many_returns_what_there_is():
    code, output = interrupted(
        """
        data = [points[:2]] + [points] * 9  # with two points nothing is left to try
        trees = neuroprim.solve_many(data, "mrcst", time_limit=600, threads=1, progress=ready)
        print(len(trees), trees[0].interrupted, trees[-1])
        """
    )
    assert (code, output) == (0, "10 False None\n")


def test_trees_that_were_being_improved_are_returned():
    code, output = interrupted(
        """
        trees = neuroprim.solve_many([points[:2], points], "mrcst", time_limit=600, threads=2, progress=ready)
        print([tree.interrupted for tree in trees], neuroprim.check(points, trees[1], "mrcst"))
        """
    )
    assert (code, output) == (0, "[False, True] None\n")


def test_a_search_over_rules_in_python_is_interrupted_too():
    code, output = interrupted(
        """
        class Deep(neuroprim.Problem):
            def cost(self, tree):
                return float(tree.depths(tree.start).sum())
        tree = neuroprim.solve(points[:40], Deep(), time_limit=600, progress=ready)
        print(tree.interrupted)
        """
    )
    assert (code, output) == (0, "True\n")


def test_a_policy_returns_the_best_tree_so_far():
    code, output = interrupted(
        """
        policy = neuroprim.Policy.load("mrcst")
        policy.greedy(points[:20])
        print("ready", flush=True)
        tree = policy.sample(points[:20], samples=500_000, threads=1)
        print(tree.interrupted, neuroprim.check(points[:20], tree, "mrcst"))
        """
    )
    assert (code, output) == (0, "True None\n")


def test_an_explanation_that_is_cut_short_is_none():
    code, output = interrupted(
        """
        policy = neuroprim.Policy.load("mrcst")
        many = np.random.default_rng(0).random((700, 2))  # from all their starts it takes minutes
        print("ready", flush=True)
        try:
            policy.explain(many, threads=1)
        except KeyboardInterrupt:
            print("interrupted")
        """
    )
    assert (code, output) == (0, "interrupted\n")


def test_other_signal_handlers_may_raise():
    code, output = interrupted(
        """
        class Alarm(Exception):
            pass
        def ring(*_):
            raise Alarm
        signal.signal(signal.SIGUSR1, ring)
        try:
            neuroprim.solve(points, degree=2, time_limit=600, progress=ready)
        except Alarm:
            print("rang")
        """,
        signal.SIGUSR1,
    )
    assert (code, output) == (0, "rang\n")


def test_after_an_interruption_python_is_as_before():
    code, output = interrupted(
        """
        neuroprim.solve(points, degree=2, time_limit=600, progress=ready)
        again = neuroprim.solve(points, degree=2, time_limit=0.1)
        print(again.interrupted)
        """
    )
    assert (code, output) == (0, "False\n")
