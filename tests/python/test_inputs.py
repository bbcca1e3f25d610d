"""What may be given to solve: forms of data, copies made or not, and what wrong data are told."""

import gc
import sys

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import neuroprim
from neuroprim import Instance
from neuroprim._instance import as_instance


def base_address(array):
    return array.__array_interface__["data"][0]


# Copies.


def test_float64_points_in_c_order_are_read_in_place(points):
    instance = as_instance(points)
    assert not instance.copied
    assert base_address(instance.positions) == base_address(points)
    points[7] = (0.25, 0.75)
    assert instance.positions[7].tolist() == [0.25, 0.75]


def test_a_float64_matrix_in_c_order_is_read_in_place():
    matrix = np.random.default_rng(0).random((20, 20))
    matrix += matrix.T
    instance = as_instance(matrix)
    assert not instance.copied
    matrix[3, 4] = matrix[4, 3] = 0.125
    assert instance.weight(3, 4) == 0.125


def test_no_memory_is_taken_for_a_matrix():
    import resource

    n = 3000
    matrix = np.ones((n, n))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    instance = Instance.from_matrix(matrix)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB; a copy takes 72 000
    assert instance.n == n


@pytest.mark.parametrize(
    "other",
    [
        lambda p: p.astype(np.float32),
        lambda p: (p * 100).astype(np.int64),
        lambda p: np.asfortranarray(p),
        lambda p: np.repeat(p, 2, axis=0)[::2],
        lambda p: p.astype(">f8"),
        lambda p: p.tolist(),
        lambda p: tuple(map(tuple, p)),
    ],
)
def test_other_layouts_are_copied_and_the_copy_is_told(points, other):
    given = other(points)
    instance = as_instance(given)
    assert instance.copied
    assert np.array_equal(instance.positions, np.asarray(given, dtype=float))


def test_slices_of_whole_rows_are_read_in_place(points):
    assert not as_instance(points[10:30]).copied
    stack = np.random.default_rng(0).random((4, 30, 2))
    assert not as_instance(stack[2]).copied


def test_read_only_arrays_are_fine(points):
    points.setflags(write=False)
    assert not as_instance(points).copied


def test_the_array_lives_as_long_as_an_instance_reads_it():
    points = np.random.default_rng(0).random((10, 2))
    count = sys.getrefcount(points)
    tree = neuroprim.solve(points, "mst")
    assert sys.getrefcount(points) > count
    kept = points.copy()
    del points
    gc.collect()
    assert np.array_equal(tree.instance.positions, kept)
    view = tree.instance.positions
    edges = tree.edges
    del tree
    gc.collect()
    assert np.array_equal(view, kept) and edges.shape == (9, 2)


def test_the_array_is_let_go_of():
    points = np.random.default_rng(0).random((10, 2))
    count = sys.getrefcount(points)
    tree = neuroprim.solve(points, "mst")
    del tree
    gc.collect()
    assert sys.getrefcount(points) == count


# Forms.


def test_a_matrix_may_miss_edges_and_its_diagonal_is_not_read():
    matrix = np.array([[9, 1, np.inf], [1, np.nan, 2], [np.inf, 2, 0.0]])
    tree = neuroprim.solve(matrix, "mst")
    assert tree.cost == 3
    assert sorted(map(sorted, tree.edges.tolist())) == [[0, 1], [1, 2]]


def test_two_by_two_is_two_points_unless_said_otherwise():
    data = np.array([[0.0, 3.0], [3.0, 0.0]])
    assert neuroprim.solve(data, "mst").cost == pytest.approx(3 * 2**0.5)
    assert neuroprim.solve(Instance.from_matrix(data), "mst").cost == 3


def test_rounding_in_a_matrix_is_evened_out():
    matrix = np.array([[0, 0.1, 0.3], [0.1 + 1e-17, 0, 0.2], [0.3, 0.2 * (1 + 1e-15), 0]])
    instance = as_instance(matrix)
    assert instance.copied and instance.weight(1, 2) == pytest.approx(0.2)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "upper", "lower", "array"])
