#!/usr/bin/env python3
"""Data for the guides, made here: no place, farm or network of these exists.

Usage: make_data.py NAME ...   writes the files of these guides into the folder at hand
"""

from __future__ import annotations

import csv
import json
import sys

import numpy as np

#: Where the town and the wind farm are: degrees of longitude and latitude.
TOWN = (10.0, 48.4)
FARM = (7.0, 54.5)
METRES_PER_DEGREE = 111_195.0


def degrees(place, origin):
    """(east, north) in metres from the origin, as (longitude, latitude) rounded to a centimetre."""
    east, north = place
    longitude = origin[0] + east / METRES_PER_DEGREE / np.cos(np.radians(origin[1]))
    return [round(float(longitude), 7), round(float(origin[1] + north / METRES_PER_DEGREE), 7)]


def feature(kind, coordinates, **properties):
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


def town(seed=3, blocks=12, addresses=80):
    """town.geojson: crooked streets of some 90 m between corners, and addresses along them."""
    rng = np.random.default_rng(seed)
    corners = {
        (i, j): np.array([90.0 * i, 90.0 * j]) + rng.normal(0, 14, 2) for i in range(blocks) for j in range(blocks)
    }
    streets = [(c, (c[0] + 1, c[1])) for c in corners if c[0] + 1 < blocks]
    streets += [(c, (c[0], c[1] + 1)) for c in corners if c[1] + 1 < blocks]
    part = {corner: corner for corner in corners}  # the streets of a random spanning tree stay, others may be parks

    def top(corner):
        while part[corner] != corner:
            corner = part[corner]
        return corner

    kept = []
    for k in rng.permutation(len(streets)):
        a, b = streets[k]
        joins = top(a) != top(b)
        if joins:
            part[top(a)] = top(b)
        if joins or rng.random() < 0.7:
            kept.append((a, b))
    lines, points = [], []
    housed = set(rng.choice(len(kept), addresses, replace=False).tolist())
    for k, (a, b) in enumerate(kept):
        way = corners[b] - corners[a]
        aside = np.array([-way[1], way[0]]) * rng.normal(0, 0.06)
        path = [corners[a], corners[a] + way * rng.uniform(0.3, 0.7) + aside, corners[b]]
        coordinates = [degrees(place, TOWN) for place in path]
        lines.append(feature("LineString", coordinates, street=f"street {k}"))
        if k in housed:
            homes = int(rng.integers(1, 5))
            points.append(feature("Point", coordinates[1], name=f"house {len(points) + 1}", terminal=True,
                                  demand=homes, revenue=35 * homes))
    middle = degrees(corners[blocks // 2, blocks // 2], TOWN)
    points.append(feature("Point", middle, name="exchange", terminal=True, root=True, demand=0))
    with open("town.geojson", "w", encoding="utf-8") as stream:
        json.dump({"type": "FeatureCollection", "features": lines + points}, stream)


def farm(seed=2, turbines=48, substations=1):
    """farm.csv: turbines in rows that the sea bed has bent, a little more than a kilometre apart."""
    rng = np.random.default_rng(seed)
    rows = int(np.ceil(np.sqrt(turbines)))
    places = [(1150.0 * (k % rows) + 260 * (k // rows % 2), 1300.0 * (k // rows)) for k in range(turbines)]
    places = np.array(places) + rng.normal(0, 190, (turbines, 2))
    middle = places.mean(axis=0)
    spread = np.linspace(-1, 1, substations) if substations > 1 else [0]
    with open("farm.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["name", "lon", "lat", "kind"])
        for k, along in enumerate(spread):
            station = middle + np.array([2300.0 * along, 400.0])
            table.writerow([f"OSS{k + 1}", *degrees(station, FARM), "substation"])
        for k, place in enumerate(places):
            table.writerow([f"T{k + 1:02d}", *degrees(place, FARM), "turbine"])


def cables():
    """cables.csv: how many turbines a cable carries, and what a metre costs."""
    with open("cables.csv", "w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([["capacity", "price"], [3, 220], [5, 330], [8, 470]])


def sea():
    """sea.geojson: a wreck between two rows of turbines, which cables go around."""
    corners = [(1700.0, 3050.0), (3500.0, 3050.0), (3500.0, 3350.0), (1700.0, 3350.0), (1700.0, 3050.0)]
    ring = [degrees(corner, FARM) for corner in corners]
    with open("sea.geojson", "w", encoding="utf-8") as stream:
        json.dump(feature("Polygon", [ring], name="wreck"), stream)


def wind():
    farm()
    cables()
    sea()


def pathway(seed=1, proteins=300, active=24):
    """interactions.csv and measured.csv: a network that grew by preference, and signals in a connected part of it."""
    rng = np.random.default_rng(seed)
    names = [f"P{v:03d}" for v in range(proteins)]
    ends = [0, 1]  # each protein as often as it has interactions
    edges = {(0, 1)}
    for v in range(2, proteins):
        for u in {int(ends[k]) for k in rng.integers(0, len(ends), 3)}:
            edges.add((u, v))
            ends += [u, v]
    with open("interactions.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["a", "b", "confidence"])
        for u, v in sorted(edges):
            table.writerow([names[u], names[v], round(float(rng.beta(4, 2)), 3)])
    beside = {v: sorted({a + b - v for a, b in edges if v in (a, b)}) for v in range(proteins)}
    module = [int(rng.integers(proteins // 4, proteins))]  # not among the oldest, which know everybody
    while len(module) < active:
        near = sorted({u for v in module for u in beside[v] if len(beside[u]) < 20} - set(module))
        module.append(int(rng.choice(near)))
    with open("measured.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["protein", "signal", "active"])
        for v, name in enumerate(names):
            seen = v in module and rng.random() < 0.7  # the rest of the module was not measured
            signal = rng.gamma(9, 0.2) if seen else rng.exponential(0.12)
            table.writerow([name, round(float(signal), 3), int(v in module)])


def villages(seed=4, count=60):
    """villages.csv: households around a transformer; x and y in metres."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-1800, 1800, (9, 2))
    places = centres[rng.integers(0, 9, count)] + rng.normal(0, 260, (count, 2))
    with open("villages.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["name", "x", "y", "demand", "root"])
        table.writerow(["transformer", 0, 0, 0, 1])
        for k, (x, y) in enumerate(places.round().astype(int).tolist()):
            table.writerow([f"house{k + 1}", x, y, round(float(rng.uniform(0.5, 3)), 1), 0])


def classroom():
    """twelve.csv: twelve points to be looked at one by one."""
    points = np.random.default_rng(12).random((12, 2)).round(2)
    with open("twelve.csv", "w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(["x", "y"])
        table.writerows(points.tolist())


GUIDES = {"fibre": town, "wind-farm": wind, "pathways": pathway, "electrification": villages, "teaching": classroom}


def main(names):
    unknown = [name for name in names if name not in GUIDES]
    if unknown or not names:
        sys.exit(f"usage: make_data.py NAME ...   of {', '.join(GUIDES)}")
    for name in names:
        GUIDES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
