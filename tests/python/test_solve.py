"""solve: every problem against all trees of small graphs, and what its arguments do."""

import json
import math

import brute_force
import numpy as np
import pytest

import neuroprim


def distances(points):
    return np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))


def total(weight):
    return lambda edges: sum(weight[u, v] for u, v in edges)


def pair_sum(n, weight, amount):
    def cost(edges):
        d = brute_force.tree_distances(n, edges, weight)
        return sum(amount[u][v] * d[u][v] for u in range(n) for v in range(u))

    return cost


@pytest.mark.parametrize("degree", [2, 3])
def test_degree_limits_are_kept_at_least_cost(few, degree):
    w = distances(few)
    fits = lambda edges: max(brute_force.degrees(6, edges)) <= degree
    tree = neuroprim.solve(few, "dcmst", degree=degree, max_iterations=200)
    assert tree.cost == pytest.approx(brute_force.least(6, fits, total(w)))
    assert neuroprim.check(few, tree, "dcmst", degree=degree) is None


def test_limits_per_vertex_as_list_mapping_and_array(few):
    w = distances(few)
    limits = [1, 2, 1, 3, 2, 2]
    fits = lambda edges: all(d <= limit for d, limit in zip(brute_force.degrees(6, edges), limits))
    best = brute_force.least(6, fits, total(w))
    for degree in (limits, np.array(limits), dict(enumerate(limits))):
        assert neuroprim.solve(few, degree=degree, max_iterations=300).cost == pytest.approx(best)


def test_a_mapping_leaves_the_other_vertices_free(few):
    tree = neuroprim.solve(few, degree={0: 1}, max_iterations=100)
    fits = lambda edges: brute_force.degrees(6, edges)[0] <= 1
    assert tree.cost == pytest.approx(brute_force.least(6, fits, total(distances(few))))


def test_hops_from_a_root(few):
    fits = lambda edges: max(brute_force.depths(6, edges, 2)) <= 2
    tree = neuroprim.solve(few, "hmst", root=2, hops=2, max_iterations=200)
    assert tree.cost == pytest.approx(brute_force.least(6, fits, total(distances(few))))
    assert tree.start == 2


def test_routing_and_communication_cost(few):
    w = distances(few)
    ones = np.ones((6, 6))
    routing = neuroprim.solve(few, "mrcst", max_iterations=200)
    assert routing.cost == pytest.approx(brute_force.least(6, lambda _: True, pair_sum(6, w, ones)))
    traffic = np.random.default_rng(2).integers(0, 9, (6, 6)).astype(float)
    traffic += traffic.T
    best = brute_force.least(6, lambda _: True, pair_sum(6, w, traffic))
    assert neuroprim.solve(few, "ocst", requirements=traffic, max_iterations=200).cost == pytest.approx(best)
    pairs = {(u, v): traffic[u, v] for u in range(6) for v in range(u)}
    assert neuroprim.solve(few, "ocst", requirements=pairs, max_iterations=200).cost == pytest.approx(best)


def test_steiner_trees(few):
    matrix = np.random.default_rng(5).random((6, 6))
    matrix += matrix.T
    tree = neuroprim.solve(matrix, "stp", terminals=[0, 3, 5])
    best = brute_force.least(6, lambda _: True, total(matrix), required=[0, 3, 5])
    assert tree.cost == pytest.approx(best)
    assert tree.optimal


def test_the_bound_is_below_the_optimum_and_the_gap_follows(points):
    tree = neuroprim.solve(points, degree=2, max_iterations=4000)
    assert 0 < tree.bound <= tree.cost
    assert tree.gap == pytest.approx((tree.cost - tree.bound) / tree.bound)
    assert neuroprim.solve(points, "mrcst", method="star").gap is None


def test_a_proven_tree_has_no_gap_at_all(points):
    matrix = np.random.default_rng(5).random((6, 6))
    matrix += matrix.T
    for tree in (
        neuroprim.solve(matrix, "stp", terminals=[0, 3, 5]),
        neuroprim.solve(np.ones((9, 2)), "mrcst", method="star"),
        neuroprim.solve(points[:1], "mst"),
    ):
        assert tree.optimal and tree.gap == 0