def test_sparse_matrices_in_every_form(form):
    dense = np.array([[0, 1, 4], [1, 0, 2], [4, 2, 0]], dtype=float)
    if form in ("upper", "lower"):
        matrix = (sparse.triu if form == "upper" else sparse.tril)(dense)
    elif form == "array":
        matrix = sparse.csr_array(dense)
    else:
        matrix = sparse.csr_matrix(dense).asformat(form)
    assert neuroprim.solve(matrix, "mst").cost == 3


def test_a_stored_zero_is_an_edge_and_equal_places_add_up():
    rows, cols, weights = [0, 1, 1, 0], [1, 2, 2, 2], [0.0, 2.0, 1.0, 9.0]
    tree = neuroprim.solve(sparse.coo_matrix((weights, (rows, cols)), shape=(3, 3)), "mst")
    assert tree.cost == 3


def test_graphs_keep_names_weights_and_terminals():
    graph = nx.Graph()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", (1, 2), 2), ((1, 2), "a", 5), ("b", "c", 1)])
    tree = neuroprim.solve(graph, "mst")
    assert {frozenset(edge) for edge in tree.named_edges} == {
        frozenset(("a", "b")),
        frozenset(("b", (1, 2))),
        frozenset(("b", "c")),
    }
    graph.nodes["a"]["terminal"] = True
    graph.nodes[(1, 2)]["terminal"] = True
    assert neuroprim.solve(graph, "stp").cost == 3
    assert neuroprim.solve(graph, "stp", terminals=["a", "b"]).cost == 1
    assert neuroprim.solve(graph, "hmst", root="b", hops=1).start == tree.instance.index("b")


def test_numbers_as_names_are_names_not_places():
    graph = nx.Graph()
    graph.add_weighted_edges_from([(10, 20, 1.0), (20, 0, 1.0)])
    assert neuroprim.solve(graph, "hmst", root=0, hops=2).start == 2
    with pytest.raises(ValueError, match="1 is not a node of the graph"):
        neuroprim.solve(graph, "hmst", root=1, hops=2)


def test_weights_by_attribute_function_or_none():
    graph = nx.Graph()
    graph.add_edge(0, 1, length=3)
    graph.add_edge(1, 2)
    assert neuroprim.solve(graph, "mst", weight="length").cost == 4
    assert neuroprim.solve(graph, "mst", weight=None).cost == 2
    assert neuroprim.solve(graph, "mst", weight=lambda u, v, marks: marks.get("length", 7)).cost == 10


def test_of_parallel_edges_the_lightest_counts_and_loops_do_not():
    graph = nx.MultiGraph()
    graph.add_weighted_edges_from([(0, 1, 5), (0, 1, 2), (1, 1, 1), (1, 2, 1)])
    assert neuroprim.solve(graph, "mst").cost == 3


def test_a_function_hides_edges_by_none():
    graph = nx.cycle_graph(4)
    weight = lambda u, v, marks: None if {u, v} == {0, 1} else 1
    assert [0, 1] not in map(sorted, neuroprim.solve(graph, "mst", weight=weight).edges.tolist())


@pytest.mark.parametrize("place", ["ab", 3, (1, 2, 3), None])
def test_positions_of_another_kind_are_not_positions(place):
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: (0, 0), 1: place, 2: (1, 1)}, "pos")
    assert neuroprim.solve(graph, "mst").instance.positions is None


def test_degree_limits_by_node_attribute():
    graph = nx.complete_graph(5)
    nx.set_node_attributes(graph, {0: 1, 1: 1, 2: 4, 3: 1, 4: 1}, "ports")
    tree = neuroprim.solve(graph, degree="ports")
    assert tree.to_networkx().degree[2] == 4
    with pytest.raises(ValueError, match="no node has the attribute 'plugs'"):
        neuroprim.solve(graph, degree="plugs")


def feature(lon, lat, **properties):
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": [lon, lat]}, "properties": properties}


