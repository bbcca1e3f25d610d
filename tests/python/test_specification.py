"""Limits and facts about vertices as keywords: alone, together and beside rules, against all trees of small graphs."""

import copy
import itertools
import math
import pickle

import brute_force
import networkx as nx
import numpy as np
import pytest

import neuroprim
from neuroprim import Problem

N = 6


def distances(points):
    return np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))


def children_of(edges, root):
    """Each vertex of the tree with its children, seen from the root, parents first."""
    around = {}
    for u, v in edges:
        around.setdefault(u, []).append(v)
        around.setdefault(v, []).append(u)
    order, parent = [root], {root: None}
    for u in order:
        for v in around.get(u, []):
            if v != parent[u]:
                parent[v] = u
                order.append(v)
    return {u: [v for v in order if parent[v] == u] for u in order}


def loads(edges, root, demands):
    """The demand behind the edge above each vertex."""
    children = children_of(edges, root)
    load = {}
    for u in reversed(list(children)):
        load[u] = demands[u] + sum(load[v] for v in children[u])
    return load


class Definition:
    """What the keywords mean, written a second time."""

    def __init__(self, weight, **given):
        self.w, self.given = weight, given
        self.root = given.get("root")
        self.demands = given.get("demands", [1.0] * N)

    def fits(self, edges):
        g, root = self.given, self.root
        inside = {v for edge in edges for v in edge} or {root}
        degree = brute_force.degrees(N, edges)
        limit = g.get("degree", N)
        limits = [limit] * N if isinstance(limit, int) else limit
        pairs = {frozenset(edge) for edge in edges}
        checks = [
            all(d <= most for d, most in zip(degree, limits)),
            all(degree[v] <= 1 for v in g.get("leaves", [])),
            all(frozenset(edge) in pairs for edge in g.get("include_edges", [])),
            not any(frozenset(edge) in pairs for edge in g.get("exclude_edges", [])),
            all(v in inside for v in g.get("terminals", [])),
            root is None or root in inside,
        ]
        if "groups" in g:
            checks.append(all(len(inside & set(group)) == 1 for group in g["groups"]))
        if not all(checks):
            return False
        hops = brute_force.tree_distances(N, edges, np.ones((N, N)))
        if "hops" in g and max(hops[root][v] for v in inside) > g["hops"]:
            return False
        if "diameter" in g and max(hops[u][v] for u in inside for v in inside) > g["diameter"]:
            return False
        if "length" in g:
            way = brute_force.tree_distances(N, edges, self.w)
            if max(way[root][v] for v in inside) > g["length"] * (1 + 1e-9):
                return False
        most = g.get("capacity", math.inf)
        if "cables" in g:
            most = min(most, g["cables"][-1][0])
        if most < math.inf:
            load = loads(edges, root, self.demands)
            if any(load[v] > most * (1 + 1e-9) for v in children_of(edges, root)[root]):
                return False
        return True

    def cost(self, edges):
        inside = {v for edge in edges for v in edge}
        lost = sum(prize for v, prize in enumerate(self.given.get("prizes", [])) if v not in inside)
        if "cables" not in self.given:
            return lost + sum(self.w[u, v] for u, v in edges)
        load = loads(edges, self.root, self.demands)
        total = lost
        for u, children in children_of(edges, self.root).items():
            for v in children:
                price = next(p for c, p in self.given["cables"] if load[v] <= c * (1 + 1e-9))
                total += price * self.w[u, v]
        return total

    def least(self, cost=None):
        covers_all = not {"terminals", "prizes", "groups"} & self.given.keys()
        must = range(N) if covers_all else sorted({*self.given.get("terminals", []), *([] if self.root is None else [self.root])})
        return brute_force.least(N, self.fits, cost or self.cost, must)


