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
