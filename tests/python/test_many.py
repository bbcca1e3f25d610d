"""solve_many: order, threads, failures, progress."""

import threading
import time

import numpy as np
import pytest

import neuroprim


def several(count=8, n=20):
    rng = np.random.default_rng(0)
    return [rng.random((n, 2)) for _ in range(count)]


def test_answers_come_in_order_whatever_the_threads():
    data = several()
    one = neuroprim.solve_many(data, "mrcst", threads=1, max_iterations=50)
    three = neuroprim.solve_many(data, "mrcst", threads=3, max_iterations=50)
    alone = [neuroprim.solve(points, "mrcst", max_iterations=50) for points in data]
    for a, b, c in zip(one, three, alone):
        assert np.array_equal(a.edges, b.edges) and np.array_equal(a.edges, c.edges)


def test_a_stack_of_points_is_not_copied():
    stack = np.random.default_rng(0).random((5, 12, 2))
    trees = neuroprim.solve_many(stack, "mst")
    assert [tree.instance.copied for tree in trees] == [False] * 5


def test_a_generator_and_nothing_at_all():
    assert len(neuroprim.solve_many((points for points in several(3)), "mst")) == 3
    assert neuroprim.solve_many([]) == []


def test_progress_is_told_of_every_instance():
    seen = []
    trees = neuroprim.solve_many(several(), "mst", threads=2, progress=seen.append)
    assert [state.done for state in seen] == list(range(1, 9))
    assert {state.total for state in seen} == {8}
    assert sorted(state.index for state in seen) == list(range(8))
    assert all(state.result.cost == trees[state.index].cost for state in seen)


def test_the_first_failure_is_raised_and_stops_the_rest():
    apart = np.full((4, 4), np.inf)
    data = [apart] + several(30)
    began = time.monotonic()
    with pytest.raises(neuroprim.Infeasible):
        neuroprim.solve_many(data, "mrcst", time_limit=1, threads=1)
    assert time.monotonic() - began < 10


def test_a_failure_says_which_instance_it_is_about():
    good = several(1)[0]
    with pytest.raises(ValueError, match=r"^item 1: expected points of shape \(n, 2\)") as raised:
        neuroprim.solve_many([good, np.zeros((4, 3)), good], "mst")
    assert isinstance(raised.value.__cause__, ValueError)
    with pytest.raises(neuroprim.Infeasible, match="^item 2: the graph is not connected"):
        neuroprim.solve_many([good, good, np.full((4, 4), np.inf)], "mst")
    with pytest.raises(FileNotFoundError, match="^item 0: there is no file no-such"):
        neuroprim.solve_many(["no-such.csv"], "mst")


def test_an_exception_of_a_class_with_arguments_of_its_own_is_passed_on():
    class Odd(Exception):
        def __init__(self, code, reason):
            super().__init__(code, reason)

    class Rules(neuroprim.Problem):
        def cost(self, tree):
            raise Odd(7, "because")

    with pytest.raises(Odd) as raised:
        neuroprim.solve_many(several(1), Rules(), max_iterations=1)
    assert raised.value.args == (7, "because")


@pytest.mark.parametrize("data", ["points.csv", 3, {"type": "MultiPoint"}, neuroprim.Instance.random(5)])
def test_one_instance_is_not_several(data):
    with pytest.raises(TypeError, match="data: expected several instances, found "):
        neuroprim.solve_many(data, "mst")


def test_what_cannot_be_begun_is_among_the_answers_too():
    good, seen = several(1)[0], []
    data = [np.zeros((4, 3)), good, "no-such.csv", None]
    answers = neuroprim.solve_many(data, "mst", return_exceptions=True, progress=seen.append)
    assert [type(answer) for answer in answers] == [ValueError, neuroprim.Solution, FileNotFoundError, TypeError]
    assert [(state.done, state.total, state.index) for state in seen] == [(4, 4, 1)]
    with pytest.raises(TypeError, match="unexpected keyword argument 'degre'"):
        neuroprim.solve_many(data, degre=3, return_exceptions=True)


def test_failures_among_the_answers():
    apart = np.full((4, 4), np.inf)
    first, second, third = neuroprim.solve_many([several(1)[0], apart, several(1)[0]], "mst", return_exceptions=True)
    assert isinstance(second, neuroprim.Infeasible) and first.cost == third.cost


def test_stop_iteration_ends_all_and_leaves_what_there_is():
    def enough(state):
        if state.done == 2:
            raise StopIteration

    trees = neuroprim.solve_many(several(40, 30), "mrcst", threads=1, time_limit=0.05, progress=enough)
    solved = [tree for tree in trees if tree is not None]
    assert 2 <= len(solved) < 40 and trees[-1] is None


def test_other_exceptions_of_a_callback_reach_the_caller():
    def broken(state):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        neuroprim.solve_many(several(40), "mrcst", threads=2, time_limit=0.05, progress=broken)


def test_python_goes_on_while_a_search_runs():
    ticks = 0
    over = threading.Event()

    def tick():
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.005)

    clock = threading.Thread(target=tick)
    clock.start()
    neuroprim.solve(np.random.default_rng(0).random((300, 2)), degree=2, time_limit=0.5, threads=1)
    over.set()
    clock.join()
    assert ticks > 5  # none at all if the search kept the interpreter for itself


def test_solve_may_be_called_from_other_threads():
    costs = []
    data = several(1)[0]
    work = lambda: costs.append(neuroprim.solve(data, "mrcst", max_iterations=50).cost)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(costs)) == 1 and len(costs) == 4
