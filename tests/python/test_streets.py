"""Maps: streets and addresses in, judged trees out."""

import json
import os
import pickle
import random
import subprocess
import warnings
from pathlib import Path

import pytest
from tree_on_map import judged, metres

import neuroprim
from neuroprim import Instance

ROOT = Path(__file__).resolve().parents[2]
TOWN = Path(os.environ.get("NEUROPRIM_BENCHMARKS", ROOT.parent / "shared" / "benchmarks")) / "streets/santa-cruz-500.geojson"


def feature(kind, coordinates, **properties):
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


def town(seed, width=8, houses=25, **house):
    """A bent grid of streets with houses beside them; house 0, at a corner in the middle, is the root."""
    draw = random.Random(seed)
    corner = {
        (i, j): [8 + 0.001 * (i + draw.uniform(-0.3, 0.3)), 47 + 0.0007 * (j + draw.uniform(-0.3, 0.3))]
        for i in range(width)
        for j in range(width)
    }
    features = []
    for (i, j), at in corner.items():
        for other in ((i + 1, j), (i, j + 1)):
            if other in corner:
                to = corner[other]
                bend = [(at[k] + to[k]) / 2 + draw.uniform(-5e-5, 5e-5) for k in (0, 1)]
                features.append(feature("LineString", [at, bend, to], cost=draw.randint(1, 9)))
    for k in range(houses):
        at = [8 + 0.001 * draw.uniform(0, width - 1), 47 + 0.0007 * draw.uniform(0, width - 1)]
        at = at if k else corner[width // 2, width // 2]
        told = {name: value(draw) if callable(value) else value for name, value in house.items()}
        features.append(feature("Point", at, name=f"house {k}", **(told if k else {"root": True})))
    return {"type": "FeatureCollection", "features": features}


def solved(instance, path, **options):
    tree = neuroprim.solve(instance, max_iterations=200, **options)
    tree.save(path)
    return judged(path)


def test_addresses_are_joined_by_a_tree_on_streets(tmp_path):
    instance = Instance.from_geojson(town(1, demand=1))
    assert instance.form == "sparse" and len(instance.terminals) == 25, "24 houses and the root"
    summary, facts, lines = solved(instance, tmp_path / "tree.geojson")
    assert summary["problem"] == "stp"
    assert sum(told["terminal"] for told in facts.values()) == 25
    assert summary["cost"] == pytest.approx(sum(metres(line["geometry"]["coordinates"]) for line in lines))


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_limits_hold_on_the_map_that_comes_out(tmp_path, seed):
    instance = Instance.from_geojson(town(seed, demand=lambda draw: draw.randint(1, 4)))
    for k, limits in enumerate([{"hops": 20}, {"length": 1500.0}, {"capacity": 30}, {"capacity": 40, "hops": 25}]):
        summary, _, _ = solved(instance, tmp_path / f"{k}.geojson", root="house 0", **limits)
        assert summary["limits"] == limits


def test_unlimited_trees_tell_loads_from_the_root_of_the_map(tmp_path):
    instance = Instance.from_geojson(town(1, demand=3))
    summary, facts, _ = solved(instance, tmp_path / "tree.geojson", problem="stp")
    assert facts[summary["root"]]["name"] == "house 0" and summary["limits"] == {}
    assert facts[summary["root"]]["load"] == 3 * 24


def farm(seed, turbines=30, stations=1):
    """Rows of turbines that the sea bed has bent."""
    draw = random.Random(seed)
    rows = ["name,lon,lat,kind"]
    rows += [f"OSS{k},{7.02 + 0.03 * k},{54.021},substation" for k in range(stations)]
    for k in range(turbines):
        lon, lat = 7 + 0.012 * (k % 6) + draw.uniform(0, 0.006), 54 + 0.008 * (k // 6) + draw.uniform(0, 0.004)
        rows.append(f"T{k},{lon:.6f},{lat:.6f},turbine")
    return "\n".join(rows) + "\n"


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    "limits",
    [
        {"capacity": 5},
        {"capacity": 5, "no_crossings": True},
        {"capacity": 8, "degree": 4},
        {"capacity": 8, "hops": 4, "length": 9000.0},
        {"diameter": 9},
        {"capacity": 6, "include_edges": [("T0", "T1")], "exclude_edges": [("OSS0", "T8")]},
    ],
)
def test_wind_farms_keep_their_limits_on_the_map(tmp_path, seed, limits):
    (tmp_path / "farm.csv").write_text(farm(seed))
    summary, facts, lines = solved(Instance.read(tmp_path / "farm.csv"), tmp_path / "tree.geojson", **limits)
    assert set(summary["limits"]) == set(limits) and len(lines) == 30
    assert facts[summary["root"]]["name"] == "OSS0" or "diameter" in limits


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cables_go_around_areas_without_crossing_each_other(tmp_path, seed):
    (tmp_path / "farm.csv").write_text(farm(seed))
    places = Instance.read(tmp_path / "farm.csv").positions
    draw, rings = random.Random(seed), []
    while len(rings) < 4:
        x, y = draw.uniform(7, 7.06), draw.uniform(54, 54.03)
        ring = [[x, y], [x + 0.008, y + 0.001], [x + 0.007, y + 0.006], [x + 0.001, y + 0.005], [x, y]]
        if not any(x <= px <= x + 0.008 and y <= py <= y + 0.006 for px, py in places):
            rings.append([ring])
    sea = {"type": "MultiPolygon", "coordinates": rings}
    summary, _, lines = solved(
        Instance.read(tmp_path / "farm.csv").around(sea), tmp_path / "tree.geojson", capacity=5, no_crossings=True
    )
    assert summary["limits"] == {"capacity": 5, "no_crossings": True}
    assert any(len(line["geometry"]["coordinates"]) > 2 for line in lines)


def test_a_forest_of_two_substations_is_judged(tmp_path):
    (tmp_path / "farm.csv").write_text(farm(3, stations=2))
    summary, _, lines = solved(
        Instance.read(tmp_path / "farm.csv"), tmp_path / "tree.geojson", cables=[(3, 1), (6, 1.7)], no_crossings=True
    )
    assert len(summary["roots"]) == 2 and len(lines) == 30


def test_cables_are_priced_by_their_loads(tmp_path):
    instance = Instance.from_geojson(town(5, demand=2))
    summary, _, _ = solved(instance, tmp_path / "tree.geojson", root="house 0", cables=[(4, 1), (20, 3), (100, 5)])
    assert len(summary["cables"]) == 3


def test_prizes_are_paid_for_what_is_left_out(tmp_path):
    instance = Instance.from_geojson(town(6, worth=lambda draw: draw.randint(10, 300)), prize_property="worth")
    summary, facts, _ = solved(instance, tmp_path / "tree.geojson", problem="pcst")
    assert summary["problem"] == "pcst"
    assert 0 < sum(told["in_tree"] and told.get("prize", 0) > 0 for told in facts.values()) < 24


def test_weights_may_be_a_property_and_existing_ducts_are_free(tmp_path):
    data = town(7, demand=1)
    data["features"][0]["properties"]["existing"] = True
    instance = Instance.from_geojson(data, weight_property="cost")
    _, _, lines = solved(instance, tmp_path / "tree.geojson")
    for line in lines:
        of = data["features"][line["properties"]["feature"]]
        assert line["properties"]["weight"] <= (0 if "existing" in of["properties"] else of["properties"]["cost"] + 1e-9)


def test_a_forbidden_area_is_gone_around(tmp_path):
    data = town(8, demand=1)
    (x0, y0), (x1, y1) = (8.0031, 47.0021), (8.0042, 47.0029)
    ring = [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]
    data["features"].append(feature("Polygon", [ring], forbidden=True))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        instance = Instance.from_geojson(data)
    assert any("passes the forbidden area features[" in str(one.message) for one in told)
    _, _, lines = solved(instance, tmp_path / "tree.geojson")
    for line in lines:
        for x, y in line["geometry"]["coordinates"]:
            assert not (x0 < x < x1 and y0 < y < y1)


def test_streets_survive_pickling_and_json(tmp_path):
    instance = Instance.from_geojson(town(9, demand=1))
    again = pickle.loads(pickle.dumps(instance))
    first, second = tmp_path / "first.geojson", tmp_path / "second.geojson"
    for one, path in ((instance, first), (again, second)):
        neuroprim.solve(one, max_iterations=50).save(path)
    same = [[f for f in json.loads(path.read_text())["features"]] for path in (first, second)]
    assert same[0] == same[1]


def test_options_are_checked():
    data = town(1, demand=1)
    with pytest.raises(ValueError, match="snap_tolerance: expected metres"):
        Instance.from_geojson(data, snap_tolerance=-1)
    with pytest.raises(ValueError, match="no option .*snap"):
        Instance.from_geojson(data, snap=1)
    with pytest.raises(TypeError, match="weight_property: expected a number or a name"):
        Instance.from_geojson(data, weight_property=None)
    with pytest.raises(ValueError, match=r"features\[0\] has no property \"price\""):
        Instance.from_geojson(data, weight_property="price")
    dear = Instance.from_geojson(data, price_property="cost")
    assert neuroprim.solve(dear, "mst").cost > neuroprim.solve(Instance.from_geojson(data), "mst").cost


def frames_of(data):
    geopandas = pytest.importorskip("geopandas", reason="python3-geopandas is not installed")
    kinds = ("LineString", "Point")
    parts = {kind: [f for f in data["features"] if f["geometry"]["type"] == kind] for kind in kinds}
    return {kind: geopandas.GeoDataFrame.from_features(part, crs="EPSG:4326") for kind, part in parts.items()}


def can_read(path):
    try:
        return Instance.read(path)
    except ValueError as error:
        if "this build cannot read" in str(error):
            pytest.skip("built without GDAL")
        raise


def test_a_geopackage_is_the_map_that_it_was_made_of(tmp_path):
    data = town(10, demand=1)
    frames = frames_of(data)
    path = tmp_path / "town.gpkg"
    frames["LineString"].to_crs("EPSG:32632").to_file(path, layer="streets", driver="GPKG")
    frames["Point"].to_crs("EPSG:32632").to_file(path, layer="houses", driver="GPKG")
    instance = can_read(path)
    plain = Instance.from_geojson(data)
    assert (instance.n, len(instance.terminals)) == (plain.n, len(plain.terminals))
    assert instance.nodes and "house 3" in instance.nodes
    costs = [neuroprim.solve(one, "stp", max_iterations=50).cost for one in (instance, plain)]
    assert costs[0] == pytest.approx(costs[1], rel=1e-6)
    priced = Instance.read(path, weight_property="cost")
    assert neuroprim.solve(priced, "stp").cost == pytest.approx(
        neuroprim.solve(Instance.from_geojson(data, weight_property="cost"), "stp").cost, rel=1e-5
    )


def test_points_alone_are_a_wind_farm(tmp_path):
    geopandas = pytest.importorskip("geopandas", reason="python3-geopandas is not installed")
    (tmp_path / "farm.csv").write_text(farm(4))
    rows = [line.split(",") for line in farm(4).splitlines()[1:]]
    places = geopandas.points_from_xy([float(row[1]) for row in rows], [float(row[2]) for row in rows])
    columns = {"name": [row[0] for row in rows], "kind": [row[3] for row in rows]}
    frame = geopandas.GeoDataFrame(columns, geometry=places, crs="EPSG:4326")
    cost = neuroprim.solve(Instance.read(tmp_path / "farm.csv"), capacity=5, max_iterations=50).cost
    assert neuroprim.solve(frame, capacity=5, max_iterations=50).cost == pytest.approx(cost)
    frame.to_file(tmp_path / "farm.geojson", driver="GeoJSON")
    assert neuroprim.solve(tmp_path / "farm.geojson", capacity=5, max_iterations=50).cost == pytest.approx(cost)
    frame.to_crs("EPSG:32632").to_file(tmp_path / "farm.gpkg", driver="GPKG")
    assert neuroprim.solve(can_read(tmp_path / "farm.gpkg"), capacity=5, max_iterations=50).cost == pytest.approx(cost)


def test_a_shapefile_of_streets_is_a_graph(tmp_path):
    frames = frames_of(town(11, demand=1))
    path = tmp_path / "streets.shp"
    frames["LineString"].to_crs("EPSG:3857").to_file(path)
    instance = can_read(path)
    assert instance.n == 64
    with pytest.raises(ValueError, match=r"streets\[0\] has no field \"width\""):
        Instance.read(path, weight_property="width")
    (tmp_path / "broken.shp").write_bytes(b"\0\0\x27\x0a nothing more")
    with pytest.raises(ValueError, match="GDAL cannot read it"):
        Instance.read(tmp_path / "broken.shp")


@pytest.mark.skipif(not TOWN.exists(), reason="the town of the literature is not there")
def test_the_town_of_the_literature_is_solved_as_it_is(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        instance = Instance.read(TOWN)
    assert len(instance.terminals) == 457
    tree = neuroprim.solve(instance)
    assert tree.optimal and tree.cost == pytest.approx(21953.376464)
    tree.save(tmp_path / "tree.geojson")
    judged(tmp_path / "tree.geojson")


def test_the_command_does_the_same(tmp_path):
    command = Path(os.environ.get("NEUROPRIM_BUILD_DIR", ROOT / "build")) / "neuroprim"
    if not command.exists():
        pytest.skip("the command is not built")
    path = tmp_path / "town.geojson"
    path.write_text(json.dumps(town(12, flats=lambda draw: draw.randint(1, 9))))
    out, picture = tmp_path / "tree.geojson", tmp_path / "tree.svg"
    options = ["--demand-property", "flats", "--capacity", "60", "--root", "house 0", "--max-iterations", "200"]
    subprocess.run([command, "solve", path, *options, "-o", out, "-o", picture, "-q"], check=True)
    summary, facts, _ = judged(out)
    assert summary["limits"] == {"capacity": 60}
    assert sum(told["demand"] for told in facts.values()) > 60
    assert picture.read_text().startswith("<svg")
