"""Problems defined in Python: right against all trees of small graphs, whoever grows them."""

import itertools

import brute_force
import networkx as nx
import numpy as np
import pytest

import neuroprim
from neuroprim import Problem


def weights_of(points):
    return np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))


def total(weight):
    return lambda edges: sum(weight[u, v] for u, v in edges)


class DegreeLimit(Problem):
    def __init__(self, degree):
        self.degree = degree

    def has_residual_capacity(self, state, u):
        return state.degree(u) < self.degree


class FormerDegreeLimit(DegreeLimit):
    """The same rule under the name that it had before."""

    def has_room(self, state, u):
        return state.degree(u) < self.degree - 1


class Capacitated(Problem):
    """Every subtree below the root serves at most `capacity` vertices."""

    residual_capacity_is_local = False

    def __init__(self, root, capacity):
        self.root, self.capacity = root, capacity

    def starts(self, instance):
        return [self.root]

    def has_residual_capacity(self, state, u):
        return u == self.root or self.load(state, u) < self.capacity

    def load(self, state, u):
        gate = self.gate(state, u)
        inside = [v for v in range(state.n) if v in state and v != self.root]
        return sum(self.gate(state, v) == gate for v in inside)

    def gate(self, state, v):
        while state.parent(v) != self.root:
            v = state.parent(v)
        return v


class FewestLeaves(Problem):
    """Leaves first, weight second: a cost that is no sum over edges."""

    def cost(self, tree):
        return 100.0 * np.count_nonzero(tree.degrees == 1) + tree.total_weight


class TreeOfSize(Problem):
    """The cheapest tree of at least k vertices, whichever they are."""

    def __init__(self, k):
        self.k = k

    def required(self, instance, v):
        return False

    def starts(self, instance):
        return range(instance.n)

    def finished(self, state):
        return state.size >= self.k


class Steiner(Problem):
    def __init__(self, terminals):
        self.terminals = set(terminals)

    def required(self, instance, v):
        return v in self.terminals

    def pruned(self, tree):
        return tree.pruned([v in self.terminals for v in range(tree.n)])


def subtree_sizes(edges, n, root):
    """Vertices behind each edge of the root."""
    children = {v: [] for v in range(n)}
    depth = brute_force.depths(n, edges, root)
    for u, v in edges:
        upper, lower = (u, v) if depth[u] < depth[v] else (v, u)
        children[upper].append(lower)

    def size(v):
        return 1 + sum(map(size, children[v]))

    return [size(v) for v in children[root]]


CASES = [
    (DegreeLimit(2), lambda e: max(brute_force.degrees(6, e)) <= 2, None, None),
    (Capacitated(1, 2), lambda e: max(subtree_sizes(e, 6, 1)) <= 2, None, None),
    (FewestLeaves(), lambda e: True, "leaves", None),
    (Steiner([0, 2, 4]), lambda e: True, None, [0, 2, 4]),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].name)
def test_the_search_finds_the_best_of_all_trees(case, seed):
    problem, fits, cost, required = case
    points = np.random.default_rng(seed).random((6, 2))
    weight = total(weights_of(points))
    if cost == "leaves":
        price = lambda e: 100 * brute_force.degrees(6, e).count(1) + weight(e)
    else:
        price = weight
    tree = neuroprim.solve(points, problem, max_iterations=150)
    edges = [tuple(edge) for edge in tree.edges.tolist()]
    assert fits(edges)
    assert tree.cost == pytest.approx(price(edges))
    assert tree.cost == pytest.approx(brute_force.least(6, fits, price, required))
    assert neuroprim.check(points, tree, problem) is None


@pytest.mark.parametrize("seed", range(3))
def test_finished_alone_may_end_a_tree(seed):
    points = np.random.default_rng(seed).random((6, 2))
    weight = total(weights_of(points))
    best = min(
        weight(edges) for some in itertools.combinations(range(6), 4) for edges in brute_force.trees(list(some))
    )
    tree = neuroprim.solve(points, TreeOfSize(4), max_iterations=300)
    assert len(tree.edges) >= 3 and tree.cost == pytest.approx(best)
    assert neuroprim.check(points, [(0, 1)], TreeOfSize(4)) == "the tree is not finished"


def test_python_and_the_library_agree(points):
    ours = neuroprim.solve(points, DegreeLimit(2), method="prim", start=0)
    theirs = neuroprim.solve(points, "dcmst", degree=2, method="prim", start=0)
    assert np.array_equal(ours.edges, theirs.edges)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].name)
def test_a_policy_keeps_the_rules(case, few):
    problem, fits, _, _ = case
    policy = neuroprim.Policy.load("dcmst")
    for tree in (policy.greedy(few, problem), policy.sample(few, problem, samples=20)):
        assert fits([tuple(edge) for edge in tree.edges.tolist()])
        assert neuroprim.check(few, tree, problem) is None


def test_a_policy_decodes_python_rules_as_the_librarys(points):
    policy = neuroprim.Policy.load("dcmst")
    ours = policy.greedy(points, DegreeLimit(2))
    theirs = policy.greedy(points, "dcmst", degree=2)
    assert ours.cost == theirs.cost and ours.statistics.dead_ends == theirs.statistics.dead_ends


def test_the_mst_is_a_bound_where_the_cost_is_the_weight(points):
    assert neuroprim.solve(points, DegreeLimit(2), max_iterations=5).bound is not None
    assert neuroprim.solve(points, FewestLeaves(), max_iterations=5).bound is None


