"""What a solution offers: graphs, matrices, pictures, files."""

import copy
import pickle
import xml.etree.ElementTree as ElementTree

import matplotlib.pyplot as pyplot
import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csgraph

import neuroprim


def test_edges_cannot_be_written_to(points):
    tree = neuroprim.solve(points, "mst")
    assert tree.edges.shape == (49, 2) and tree.edges.dtype == np.int32
    with pytest.raises(ValueError, match="read-only"):
        tree.edges[0, 0] = 3
    assert tree.edge_weights.sum() == pytest.approx(tree.cost)


def test_each_edge_joins_a_new_vertex_to_the_tree(points):
    tree = neuroprim.solve(points, degree=2, max_iterations=100)
    inside = {tree.start}
    for u, v in tree.edges.tolist():
        assert u in inside and v not in inside
        inside.add(v)
    assert len(inside) == 50


def test_a_tree_of_points_as_a_graph(points):
    tree = neuroprim.solve(points, "mst")
    graph = tree.to_networkx()
    assert nx.is_tree(graph) and len(graph) == 50
    assert graph.size("weight") == pytest.approx(tree.cost)
    assert graph.nodes[3]["pos"] == tuple(points[3])


def test_a_tree_of_a_graph_keeps_attributes_and_leaves_out_what_it_does_not_hold():
    graph = nx.path_graph(5)
    nx.set_edge_attributes(graph, "fibre", "kind")
    graph.nodes[1]["city"] = "Ulm"
    tree = neuroprim.solve(graph, "stp", terminals=[0, 2]).to_networkx()
    assert set(tree) == {0, 1, 2}
    assert tree.nodes[1]["city"] == "Ulm" and tree.nodes[0]["terminal"] and "terminal" not in tree.nodes[1]
    assert tree.edges[0, 1] == {"kind": "fibre", "weight": 1.0}
    assert "terminal" not in graph.nodes[0] and "weight" not in graph.edges[0, 1]


def test_a_tree_as_a_sparse_matrix(points):
    tree = neuroprim.solve(points, "mst")
    matrix = tree.to_scipy()
    assert matrix.nnz == 98 and (matrix != matrix.T).nnz == 0
    assert csgraph.connected_components(matrix)[0] == 1


def test_a_notebook_gets_a_picture(points):
    root = ElementTree.fromstring(neuroprim.solve(points, "mst")._repr_svg_())
    assert root.tag.endswith("svg")


def test_plot_draws_every_edge(points):
    tree = neuroprim.solve(points, "stp", terminals=[0, 1, 2])
    axes = tree.plot(color="green")
    assert len(axes.collections[0].get_segments()) == len(tree.edges)
    _, other = pyplot.subplots()
    assert tree.plot(other) is other
    pyplot.close("all")


def test_a_graph_without_positions_is_drawn_around_its_middle():
    axes = neuroprim.solve(nx.balanced_tree(3, 3), "mst").plot()
    segments = np.array(axes.collections[0].get_segments())
    assert segments.shape == (39, 2, 2) and np.isfinite(segments).all()
    places = np.unique(segments.reshape(-1, 2).round(9), axis=0)
    assert len(places) == 40
    pyplot.close("all")


@pytest.mark.parametrize("ending", ["json", "csv", "geojson", "dot", "svg", "png"])
def test_files_of_every_kind(tmp_path, ending):
    tree = neuroprim.solve({"type": "MultiPoint", "coordinates": [[0, 0], [1, 0], [1, 1]]}, "mst")
    file = tmp_path / f"tree.{ending}"
    tree.save(file)
    assert file.stat().st_size > 0


def test_a_file_that_cannot_be_written_is_an_error(points, tmp_path):
    with pytest.raises(ValueError, match="tree.xyz"):
        neuroprim.solve(points, "mst").save(tmp_path / "tree.xyz")


@pytest.mark.parametrize("width", [0, -1, float("nan"), "wide"])
def test_a_picture_has_a_width(points, width):
    with pytest.raises((TypeError, ValueError), match="width: expected a"):
        neuroprim.solve(points, "mst").to_svg(width)


def test_repr_says_the_essence(points):
    assert "dcmst, 50 vertices, cost" in repr(neuroprim.solve(points, degree=3, max_iterations=10))
    assert "50 vertices, 1225 edges, points" in repr(neuroprim.Instance.from_points(points))


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (np.random.default_rng(1).random((12, 2)), dict(problem="mrcst", method="greedy")),
        (neuroprim.Instance.random(12, "matrix", requirements=True), dict(problem="ocst", max_iterations=5)),
        (neuroprim.Instance.random(12, "sparse", terminals=4), dict(problem="stp")),
        (nx.path_graph(["a", "b", "c"]), dict(problem="mst")),
    ],
)
def test_solutions_travel_by_pickle(data, options):
    tree = neuroprim.solve(data, **options)
    again = pickle.loads(pickle.dumps(tree))
    assert np.array_equal(again.edges, tree.edges) and again.cost == tree.cost and again.bound == tree.bound
    assert repr(again) == repr(tree) and again.named_edges == tree.named_edges
    assert np.array_equal(again.edge_weights, tree.edge_weights)
    assert again.to_svg() == tree.to_svg() and again.to_json() == tree.to_json()
    assert copy.deepcopy(tree).cost == tree.cost