CASES = {
    "lmst": dict(root=0, length=0.9),
    "cmst": dict(root=1, capacity=3.0, demands=[1.0, 1.0, 2.0, 1.0, 0.5, 2.0]),
    "bdmst": dict(diameter=3),
    "gmst": dict(groups=[[0, 1], [2, 3], [4, 5]]),
    "cables": dict(root=2, cables=[(1.0, 1.0), (3.0, 1.5), (6.0, 2.5)]),
    "degree, hops and capacity": dict(degree=3, hops=3, capacity=3.0, root=0),
    "degree by vertex and hops": dict(degree=[3, 2, 1, 3, 2, 3], hops=4, root=0),
    "edges and a degree": dict(include_edges=[(0, 5)], exclude_edges=[(0, 1), (2, 3)], degree=2),
    "leaves and a diameter": dict(leaves=[1, 4], diameter=4),
    "terminals and hops": dict(terminals=[1, 3, 5], hops=2, root=1),
    "groups and a degree": dict(groups=[[0, 1], [2, 3], [4]], degree=2),
    "cables and a degree": dict(cables=[(2.0, 1.0), (5.0, 1.2)], degree=3, root=3),
    "length and capacity": dict(length=1.2, capacity=3.0, root=4),
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", CASES)
def test_the_search_finds_the_best_of_all_trees(name, seed):
    points = np.random.default_rng(seed).random((N, 2))
    given = CASES[name]
    definition = Definition(distances(points), **given)
    best = definition.least()
    if math.isinf(best):
        with pytest.raises(neuroprim.Infeasible):
            neuroprim.solve(points, max_iterations=300, **given)
        return
    tree = neuroprim.solve(points, max_iterations=300, **given)
    assert definition.fits([tuple(edge) for edge in tree.edges.tolist()])
    assert tree.cost == pytest.approx(best)
    assert neuroprim.check(points, tree, **given) is None
    names = {"edges and a degree": "dcmst"}
    assert tree.problem == (name if name in neuroprim.problems() else names.get(name, "tree"))
    assert bool(tree.specification) == (name not in neuroprim.problems())


@pytest.mark.parametrize("rooted", [False, True])
def test_prizes_against_all_trees_of_all_sets(rooted):
    points = np.random.default_rng(4).random((N, 2))
    w = distances(points)
    prizes = [0.1, 0.5, 0.2, 0.6, 0.05, 0.4]
    more = dict(root=2) if rooted else {}
    definition = Definition(w, prizes=prizes, **more)
    alone = [sum(prizes) - prizes[v] for v in range(N) if not rooted or v == 2]
    sets = (s for k in range(2, N + 1) for s in itertools.combinations(range(N), k) if not rooted or 2 in s)
    best = min([*alone, *(definition.cost(edges) for s in sets for edges in brute_force.trees(list(s)))])
    tree = neuroprim.solve(points, prizes=prizes, max_iterations=300, **more)
    assert tree.problem == "pcst" and tree.cost == pytest.approx(best)
    assert neuroprim.solve(points, "pcst", prizes=dict(enumerate(prizes)), max_iterations=300, **more).cost == tree.cost


class Peaks(Problem):
    """The heaviest edge counts ten times: a cost that is no sum over edges."""

    def cost(self, tree):
        return tree.cost + 9 * float(tree.weights.max(initial=0.0))


class NoNeighbours(Problem):
    """Vertices of successive numbers are not joined: a rule about pairs."""

    def joins(self, state, u, v):
        return abs(u - v) != 1


class FewLeaves(Problem):
    def finished(self, state):
        return np.count_nonzero(np.bincount(np.ravel(state.edges), minlength=N) == 1) <= 3


LIMITS = {
    "none": {},
    "degree": dict(degree=2),
    "degree, hops": dict(degree=3, hops=3, root=0),
    "capacity": dict(capacity=3.0, root=1),
    "diameter, degree": dict(diameter=4, degree=3),
    "terminals, hops": dict(terminals=[1, 3, 5], hops=3, root=1),
    "cables": dict(cables=[(2.0, 1.0), (5.0, 1.2)], root=3),
    "edges": dict(exclude_edges=[(0, 2)], include_edges=[(1, 4)]),
}


@pytest.mark.parametrize("limits", LIMITS)
def test_a_cost_of_ones_own_combines_with_limits(limits):
    points = np.random.default_rng(7).random((N, 2))
    w = distances(points)
    definition = Definition(w, **LIMITS[limits])
    price = lambda edges: definition.cost(edges) + 9 * max(w[u, v] for u, v in edges)
    tree = neuroprim.solve(points, Peaks(), max_iterations=400, **LIMITS[limits])
    edges = [tuple(edge) for edge in tree.edges.tolist()]
    assert definition.fits(edges)
    assert tree.cost == pytest.approx(price(edges)) == pytest.approx(definition.least(price))
    assert tree.problem == "Peaks"
    assert neuroprim.check(points, tree, Peaks(), **LIMITS[limits]) is None


@pytest.mark.parametrize("limits", LIMITS)
def test_rules_of_ones_own_combine_with_limits(limits):
    points = np.random.default_rng(8).random((N, 2))
    for problem, keeps in (
        (NoNeighbours(), lambda edges: all(abs(u - v) != 1 for u, v in edges)),
        (FewLeaves(), lambda edges: brute_force.degrees(N, edges).count(1) <= 3),
    ):
        definition = Definition(distances(points), **LIMITS[limits])
        known = definition.fits
        definition.fits = lambda edges: keeps(edges) and known(edges)
        tree = neuroprim.solve(points, problem, max_iterations=400, **LIMITS[limits])
        edges = [tuple(edge) for edge in tree.edges.tolist()]
        assert definition.fits(edges), problem.name
        assert tree.cost == pytest.approx(definition.least()), problem.name


def test_limits_and_rules_are_both_judged():
    points = np.random.default_rng(7).random((N, 2))
    star = [(0, v) for v in range(1, N)]
    assert neuroprim.check(points, star, Peaks(), degree=3) == "degree 5 > 3 at vertex 0"
    assert neuroprim.check(points, star, NoNeighbours()) == "vertex 0 may not take vertex 1"
    path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert "hops" in neuroprim.check(points, path, Peaks(), hops=3, root=0)

    class Elsewhere(Problem):
        def starts(self, instance):
            return [4]

    with pytest.raises(ValueError, match="the root is vertex 1, but starts does not list it"):
        neuroprim.solve(points, Elsewhere(), root=1, hops=2)
    assert neuroprim.solve(points, Elsewhere(), root=4, hops=2, max_iterations=5).start == 4


def test_a_policy_keeps_limits_and_rules(few):
    tree = neuroprim.Policy.load("dcmst").greedy(few, Peaks(), degree=2)
    assert max(brute_force.degrees(N, tree.edges.tolist())) <= 2


def test_facts_as_mappings_attributes_masks_and_arrays(few):
    graph = nx.Graph()
    w = distances(few)
    for u, v in itertools.combinations(range(N), 2):
        graph.add_edge(f"v{u}", f"v{v}", weight=w[u, v])
    nx.set_node_attributes(graph, {f"v{v}": 0.3 * v for v in range(N)}, "worth")
    nx.set_node_attributes(graph, {f"v{v}": "ab"[v % 2] for v in range(4)}, "side")
    options = dict(max_iterations=200)
    by_name = neuroprim.solve(graph, prizes="worth", **options)
    assert by_name.cost == pytest.approx(neuroprim.solve(few, prizes=[0.3 * v for v in range(N)], **options).cost)
    sides = [
        neuroprim.solve(graph, groups="side", **options),
        neuroprim.solve(few, groups=["a", "b", "a", "b", None, None], **options),
        neuroprim.solve(few, groups={0: 7, 2: 7, 1: 3, 3: 3}, **options),
        neuroprim.solve(few, groups=[{0, 2}, {1, 3}], **options),
        neuroprim.solve(few, groups=np.array([5, 0, 5, 0, -1, -1]), **options),
    ]
    assert len({round(one.cost, 12) for one in sides}) == 1
    demands = [1, 1, 1, 2, 1, 1]
    for given in (demands, {3: 2}, np.array(demands)):
        assert neuroprim.check(few, [(0, 3), (3, 1), (0, 2), (0, 4), (0, 5)], root=0, capacity=2, demands=given) == (
            "the branch through vertex 3 has load 3, the capacity is 2"
        )
    mask = [v in (1, 4) for v in range(N)]
    assert neuroprim.solve(few, leaves=mask, **options).cost == neuroprim.solve(few, leaves=[1, 4], **options).cost
    names = neuroprim.solve(graph, include_edges=[("v0", "v5")], root="v1", hops=3, **options)
    assert ("v0", "v5") in names.named_edges or ("v5", "v0") in names.named_edges


def test_several_roots_make_a_forest(few):
    points = np.random.default_rng(4).random((14, 2))
    forest = neuroprim.solve(points, capacity=3, root=[2, 9], max_iterations=200)
    assert forest.roots == [2, 9] and forest.start == 2
    assert len(forest.edges) == 12
    assert neuroprim.check(points, forest, capacity=3, root={9, 2}) is None
    assert "from 2 roots (2, 9)" in forest.specification
    parent = {v: u for u, v in forest.edges.tolist()}
    branches = {}
    for v in range(14):
        while v in parent and parent[v] not in (2, 9):
            v = parent[v]
        if v in parent:
            branches[v] = branches.get(v, 0) + 1
    assert sum(branches.values()) == 12 and max(branches.values()) <= 3
    again = pickle.loads(pickle.dumps(forest))
    assert again.roots == forest.roots
    with pytest.raises(ValueError, match="root: expected a vertex or several, found none"):
        neuroprim.solve(points, capacity=3, root=[])


def test_cables_come_from_a_file_too(few, tmp_path):
    file = tmp_path / "cables.csv"
    file.write_text("capacity,price\n2,1\n5,1.2\n")
    options = dict(root=0, max_iterations=100)
    from_file = neuroprim.solve(few, cables=file, **options)
    assert from_file.cost == neuroprim.solve(few, cables=[(2, 1), (5, 1.2)], **options).cost
    with pytest.raises(ValueError, match="nowhere.csv"):
        neuroprim.solve(few, cables="nowhere.csv", root=0)


def test_what_was_solved_is_told_in_words(few):
    tree = neuroprim.solve(few, degree=3, hops=4, capacity=3, root=1, max_iterations=50)
    assert tree.problem == "tree"
    assert tree.specification == "shortest tree, degree ≤ 3, at most 4 hops from 1, at most 3 per branch of 1"
    assert tree.specification in tree.to_json()
    assert pickle.loads(pickle.dumps(tree)).specification == tree.specification
    assert neuroprim.solve(few, degree=3, max_iterations=5).problem == "dcmst"
    assert neuroprim.solve(few, max_iterations=5).problem == "mst"


def test_marks_of_a_file_survive_copies_and_pickles(tmp_path):
    file = tmp_path / "towns.csv"
    file.write_text("name,x,y,demand,prize,root\na,0,0,1,1,1\nb,1,0,2,1,\nc,1,1,2,5,\nd,0,1,1,3,\n")
    instance = neuroprim.Instance.read(file)
    for one in (instance, pickle.loads(pickle.dumps(instance)), copy.deepcopy(instance)):
        assert one._impl.demands == [1, 2, 2, 1] and one._impl.prizes == [1, 1, 5, 3] and one._impl.root == 0
        tree = neuroprim.solve(one, "cmst", capacity=3, max_iterations=20)
        assert tree.start == 0
        assert neuroprim.check(one, [("a", "b"), ("b", "c"), ("a", "d")], "cmst", capacity=3) is not None


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (dict(hops=0), ValueError, "hops: expected a whole number of at least 1"),
        (dict(hops=2), None, None),
        (dict(length=-1, root=0), ValueError, "length: expected a number of at least 0, found -1"),
        (dict(length=1.0), ValueError, r"lengths are counted from a root: give one \(root=...\) with length=...$"),
        (dict(capacity=0, root=0), ValueError, "capacity: expected a number above 0, found 0"),
        (dict(capacity=2), ValueError, r"loads are counted from a root: give one \(root=...\) with capacity"),
        (dict(capacity=2, root=0, demands=[3] * N), ValueError, "capacity 2, but vertex 1 has demand 3"),
        (dict(demands=[1] * N), ValueError, "demands=... is of no use: nothing counts them, which capacity=... and cables"),
        (dict(demands={9: 1}, capacity=2, root=0), ValueError, "demands: vertex 9 is not among the 6"),
        (dict(demands=[1, 2], capacity=2, root=0), ValueError, "demands: expected 6 numbers, found 2"),
        (dict(demands=3, capacity=2, root=0), TypeError, "demands: expected a number for each vertex or a mapping"),
        (dict(prizes=[-1] * N), ValueError, "prize of vertex 0: expected a finite number of at least 0, found -1"),
        (dict(prizes="worth"), TypeError, "a name stands for a node attribute"),
        (dict(diameter=2.5), TypeError, "diameter: expected a whole number, found 2.5"),
        (dict(groups=[[0, 1], [1, 2]]), ValueError, "groups: vertex 1 is in two of them"),
        (dict(groups=[0, 1]), ValueError, "groups: expected sets of vertices or 6 groups, found 2"),
        (dict(groups=3), TypeError, "groups: expected sets of vertices"),
        (dict(leaves=[17]), ValueError, "leaves: vertex 17"),
        (dict(terminals=[]), ValueError, "terminals: expected at least one vertex"),
        (dict(cables=[(1, 2, 3)], root=0), ValueError, r"cables: expected pairs \(capacity, price\)"),
        (dict(cables=[], root=0), ValueError, "cables: expected pairs .* found none"),
        (dict(cables=[(5, 2), (1, 1)], root=0), ValueError, "cable 2: expected more capacity than cable 1"),
        (dict(cables=[(5, 2)]), ValueError, r"counted from a root: give one \(root=...\) with cables=...$"),
        (dict(include_edges=[(0, 9)]), ValueError, "include_edges: vertex 9"),
        (dict(include_edges=[0]), ValueError, "include_edges: expected edges as pairs of vertices, found 0"),
        (dict(exclude_edges="ab"), TypeError, "exclude_edges: expected edges as pairs"),
        (dict(include_edges=[(0, 1)], exclude_edges=[(1, 0)]), ValueError, "edge 0-1 is included and excluded"),
        (dict(root=2), ValueError, r"a root is of no use here: .*\(hops=..., length=..., capacity=..., cables=...\)"),
        (dict(problem="hmst", hops=2, terminals=[1]), ValueError, "terminals=... is of no use for hmst: .* without problem"),
        (dict(problem="cmst", root=0), ValueError, "cmst needs a capacity: capacity=...$"),
        (dict(problem="mrcst", degree=[2] * N), ValueError, "degree=... is of no use for mrcst"),
        (dict(problem="stp", terminals=[1, 2], prizes=[1] * N), ValueError, "prizes=... is of no use for stp"),
        (dict(groups=[[1, 2], [3]], prizes=[1] * N), ValueError, "prizes=... is of no use beside the other options"),
        (dict(problem="mrcst", cables=[(9, 1)], root=0), ValueError, "a tree is priced by one objective"),
    ],
)
def test_keywords_that_make_no_sense(few, given, error, words):
    if error is None:
        assert neuroprim.solve(few, max_iterations=5, **given).problem == "hmst"
        return
    with pytest.raises(error, match=words):
        neuroprim.solve(few, max_iterations=5, **given)


@pytest.mark.parametrize("seed", range(4))
def test_a_search_for_several_limits_begins_with_the_constructions_for_each(seed):
    points = np.random.default_rng(seed).random((40, 2))
    limits = dict(root=0, capacity=12, length=1.6)
    begun = neuroprim.solve(points, max_iterations=1, **limits).cost
    for method in ("esau-williams", "length-blend", "limited-prim"):
        try:
            assert begun <= neuroprim.solve(points, method=method, **limits).cost * (1 + 1e-9)
        except neuroprim.Infeasible:
            continue


def test_masses_weigh_pairs(few):
    plain = neuroprim.solve(few, "mrcst", max_iterations=50)
    heavy = neuroprim.solve(few, "mrcst", masses=[2.0] * len(few), max_iterations=50)
    assert heavy.cost == pytest.approx(4 * plain.cost)
    some = neuroprim.solve(few, masses={0: 0.0}, max_iterations=50)
    assert some.problem == "mrcst" and "between masses" in some.specification
    assert some.cost < plain.cost
    with pytest.raises(ValueError, match="masses=... is of no use for dcmst"):
        neuroprim.solve(few, "dcmst", degree=2, masses=[1.0] * len(few))