def test_without_a_clock_the_answer_depends_on_the_seed_alone(points):
    options = dict(problem="mrcst", max_iterations=300)
    one = neuroprim.solve(points, threads=1, **options)
    two = neuroprim.solve(points, threads=3, **options)
    assert np.array_equal(one.edges, two.edges)
    assert one.iterations == two.iterations > 0


def test_the_time_limit_is_kept(points):
    tree = neuroprim.solve(np.random.default_rng(0).random((2000, 2)), degree=2, time_limit=0.3)
    assert tree.seconds < 8  # a busy machine included


def test_target_gap_is_a_fraction(points):
    loose = neuroprim.solve(points, degree=2, target_gap=0.5, time_limit=60)
    assert loose.gap <= 0.5 and loose.seconds < 50


def test_a_warm_start_is_gone_on_from(points):
    first = neuroprim.solve(points, "mrcst", method="star")
    again = neuroprim.solve(points, "mrcst", warm_start=first, max_iterations=0)
    assert again.cost <= first.cost
    pairs = neuroprim.solve(points, "mrcst", warm_start=first.named_edges, max_iterations=0)
    assert pairs.cost <= first.cost
    with pytest.raises(ValueError, match="warm start is not feasible"):
        neuroprim.solve(points, degree=2, warm_start=first)


def test_methods_by_name(points):
    mst = neuroprim.solve(points, "mst", method="kruskal")
    assert mst.optimal and mst.method == "kruskal"
    assert neuroprim.solve(points, degree=2, method="greedy").statistics.trees == 50
    with pytest.raises(ValueError, match="unknown method 'krsukal'"):
        neuroprim.solve(points, "mst", method="krsukal")


def test_progress_is_told_in_the_calling_thread(points):
    import threading

    seen = []
    tree = neuroprim.solve(
        points, degree=2, time_limit=0.3, progress=lambda state: seen.append((state, threading.current_thread()))
    )
    assert seen and {thread for _, thread in seen} == {threading.current_thread()}
    costs = [state.cost for state, _ in seen]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(tree.cost)
    assert seen[-1][0].gap is None or seen[-1][0].gap >= 0


def test_stop_iteration_in_a_callback_ends_the_search(points):
    def enough(state):
        raise StopIteration

    tree = neuroprim.solve(points, degree=2, time_limit=60, progress=enough)
    assert tree.interrupted and tree.seconds < 30
    assert neuroprim.check(points, tree, degree=2) is None


def test_other_exceptions_of_a_callback_reach_the_caller(points):
    def broken(state):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        neuroprim.solve(points, degree=2, time_limit=60, progress=broken)


def test_infeasible_has_a_class_of_its_own():
    apart = np.full((4, 4), np.inf)
    apart[0, 1] = apart[1, 0] = apart[2, 3] = apart[3, 2] = 1
    with pytest.raises(neuroprim.Infeasible, match="not connected"):
        neuroprim.solve(apart, "mst")
    assert not issubclass(neuroprim.Infeasible, ValueError)


def test_one_and_two_vertices():
    assert neuroprim.solve([[1.0, 2.0]], "mst").edges.shape == (0, 2)
    two = neuroprim.solve([[0.0, 0.0], [3.0, 4.0]], "mst")
    assert two.cost == 5 and two.edges.tolist() in ([[0, 1]], [[1, 0]])