def test_geojson_is_measured_in_metres_and_named():
    cities = {
        "type": "FeatureCollection",
        "features": [
            feature(13.4, 52.5, name="Berlin"),
            feature(np.float64(2.35), 48.86, name="Paris", terminal=True),
            feature(-0.13, 51.5, name="London", terminal=True),
        ],
    }
    tree = neuroprim.solve(cities, "mst")
    assert tree.instance.nodes == ["Berlin", "Paris", "London"]
    assert neuroprim.solve(cities, "stp").cost == pytest.approx(344_000, rel=0.01)
    assert neuroprim.solve(cities, "hmst", root="Paris", hops=1).start == 1


def test_objects_with_a_geo_interface():
    class Place:
        __geo_interface__ = {"type": "MultiPoint", "coordinates": ((0, 0), (1, 0), (1, 1))}

    assert neuroprim.solve(Place(), "mst").instance.n == 3


def test_limits_that_the_input_has_are_used_unless_others_are_given():
    around = [feature(x, y, degree=3) for x, y in ((0.01, 0), (-0.01, 0), (0, 0.01))]
    spots = {"type": "FeatureCollection", "features": [feature(0, 0, degree=1), *around]}
    assert neuroprim.solve(spots).to_networkx().degree[0] == 1
    assert neuroprim.solve(spots, degree=3).to_networkx().degree[0] == 3


def test_files_by_name(tmp_path):
    file = tmp_path / "points.csv"
    file.write_text("x,y\n0,0\n1,0\n1,1\n")
    assert neuroprim.solve(file, "mst").cost == 2
    assert neuroprim.solve(str(file), "mst").cost == 2
    with pytest.raises(FileNotFoundError, match="no-such"):
        neuroprim.solve("no-such-file.csv")
    file.write_text("x,y\n0,0\n1,abc\n")
    with pytest.raises(ValueError, match='points.csv:3: .*"abc"'):
        neuroprim.solve(file)


def test_metrics(points):
    manhattan = neuroprim.solve(points, "mst", metric="manhattan").cost
    assert manhattan == pytest.approx(neuroprim.solve(np.abs(points[:, None] - points[None]).sum(axis=2), "mst").cost)
    assert neuroprim.solve(Instance.from_points(points), "mst", metric="manhattan").cost == pytest.approx(manhattan)


def test_random_instances_are_the_same_everywhere():
    assert Instance.random(5, seed=1).positions.tolist() == Instance.random(5, seed=1).positions.tolist()
    assert len(Instance.random(30, "sparse", terminals=4, seed=2).terminals) == 4


