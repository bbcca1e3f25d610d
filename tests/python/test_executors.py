"""solve_many on executors: processes, threads, a Dask cluster that loses a worker, MPI."""

import concurrent.futures
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import neuroprim

APART = np.full((4, 4), np.inf)


def several(count=8, n=20):
    rng = np.random.default_rng(0)
    return [rng.random((n, 2)) for _ in range(count)]


@pytest.fixture(scope="module")
def processes():
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        yield executor


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes_give_the_answers_of_threads_in_order(start):
    data = several()
    here = neuroprim.solve_many(data, "mrcst", max_iterations=50)
    context = multiprocessing.get_context(start)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        there = list(neuroprim.solve_many(data, "mrcst", max_iterations=50, executor=executor))
    assert [tree.cost for tree in there] == [tree.cost for tree in here]
    assert all(np.array_equal(a.edges, b.edges) for a, b in zip(here, there))
    assert all(np.shares_memory(tree.instance.positions, points) for tree, points in zip(there, data))


def test_answers_stream_back_in_order():
    """Later answers are there before the first, and wait for it."""
    slow = several(1, 200)[0]
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        seen = []
        data = [(slow, {"time_limit": 1.0, "degree": 2}), *several(3)]
        answers = neuroprim.solve_many(data, executor=executor, progress=lambda state: seen.append(state.index))
        assert not isinstance(answers, list)
        first = next(answers)
        assert first.instance.n == 200 and seen[:1] != [0] and seen[-1] == 0
        assert [tree.instance.n for tree in answers] == [20, 20, 20]
        assert sorted(seen) == [0, 1, 2, 3]


def test_items_have_options_of_their_own(processes):
    points = several(1)[0]
    data = [points, (points, {"degree": 2}), (points, {"problem": "mrcst", "degree": None})]
    for answers in (
        neuroprim.solve_many(data, degree=4, max_iterations=30),
        list(neuroprim.solve_many(data, degree=4, max_iterations=30, executor=processes)),
    ):
        assert [tree.problem for tree in answers] == ["dcmst", "dcmst", "mrcst"]
        assert answers[1].to_networkx().degree(0) <= 2 and answers[0].cost < answers[1].cost
        assert answers[1].cost == neuroprim.solve(points, degree=2, max_iterations=30).cost


@pytest.mark.parametrize("name", ["degre", "threads", "progress", "data"])
def test_an_option_that_items_cannot_have(name, processes):
    item = (several(1)[0], {name: 3})
    for executor in (None, processes):
        with pytest.raises(TypeError, match=f"item 0: '{name}' is no option that an instance may have"):
            neuroprim.solve_many([item], executor=executor)
    with pytest.raises(TypeError, match="unexpected keyword argument 'degre'"):
        neuroprim.solve_many([], degre=3, executor=processes)


def test_a_failed_item_names_itself(processes):
    good = several(1)[0]
    with pytest.raises(ValueError, match=r"^item 1: expected points of shape \(n, 2\)"):
        neuroprim.solve_many([good, np.zeros((4, 3))], "mst", executor=processes)
    answers = neuroprim.solve_many([good, APART, good], "mst", executor=processes)
    assert next(answers).optimal
    with pytest.raises(neuroprim.Infeasible, match="^item 1: the graph is not connected"):
        next(answers)
    with pytest.raises(FileNotFoundError, match="^item 0: there is no file no-such"):
        next(neuroprim.solve_many(["no-such.csv"], "mst", executor=processes))


def test_failures_among_the_answers(processes):
    good, seen = several(1)[0], []
    data = [np.zeros((4, 3)), good, "no-such.csv", APART, None]
    answers = neuroprim.solve_many(data, "mst", executor=processes, return_exceptions=True, progress=seen.append)
    kinds = [ValueError, neuroprim.Solution, FileNotFoundError, neuroprim.Infeasible, TypeError]
    assert [type(answer) for answer in answers] == kinds
    assert [state.done for state in seen] == [3, 4, 5] and {state.total for state in seen} == {5}