def test_check_says_what_is_wrong(few):
    star = [(0, v) for v in range(1, 6)]
    assert neuroprim.check(few, star, degree=3) == "degree 5 > 3 at vertex 0"
    assert "cycle" in neuroprim.check(few, [(0, 1), (1, 2), (2, 0)], "mst")
    assert neuroprim.check(few, np.array(star), "mst") is None


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (dict(problem="tsp"), ValueError, "unknown problem 'tsp': expected one of mst"),
        (dict(problem=3), TypeError, "expected a name or a neuroprim.Problem"),
        (dict(problem=neuroprim.Problem), TypeError, "expected an object"),
        (dict(problem="hmst"), ValueError, "hmst needs a hop limit: hops=...$"),
        (dict(problem="stp"), ValueError, "needs terminals"),
        (dict(problem="ocst"), ValueError, "ocst needs requirements=..., the traffic between every pair"),
        (dict(problem="mst", terminals=[1]), ValueError, "terminals=... is of no use for mst"),
        (dict(degree=0), ValueError, "degree: expected a whole number of at least 1, found 0"),
        (dict(problem="dcmst"), ValueError, "dcmst needs a degree limit: degree=..., or one per vertex in the input"),
        (dict(degree=True), TypeError, "degree: expected a whole number, found True"),
        (dict(degree=np.True_), TypeError, "degree: expected a whole number, found True"),
        (dict(degree="3"), TypeError, "degree: a name stands for a node attribute"),
        (dict(degree=[True] * 6), TypeError, "degree of vertex 0: expected a whole number, found True"),
        (dict(degree=[]), ValueError, "expected one limit or 6, found 0"),
        (dict(degree={9: 1}), ValueError, "vertex 9 is not among the 6"),
        (dict(degree=2.5), TypeError, "degree: expected a whole number, found 2.5"),
        (dict(degree="limit"), TypeError, "node attribute"),
        (dict(degree=[2, 2]), ValueError, "expected one limit or 6, found 2"),
        (dict(problem="stp", terminals=[0, 9]), ValueError, "terminals: vertex 9 is not among the 6"),
        (dict(problem="stp", terminals=["a"]), TypeError, "expected a vertex by its number, found 'a'"),
        (dict(problem="stp", terminals="ab"), TypeError, "expected several vertices"),
        (dict(problem="stp", terminals=[]), ValueError, "terminals: expected at least one vertex, found none"),
        (dict(problem="stp", terminals=[True, False]), ValueError, r"a mask of shape \(6,\), found shape \(2,\)"),
        (dict(problem="stp", terminals=np.zeros(6, bool)), ValueError, "terminals: expected at least one vertex"),
        (dict(problem="stp", terminals=np.ones((6, 1), bool)), ValueError, "a mask of shape"),
        (dict(problem="stp", terminals=[1.0, 2.0]), TypeError, "expected a vertex by its number, found 1.0"),
        (dict(problem="stp", terminals=3), TypeError, "expected several vertices"),
        (dict(problem="hmst", hops=2, root=-1), ValueError, "vertex -1"),
        (dict(problem="ocst", requirements=np.ones((3, 3))), ValueError, r"expected shape \(6, 6\)"),
        (dict(problem="ocst", requirements={0: 1}), TypeError, "pairs"),
        (dict(problem="ocst", requirements=-np.ones((6, 6))), ValueError, "from 0 to"),
        (dict(problem="mst", time_limit=-1), ValueError, "time_limit: expected a number above 0, at most 1e.09, found -1"),
        (dict(problem="mst", time_limit=math.nan), ValueError, "time_limit"),
        (dict(problem="mst", time_limit=True), TypeError, "time_limit: expected a number, found True"),
        (dict(problem="mst", time_limit=10**400), ValueError, "time_limit: expected a finite number"),
        (dict(problem="mst", model=3), TypeError, "model: expected a name, a file or a Policy, found 3"),
        (dict(problem="mst", model=b"mrcst"), TypeError, "model: expected a name"),
        (dict(problem="mst", method=["search"]), TypeError, r"method: expected a name, found \['search'\]"),
        (dict(problem="mst", method=None), TypeError, "method: expected a name"),
        (dict(problem="mst", initial=3), TypeError, "initial: expected a name, found 3"),
        (dict(problem="mst", warm_start=3), TypeError, "expected a tree as a Solution"),
        (dict(problem="mst", warm_start=[3]), ValueError, "expected edges as pairs of vertices, found 3"),
        (dict(problem="hmst", hops=2, root="a"), TypeError, "root: expected a vertex by its number, found 'a'"),
        (dict(problem="hmst", hops=2, root=True), TypeError, "root: expected a vertex by its number, found True"),
        (dict(problem="stp", terminals=np.array([[0, 1]])), TypeError, "terminals: expected a vertex"),
        (dict(problem="ocst", requirements=np.full((6, 6), 1e200)), ValueError, r"from 0 to 1e\+100"),
        (dict(problem="mst", time_limit="1"), TypeError, "time_limit: expected a number, found '1'"),
        (dict(problem="mst", seed=-1), ValueError, "seed"),
        (dict(problem="mst", seed=2**64), ValueError, "seed"),
        (dict(problem="mst", threads=-1), ValueError, "threads: expected a whole number from 0 to 4096, found -1"),
        (dict(problem="mst", metric="hamming"), ValueError, "unknown metric"),
        (dict(problem="mst", metric=7), TypeError, "metric"),
        (dict(problem="mst", progress=3), TypeError, "progress: expected something to call"),
        (dict(problem="mst", initial="first"), ValueError, "initial"),
        (dict(problem="mst", augmentations=65), ValueError, "augmentations: expected a whole number from 0 to 64"),
        (dict(problem="mst", method="greedy"), ValueError, "greedy needs model=.*no pretrained one for mst"),
        (dict(problem="mst", start=17), ValueError, "vertex 17"),
        (dict(samples=5), ValueError, 'samples=... is for method="sample", and this one is search: leave out one'),
        (dict(method="prim", warm_start=[(0, 1)]), ValueError, 'warm_start=... is for method="search"'),
        (dict(method="greedy", time_limit=3), ValueError, 'time_limit=... is for method="search", rebuild and the classical'),
        (dict(degree=2, method="greedy", start=1, starts=2), ValueError, "start=... names the one start, and starts"),
        (dict(degree=2, method="greedy", augmentations_per_start=2), ValueError, "they need augmentations=..., 2 or more"),
        (dict(initial="classical", model="dcmst"), ValueError, 'initial="classical" asks no policy: leave out model'),
        (dict(problem="mst", warm_start=[(0, 1, 2)]), ValueError, "pairs"),
    ],
)
def test_arguments_that_make_no_sense(few, arguments, error, words):
    with pytest.raises(error, match=words):
        neuroprim.solve(few, **arguments)


