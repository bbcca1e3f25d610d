"""GeoPandas frames and Shapely geometries."""

import json
import pickle

import numpy as np
import pytest

import neuroprim

geopandas = pytest.importorskip("geopandas", reason="python3-geopandas is not installed")
shapely = pytest.importorskip("shapely.geometry", reason="python3-shapely is not installed")

PLACES = [(9.99, 48.40), (10.02, 48.41), (10.10, 48.30), (9.90, 48.35)]


@pytest.fixture
def frame():
    names = ["Ulm", "Elm", "Oak", "Ash"]
    columns = {"name": names, "terminal": [True, True, False, True], "built": np.datetime64("2026-01-01")}
    return geopandas.GeoDataFrame(columns, geometry=[shapely.Point(*p) for p in PLACES], crs="EPSG:4326")


def test_columns_of_a_frame_say_what_vertices_are(frame):
    tree = neuroprim.solve(frame, "mst")
    same = neuroprim.solve(np.array(PLACES), "mst", metric="great-circle")
    assert tree.cost == pytest.approx(same.cost) and tree.instance.nodes == ["Ulm", "Elm", "Oak", "Ash"]
    assert tree.instance.terminals.tolist() == [0, 1, 3]


def test_a_frame_is_projected_to_degrees(frame):
    metres = frame.to_crs("EPSG:3857")
    assert neuroprim.solve(metres, "mst").cost == pytest.approx(neuroprim.solve(frame, "mst").cost)
    with pytest.raises(ValueError, match="frame.geometry is measured by euclidean"):
        neuroprim.solve(metres, "mst", metric="euclidean")
    plane = np.array([(point.x, point.y) for point in metres.geometry])
    tree = neuroprim.solve(metres.geometry, "mst", metric="euclidean")
    assert tree.cost == pytest.approx(neuroprim.solve(plane, "mst").cost)


def test_columns_may_be_numbers_for_each_vertex(frame):
    frame["homes"] = [3, 1, 2, 4]
    tree = neuroprim.solve(frame[["geometry"]], root=0, capacity=6, demands=frame["homes"], max_iterations=50)
    assert tree.loads.sum() >= 7 and tree.loads.max() <= 6


def test_shapely_geometries():
    points = [shapely.Point(*place) for place in PLACES]
    by_metres = neuroprim.solve(np.array(PLACES), "mst", metric="great-circle").cost
    in_plane = neuroprim.solve(np.array(PLACES), "mst").cost
    for data in (points, tuple(points), shapely.MultiPoint(PLACES)):
        assert neuroprim.solve(data, "mst").cost == pytest.approx(by_metres)
        assert neuroprim.solve(data, "mst", metric="euclidean").cost == pytest.approx(in_plane)
    with pytest.raises(TypeError, match="a metric needs points, and this holds a LineString"):
        neuroprim.solve([shapely.LineString(PLACES)], "mst", metric="euclidean")


def test_the_tree_as_a_frame(frame):
    tree = neuroprim.solve(frame[["name", "geometry"]], cables=[(1, 1.0), (9, 1.5)], root="Ulm", max_iterations=100)
    lines = tree.to_geopandas()
    assert len(lines) == 3 and lines.crs == "EPSG:4326" and set(lines.geom_type) == {"LineString"}
    assert lines["weight"].tolist() == pytest.approx(tree.edge_weights)
    assert lines["load"].tolist() == tree.loads.tolist() and lines["cable"].tolist() == tree.cable_types.tolist()
    assert lines.to_crs("EPSG:25832").length.tolist() == pytest.approx(tree.edge_weights, rel=0.01)
    one = neuroprim.solve([shapely.Point(1, 2)], "mst").to_geopandas()
    assert len(one) == 0 and {"u", "v", "weight", "load"} <= set(one.columns)


BOX = {"type": "Polygon", "coordinates": [[[1, -1], [3, -1], [3, 2], [1, 2], [1, -1]]]}


def test_edges_go_around_areas(tmp_path):
    points = neuroprim.Instance.from_points([[0, 0], [4, 0]])
    around = points.around(BOX)
    assert around.weight(0, 1) == pytest.approx(2 * 2**0.5 + 2)
    assert pickle.loads(pickle.dumps(around))._impl.edge_count == 1
    file = tmp_path / "box.geojson"
    file.write_text(json.dumps(BOX))
    assert points.around(file).weight(0, 1) == around.weight(0, 1)
    tree = neuroprim.solve(around)
    tree.save(tmp_path / "tree.geojson")
    line = json.loads((tmp_path / "tree.geojson").read_text())["features"][0]
    assert line["geometry"]["coordinates"] in ([[0, 0], [1, -1], [3, -1], [4, 0]], [[4, 0], [3, -1], [1, -1], [0, 0]])
    with pytest.raises(ValueError, match="vertex 1 lies inside the obstacle the geometry"):
        neuroprim.Instance.from_points([[0, 0], [2, 0]]).around(BOX)


def test_areas_may_be_shapely_geometries():
    points = neuroprim.Instance.from_points([[0, 0], [4, 0]])
    assert points.around(shapely.shape(BOX)).weight(0, 1) == points.around(BOX).weight(0, 1)