def test_files_are_read_where_they_are_solved(processes, tmp_path):
    file = tmp_path / "towns.csv"
    file.write_text("name,x,y\nUlm,0,0\nBonn,1,0\nKiel,1,1\n", encoding="utf-8")
    (tree,) = neuroprim.solve_many([file], "mst", executor=processes)
    assert tree.instance.nodes == ["Ulm", "Bonn", "Kiel"] and tree.cost == 2


def test_a_killed_process_is_told_of():
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        answers = neuroprim.solve_many(several(3, 100), degree=2, time_limit=30, executor=executor)
        executor.submit(int)  # behind the others: the process is there
        next(iter(executor._processes.values())).kill()
        with pytest.raises(concurrent.futures.BrokenExecutor, match="^item 0: A process in the process pool"):
            list(answers)


def test_closing_the_iterator_cancels_what_has_not_begun():
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        data = [several(1)[0]] * 100
        answers = neuroprim.solve_many(data, degree=2, time_limit=30, no_improvement=2000, executor=executor)
        next(answers)
        answers.close()
        executor.submit(int).result(timeout=100)  # soon, though it stands behind a hundred others


def test_stop_iteration_of_the_callback_ends_the_iterator(processes):
    def enough(state):
        if state.done == 2:
            raise StopIteration

    answers = list(neuroprim.solve_many(several(), "mst", executor=processes, progress=enough))
    assert len(answers) < 8


def test_warnings_of_a_worker_are_told_here(processes):
    answers = neuroprim.solve_many(several(1), degree=3, method="greedy", model="mrcst", executor=processes)
    with pytest.warns(UserWarning, match="trained for mrcst, not for dcmst"):
        next(answers)


def test_only_executors_are_executors():
    with pytest.raises(TypeError, match="executor: expected a concurrent.futures.Executor, found int"):
        neuroprim.solve_many(several(1), executor=2)


def test_a_dask_cluster_may_lose_a_worker():
    distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed")
    data, seen = several(12, 100), []
    options = dict(problem="mrcst", max_iterations=1000)
    here = neuroprim.solve_many(data, **options)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        answers = neuroprim.solve_many(data, executor=client.get_executor(), progress=seen.append, **options)
        there = [next(answers) for _ in range(4)]
        assert len(seen) < 11  # of twelve: each worker has something to do
        os.kill(cluster.workers[0].pid, signal.SIGKILL)
        there += answers
    assert [tree.cost for tree in there] == [tree.cost for tree in here]


MPI = """
from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor
import numpy as np
import neuroprim

if __name__ == "__main__":
    data = np.random.default_rng(0).random((6, 20, 2))
    with MPIPoolExecutor() as executor:
        there = list(neuroprim.solve_many(data, "mrcst", max_iterations=50, executor=executor))
        failed = list(neuroprim.solve_many([data[0], np.full((4, 4), np.inf)], executor=executor, return_exceptions=True))
    here = neuroprim.solve_many(data, "mrcst", max_iterations=50)
    print([tree.cost for tree in there] == [tree.cost for tree in here], type(failed[1]).__name__, MPI.COMM_WORLD.size)
"""


def test_mpi_ranks_are_workers(tmp_path):
    pytest.importorskip("mpi4py", reason="python3-mpi4py is not installed")
    launcher = shutil.which("mpiexec")
    if launcher is None:
        pytest.skip("there is no mpiexec")
    script = tmp_path / "batch.py"
    script.write_text(textwrap.dedent(MPI), encoding="utf-8")
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    extra = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    run = subprocess.run(
        [launcher, "-n", "3", sys.executable, "-B", "-m", "mpi4py.futures", str(script)],
        env={**os.environ, **allowed, **extra},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.split() == ["True", "Infeasible", "3"]