def test_a_matrix_with_missing_edges_stays_a_matrix_by_pickle():
    weights = np.ones((5, 5))
    weights[0, 1] = weights[1, 0] = np.inf
    instance = neuroprim.Instance.from_matrix(weights)
    for again in (pickle.loads(pickle.dumps(instance)), copy.deepcopy(instance)):
        assert again.form == "matrix" and again.weight(0, 1) == np.inf and again.weight(1, 2) == 1
        assert again.copied and not instance.copied  # it has numbers of its own
    assert copy.copy(instance) is instance


def test_what_policies_tell_travels_by_pickle(points):
    policy = neuroprim.Policy.load("mrcst")
    told = policy.explain(points[:12], start=0)
    statistics = policy.greedy(points[:12]).statistics
    for travel in (lambda thing: pickle.loads(pickle.dumps(thing)), copy.copy, copy.deepcopy):
        again = travel(told)
        assert again.to_json() == told.to_json() and again.cost == told.cost and again.complete
        assert repr(travel(told.steps[3])) == repr(told.steps[3])
        assert travel(told.steps[3]).alternatives == told.steps[3].alternatives
        assert repr(travel(statistics)) == repr(statistics) and travel(statistics).mean == statistics.mean
        assert np.array_equal(travel(policy).greedy(points).edges, policy.greedy(points).edges)
        assert travel(policy).config == policy.config


def test_arrays_of_a_rooted_tree(points):
    demands = np.arange(50) % 4 + 1.0
    tree = neuroprim.solve(points, root=7, capacity=40, demands=demands, max_iterations=200)
    graph = tree.to_networkx()
    depths = nx.single_source_shortest_path_length(graph, 7)
    ways = nx.single_source_dijkstra_path_length(graph, 7)
    assert tree.start == 7 and tree.parents[7] == -1
    assert all(graph.has_edge(v, tree.parents[v]) for v in range(50) if v != 7)
    assert tree.depths.tolist() == [depths[v] for v in range(50)]
    assert tree.distances == pytest.approx([ways[v] for v in range(50)])
    for (u, v), load in zip(tree.edges.tolist(), tree.loads):
        apart = graph.copy()
        apart.remove_edge(u, v)
        assert load == sum(demands[w] for w in nx.node_connected_component(apart, v))
    assert tree.loads.max() <= 40
    with pytest.raises(ValueError, match="not made of cables"):
        tree.cable_types


def test_cable_types_price_the_tree(points):
    cables = [(40, 2.5), (5, 1.0)]
    tree = neuroprim.solve(points, root=0, cables=sorted(cables), max_iterations=200)
    assert tree.cables.tolist() == [[5, 1.0], [40, 2.5]]
    assert (tree.edge_weights * tree.cables[tree.cable_types, 1]).sum() == pytest.approx(tree.cost)
    assert (tree.loads <= tree.cables[tree.cable_types, 0]).all()
    again = pickle.loads(pickle.dumps(tree))
    assert again.cable_types.tolist() == tree.cable_types.tolist()


def test_vertices_that_are_left_out():
    tree = neuroprim.solve(nx.path_graph(5), "stp", terminals=[1, 3])
    assert sorted(tree.depths.tolist()) == [-1, -1, 0, 1, 2] and np.isinf(tree.distances).sum() == 2


def test_the_history_falls_and_rises(points):
    tree = neuroprim.solve(points, degree=2, max_iterations=4000)
    history = tree.history
    assert len(history) == len(history.cost) == len(history.bound) == len(history.seconds) > 2
    assert (np.diff(history.cost) <= 0).all() and (np.diff(history.seconds) >= 0).all()
    known = history.bound[~np.isnan(history.bound)]
    assert (np.diff(known) >= 0).all() and (known <= tree.cost * (1 + 1e-9)).all()
    assert history.cost[-1] == tree.cost and history.bound[-1] == tree.bound
    assert history.seconds[-1] == tree.seconds and history.iterations[-1] == tree.iterations
    with pytest.raises(ValueError, match="read-only"):
        history.cost[0] = 0
    assert np.array_equal(pickle.loads(pickle.dumps(tree)).history.cost, history.cost)
    assert len(neuroprim.solve(points, "mst", method="kruskal").history) == 1
    assert len(neuroprim.solve_many([points], degree=2, max_iterations=4000)[0].history) == len(history)
    assert "rows, cost " in repr(history)


def test_the_history_is_drawn_as_steps(points):
    axes = neuroprim.solve(points, degree=2, max_iterations=500).history.plot()
    assert [line.get_label() for line in axes.get_lines()] == ["cost", "proven bound"]
    _, other = pyplot.subplots()
    assert neuroprim.solve(points, "mrcst", method="greedy").history.plot(other) is other
    pyplot.close("all")
