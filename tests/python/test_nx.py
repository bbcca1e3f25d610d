"""neuroprim.nx: functions in the manner of networkx."""

import itertools

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms import approximation

import neuroprim


def weighted(graph, seed=0):
    rng = np.random.default_rng(seed)
    for _, _, marks in graph.edges(data=True):
        marks["weight"] = float(rng.integers(1, 100))
    return graph


@pytest.mark.parametrize("seed", range(6))
def test_steiner_trees_are_never_worse_than_networkx(seed):
    graph = weighted(nx.connected_watts_strogatz_graph(60, 4, 0.3, seed=seed), seed)
    terminals = list(range(0, 60, 6))
    ours = neuroprim.nx.steiner_tree(graph, terminals)
    theirs = approximation.steiner_tree(graph, terminals)
    assert nx.is_tree(ours) and set(terminals) <= set(ours)
    assert ours.size("weight") <= theirs.size("weight")
    assert type(ours) is type(theirs)
    assert all(ours.edges[edge] is graph.edges[edge] for edge in ours.edges)


def test_steiner_trees_return_what_networkx_returns():
    graph = weighted(nx.path_graph(5))
    ours = neuroprim.nx.steiner_tree(graph, [1, 3])
    theirs = approximation.steiner_tree(graph, [1, 3])
    assert set(ours) == set(theirs) and set(ours.edges) == set(theirs.edges)
    one, other = neuroprim.nx.steiner_tree(graph, [2]), approximation.steiner_tree(graph, [2])
    assert set(one) == set(other) == set()


def test_steiner_trees_in_multigraphs_take_the_lightest_edge():
    graph = nx.MultiGraph()
    graph.add_edge("a", "b", key="slow", weight=9)
    graph.add_edge("a", "b", key="fast", weight=2)
    graph.add_edge("b", "c", key="only", weight=1)
    tree = neuroprim.nx.steiner_tree(graph, ["a", "c"])
    assert sorted(key for _, _, key in tree.edges(keys=True)) == ["fast", "only"]


def test_terminals_may_lie_in_one_part_of_a_graph():
    graph = nx.disjoint_union(nx.path_graph(3), nx.path_graph(3))
    assert set(neuroprim.nx.steiner_tree(graph, [0, 2])) == {0, 1, 2}
    with pytest.raises(neuroprim.Infeasible):
        neuroprim.nx.steiner_tree(graph, [0, 4])


def test_the_weight_attribute_has_a_name():
    graph = nx.Graph()
    graph.add_edge(0, 1, length=5, weight=1)
    graph.add_edge(0, 2, length=1, weight=9)
    graph.add_edge(2, 1, length=1, weight=9)
    assert set(neuroprim.nx.steiner_tree(graph, [0, 1], "length")) == {0, 1, 2}
    assert set(neuroprim.nx.steiner_tree(graph, [0, 1])) == {0, 1}


def test_steiner_trees_are_the_same_every_time():
    graph = weighted(nx.grid_2d_graph(12, 12))
    corners = [(0, 0), (0, 11), (11, 0), (11, 11), (5, 5)]
    first = neuroprim.nx.steiner_tree(graph, corners, threads=1)
    again = neuroprim.nx.steiner_tree(graph, corners, threads=2)
    assert set(first.edges) == set(again.edges)


def test_minimum_spanning_trees_agree_with_networkx():
    graph = weighted(nx.gnm_random_graph(40, 200, seed=3))
    ours, theirs = neuroprim.nx.minimum_spanning_tree(graph), nx.minimum_spanning_tree(graph)
    assert ours.size("weight") == theirs.size("weight")
    assert type(ours) is type(theirs) and set(ours) == set(theirs)
    assert list(ours.nodes) == list(graph.nodes)