def test_a_degree_may_be_any_whole_number(few):
    best = neuroprim.solve(few, degree=2, max_iterations=50).cost
    for degree in (np.int64(2), np.uint8(2), np.array(2), np.full(6, 2), (2,) * 6):
        assert neuroprim.solve(few, degree=degree, max_iterations=50).cost == best


def test_a_mask_marks_terminals(few):
    mask = np.array([True, False, False, True, False, True])
    by_number = neuroprim.solve(few, "stp", terminals=[0, 3, 5])
    for terminals in (mask, mask.tolist(), tuple(mask)):
        tree = neuroprim.solve(few, "stp", terminals=terminals)
        assert tree.instance.terminals.tolist() == [0, 3, 5] and tree.cost == by_number.cost


@pytest.mark.parametrize("problem", ["mst", "mrcst"])
@pytest.mark.parametrize("method", ["search", "kruskal"])
def test_points_that_have_changed_are_looked_at_again(problem, method):
    points = np.random.default_rng(0).random((100, 2))
    instance = neuroprim.Instance.from_points(points)
    points[3] = np.nan
    with pytest.raises(ValueError, match=r"vertex 3: expected finite coordinates up to 1e\+150, found \(nan, nan\)"):
        neuroprim.solve(instance, problem, method=method, time_limit=0.5)


def test_a_matrix_that_has_changed_is_looked_at_again(few):
    matrix = distances(few)
    instance = neuroprim.Instance.from_matrix(matrix)
    matrix[2, 1] = matrix[1, 2] = np.nan
    with pytest.raises(ValueError, match="edge 2-1: expected a weight of at least 0, found nan"):
        neuroprim.solve(instance, degree=2)
    with pytest.raises(ValueError, match="edge 2-1"):
        neuroprim.Policy.load("mrcst").explain(instance)
    matrix[2, 1] = matrix[1, 2] = np.inf
    with pytest.raises(ValueError, match="edges have come or gone"):
        neuroprim.solve(instance, degree=2)


def test_unknown_arguments_are_refused(few):
    with pytest.raises(TypeError, match="unexpected keyword"):
        neuroprim.solve(few, degre=3)
    with pytest.raises(TypeError, match="unexpected keyword"):
        neuroprim.solve_many([few], degre=3)


def test_json_is_what_the_command_writes(few):
    written = json.loads(neuroprim.solve(few, "mst").to_json())
    assert written["problem"] == "mst" and len(written["edges"]) == 5