def test_problems_work_on_graphs_and_in_batches():
    graph = nx.cycle_graph(6)
    tree = neuroprim.solve(graph, DegreeLimit(2), max_iterations=10)
    assert tree.cost == 5 and tree.problem == "DegreeLimit"
    data = [np.random.default_rng(k).random((8, 2)) for k in range(6)]
    many = neuroprim.solve_many(data, DegreeLimit(2), threads=3, max_iterations=20)
    for points, one in zip(data, many):
        assert np.array_equal(one.edges, neuroprim.solve(points, DegreeLimit(2), max_iterations=20).edges)


def test_rules_see_the_instance_and_its_names():
    seen = set()

    class Curious(Problem):
        name = "curious"

        def has_residual_capacity(self, state, u):
            seen.add((state.instance.label(u), state.instance.n, state.n, len(state) >= 1))
            return True

    tree = neuroprim.solve(nx.path_graph(["x", "y", "z"]), Curious(), method="prim")
    assert seen == {(name, 3, 3, True) for name in "xyz"} and tree.problem == "curious"


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "rule",
    [
        "has_residual_capacity",
        "cost",
        "finished",
        "required",
        "starts",
        "lookahead_allows",
        "pruned",
        "infeasibility_certificate",
    ],
)
def test_exceptions_in_rules_reach_the_caller(points, rule, threads):
    def fail(self, *arguments):
        raise LookupError(f"in {rule}")

    broken = type("Broken", (Problem,), {rule: fail})()
    options = dict(method="prim") if rule == "lookahead_allows" else dict(max_iterations=20)
    with pytest.raises(LookupError, match=f"in {rule}") as caught:
        neuroprim.solve(points, broken, threads=threads, **options)
    assert caught.traceback[-1].name == "fail"
    with pytest.raises(LookupError):
        neuroprim.solve_many([points, points], broken, **options)
    (failure,) = neuroprim.solve_many([points], broken, return_exceptions=True, **options)
    assert isinstance(failure, LookupError)


def test_an_exception_late_in_the_search_reaches_the_caller(few):
    class Tired(Problem):
        calls = 0

        def cost(self, tree):
            Tired.calls += 1
            if Tired.calls > 200:
                raise OverflowError("tired")
            return -float(tree.degrees.max())

    with pytest.raises(OverflowError, match="tired"):
        neuroprim.solve(few, Tired(), max_iterations=10_000)


@pytest.mark.parametrize(
    ("rule", "answer", "error", "words"),
    [
        (
            "has_residual_capacity",
            None,
            TypeError,
            "has_residual_capacity must return True or False, not <class 'NoneType'>",
        ),
        ("cost", None, TypeError, "cost must return a number, not <class 'NoneType'>"),
        ("cost", "7", TypeError, "cost must return a number, not <class 'str'>"),
        ("cost", float("nan"), ValueError, "cost must return a number, not nan"),
        ("starts", [], ValueError, "no vertex to start from"),
        ("starts", [99], ValueError, "vertex 99 is not among the 6"),
        ("required", False, ValueError, "no vertex to start from"),
        ("pruned", 3, TypeError, "pruned must return a Tree"),
        ("infeasibility_certificate", "too hot", neuroprim.Infeasible, "too hot"),
    ],
)
def test_answers_that_make_no_sense(few, rule, answer, error, words):
    broken = type("Broken", (Problem,), {rule: lambda self, *arguments: answer})()
    with pytest.raises(error, match=words):
        neuroprim.solve(few, broken, max_iterations=5)


def test_a_problem_must_not_take_the_name_of_another(few):
    class Taken(Problem):
        name = "mrcst"

    with pytest.raises(ValueError, match='"mrcst" is the name of a problem of the library'):
        neuroprim.solve(few, Taken())


def test_a_state_lives_for_one_call(few):
    kept = []

    class Keeper(Problem):
        def has_residual_capacity(self, state, u):
            kept.append(state)
            return True

    neuroprim.solve(few, Keeper(), method="prim")
    with pytest.raises(RuntimeError, match="only during the call"):
        kept[0].degree(0)


def test_states_and_trees_check_vertices(few):
    class Wild(Problem):
        def has_residual_capacity(self, state, u):
            return state.degree(1000) < 3

    with pytest.raises(IndexError, match="vertex 1000 is not among the 6"):
        neuroprim.solve(few, Wild(), method="prim")


def test_vertices_may_be_numpys_numbers(few):
    class Careful(Problem):
        def has_residual_capacity(self, state, u):
            around = [state.degree(v) for v in state.open if v in state]
            far = [state.weight(np.int64(u), v) for v in state.outside]
            return len(around) + len(far) >= 0 and state.degree(np.int64(u)) < 3

        def finished(self, state):
            return len(state.outside) == 0

    assert neuroprim.check(few, neuroprim.solve(few, Careful(), max_iterations=5), degree=3) is None


def test_a_tree_tells_its_shape(few):
    class Told(Problem):
        def cost(self, tree):
            assert tree.edges.shape == (5, 2) and tree.n == 6
            assert tree.weights.sum() == pytest.approx(tree.total_weight)
            parents, depths, order = tree.parents(0), tree.depths(0), tree.order(0)
            assert parents[0] == -1 and depths[0] == 0 and order[0] == 0
            assert all(depths[v] == depths[parents[v]] + 1 for v in order[1:])
            assert sum(tree.degrees) == 10
            return tree.total_weight

    neuroprim.solve(few, Told(), max_iterations=5)


def test_rules_may_have_their_former_names():
    points = np.random.default_rng(5).random((12, 2))
    tree = neuroprim.solve(points, problem=FormerDegreeLimit(3), max_iterations=50)
    assert np.bincount(tree.edges.ravel()).max() == 2
    assert tree.cost == neuroprim.solve(points, problem=DegreeLimit(2), max_iterations=50).cost