# Wrong data.


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (np.zeros((5, 3)), ValueError, r"shape \(n, 2\) or weights of shape \(n, n\), found shape \(5, 3\)"),
        (np.zeros(5), ValueError, "expected two dimensions"),
        (np.zeros((2, 2, 2)), ValueError, "expected two dimensions"),
        (np.zeros((0, 2)), ValueError, "at least one vertex"),
        (np.zeros((0, 0)), ValueError, "at least one vertex"),
        (np.array([[0, 0], [np.nan, 1]]), ValueError, r"point 1: expected finite coordinates, found \(nan, 1.0\)"),
        (np.array([[0, 0], [np.inf, 1]]), ValueError, "point 1: expected finite"),
        (np.array([[0, 0], [1e200, 1]]), ValueError, r"point 1: expected coordinates up to 1e\+150"),
        (np.zeros((4, 2), dtype=complex), TypeError, "expected numbers, found an array of complex128"),
        (np.zeros((4, 2), dtype=bool), TypeError, "expected numbers"),
        (np.array([["a", "b"]] * 3), TypeError, "expected numbers"),
        ([[1, 2], [3]], (ValueError, TypeError), "expected"),
        ([], (ValueError, TypeError), "expected"),
        (None, TypeError, "found NoneType"),
        (7, TypeError, "found int"),
        ({1, 2}, TypeError, "found set"),
        ({"kind": 1}, ValueError, 'mapping with a "type"'),
        ({"type": "Polygon", "coordinates": []}, ValueError, "holds areas, but no points"),
        ({"type": "Point", "coordinates": [float("nan"), 0]}, ValueError, "finite"),
        (np.ma.masked_invalid(np.array([[0, np.nan], [1, 1], [2, 2]])), TypeError, "mask"),
        (np.array([[0, -1, 1], [-1, 0, 1], [1, 1, 0]], float), ValueError, "at least 0, found -1"),
        (np.array([[0, np.nan, 1], [np.nan, 0, 1], [1, 1, 0]]), ValueError, "found nan"),
        (np.full((3, 3), 1e308), ValueError, r"edge 1-0: expected a weight of at most 1e\+150, found 1e\+308; infinity"),
        (np.array([[0, 1, 1], [2, 0, 1], [1, 1, 0]], float), ValueError, "symmetric"),
        (sparse.csr_matrix(np.array([[0, 1, 1], [2, 0, 1], [1, 1, 0]])), ValueError, "found 1.0 and 2.0 between 0 and 1"),
        (sparse.csr_matrix(np.ones((2, 3))), ValueError, r"found shape \(2, 3\)"),
        (sparse.csr_matrix(np.array([[0, -1], [-1, 0]])), ValueError, r"entry \(0, 1\): .*found -1"),
        (sparse.csr_matrix(np.array([[0, np.nan], [np.nan, 0]])), ValueError, "found nan"),
        (sparse.csr_matrix(np.ones((3, 3), dtype=complex)), TypeError, "complex"),
        (nx.DiGraph([(0, 1)]), TypeError, "undirected"),
        (nx.Graph(), ValueError, "at least one vertex"),
        (nx.Graph([("a", "b", {"weight": "x"})]), TypeError, r"edge \('a', 'b'\): expected a number .* found 'x'"),
        (nx.Graph([("a", "b", {"weight": None})]), TypeError, r"edge \('a', 'b'\): .*found None"),
        (nx.Graph([("a", "b", {"weight": -2})]), ValueError, r"edge \('a', 'b'\): .*found -2"),
        (nx.Graph([("a", "b", {"weight": float("nan")})]), ValueError, "found nan"),
    ],
)
def test_wrong_data_are_told_what_was_expected(data, error, words):
    with pytest.raises(error, match=words):
        neuroprim.solve(data, "mst")


def test_what_makes_instances_and_policies_is_told(points):
    with pytest.raises(TypeError, match="Instance.from_points"):
        Instance(points)
    with pytest.raises(TypeError, match="Policy.load"):
        neuroprim.Policy("mrcst")
    with pytest.raises(TypeError, match="shape: expected a name, found 3"):
        Instance.random(5, 3)


def test_the_core_refuses_arrays_that_it_would_have_to_copy(points):
    from neuroprim import _core

    for other in (points.astype(np.float32), np.asfortranarray(points)):
        with pytest.raises(TypeError):
            _core.Instance.from_points(other, "euclidean")


def test_latitudes_and_metrics_of_graphs():
    with pytest.raises(ValueError, match="latitudes"):
        neuroprim.solve([[0, 91.0], [0, 0]], "mst", metric="great-circle")
    assert neuroprim.solve([[179.9, 0], [-179.9, 0]], "mst", metric="great-circle").cost == pytest.approx(22239, rel=1e-3)
    with pytest.raises(ValueError, match="a metric needs points"):
        neuroprim.solve(np.ones((3, 3)), "mst", metric="manhattan")


def test_what_a_reader_skips_is_a_warning(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x;y\n0,5;1\n2;3\n")
    with pytest.warns(UserWarning, match="points.csv:2: numbers have decimal commas"):
        assert Instance.read(path).positions.tolist() == [[0.5, 1], [2, 3]]
    nowhere = {"type": "Feature", "geometry": None, "properties": {}}
    place = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {}}
    with pytest.warns(UserWarning, match="features without a geometry are skipped: 1 of 2"):
        assert Instance.from_geojson({"type": "FeatureCollection", "features": [nowhere, place]}).n == 1


def test_files_beyond_a_limit_are_refused(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x,y\n" + "0,0\n" * 100)
    assert Instance.read(path, max_input=1000).n == 100
    with pytest.raises(ValueError, match="points.csv: holds more than 100 bytes"):
        Instance.read(path, max_input=100)
    with pytest.raises(ValueError, match="max_input"):
        Instance.read(path, max_input=0)