def test_of_a_graph_in_parts_there_is_a_forest_as_in_networkx():
    graph = weighted(nx.disjoint_union(nx.cycle_graph(5), nx.complete_graph(4)))
    graph.add_node("alone", colour="red")
    ours, theirs = neuroprim.nx.minimum_spanning_tree(graph), nx.minimum_spanning_tree(graph)
    assert ours.size("weight") == theirs.size("weight") and ours.number_of_edges() == 7
    assert list(ours.nodes(data=True)) == list(theirs.nodes(data=True))
    assert len(neuroprim.nx.minimum_spanning_tree(nx.Graph())) == 0
    hidden = neuroprim.nx.minimum_spanning_tree(nx.path_graph(4), lambda u, v, marks: None if u == 1 else 1)
    assert sorted(hidden.edges) == [(0, 1), (2, 3)]


@pytest.mark.parametrize("algorithm", ["kruskal", "prim", "boruvka"])
def test_minimum_spanning_trees_take_the_arguments_of_networkx(algorithm):
    graph = weighted(nx.complete_graph(6))
    graph.edges[0, 1]["weight"] = float("nan")
    ours = neuroprim.nx.minimum_spanning_tree(graph, "weight", algorithm, True)
    assert ours.size("weight") == nx.minimum_spanning_tree(graph, "weight", algorithm, True).size("weight")
    with pytest.raises(ValueError, match="found nan"):
        neuroprim.nx.minimum_spanning_tree(graph, algorithm=algorithm)
    with pytest.raises(ValueError, match="valid choice"):
        neuroprim.nx.minimum_spanning_tree(graph, algorithm="magic")


@pytest.mark.parametrize("method", [None, "mehlhorn", "kou", "shortest-path"])
def test_steiner_trees_take_the_methods_of_networkx_and_ours(method):
    graph = weighted(nx.grid_2d_graph(5, 5))
    corners = [(0, 0), (0, 4), (4, 0)]
    tree = neuroprim.nx.steiner_tree(graph, corners, "weight", method)
    assert nx.is_tree(tree) and set(corners) <= set(tree)
    with pytest.raises(ValueError, match="unknown method 'magic'"):
        neuroprim.nx.steiner_tree(graph, corners, method="magic")


def test_degree_limits_hops_and_routing():
    graph = weighted(nx.complete_graph("abcdefgh"))
    limited = neuroprim.nx.degree_constrained_spanning_tree(graph, 2, max_iterations=100)
    assert nx.is_tree(limited) and max(dict(limited.degree).values()) == 2
    flat = neuroprim.nx.hop_constrained_spanning_tree(graph, "c", 2, max_iterations=100)
    assert nx.is_tree(flat) and max(nx.single_source_shortest_path_length(flat, "c").values()) <= 2
    routing = neuroprim.nx.minimum_routing_cost_spanning_tree(graph, max_iterations=100)
    total = lambda tree: nx.wiener_index(tree, weight="weight")
    assert total(routing) <= total(nx.minimum_spanning_tree(graph))
    traffic = {pair: 1.0 for pair in itertools.combinations("abcdefgh", 2)}
    communication = neuroprim.nx.optimum_communication_spanning_tree(graph, traffic, max_iterations=100)
    assert total(communication) == pytest.approx(total(routing))


def test_attributes_stay():
    graph = weighted(nx.complete_graph(4))
    graph.graph["name"] = "four"
    graph.nodes[2]["colour"] = "red"
    tree = neuroprim.nx.degree_constrained_spanning_tree(graph, 3)
    assert tree.graph["name"] == "four" and tree.nodes[2]["colour"] == "red"
    tree.add_edge(0, 99)
    assert 99 not in graph


@pytest.mark.parametrize("name", neuroprim.nx.__all__)
def test_directed_graphs_are_refused_as_networkx_does(name):
    more = {"steiner_tree": ([0, 1],), "hop_constrained_spanning_tree": (0, 1)}.get(name, ())
    more = (3,) if name.startswith("degree") else more
    more = ({(0, 1): 1},) if name.startswith("optimum") else more
    with pytest.raises(nx.NetworkXNotImplemented):
        getattr(neuroprim.nx, name)(nx.DiGraph([(0, 1)]), *more)


def test_strangers_among_the_terminals():
    with pytest.raises(ValueError, match="terminals: 'z' is not a node of the graph"):
        neuroprim.nx.steiner_tree(nx.path_graph(3), [0, "z"])
