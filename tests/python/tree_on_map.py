"""Judges a tree that was written as GeoJSON by what the file says, apart from neuroprim: reads JSON and nothing else."""

import collections
import json
import math


def metres(path):
    """Along great circles, by the haversine formula."""
    total = 0.0
    for (x1, y1), (x2, y2) in zip(path, path[1:]):
        lat1, lat2 = math.radians(y1), math.radians(y2)
        h = math.sin((lat2 - lat1) / 2) ** 2
        h += math.cos(lat1) * math.cos(lat2) * math.sin(math.radians(x2 - x1) / 2) ** 2
        total += 2 * 6371008.8 * math.asin(min(1.0, math.sqrt(h)))
    return total


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6)


def cross(first, second):
    """Do two straight pieces meet in a point inside both?"""

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = first, second
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def farthest(neighbours, start):
    """The vertex that is most edges away, and how many."""
    depth, order = {start: 0}, [start]
    for u in order:
        for v in neighbours[u]:
            if v not in depth:
                depth[v] = depth[u] + 1
                order.append(v)
    return order[-1], depth[order[-1]]


def judged(path):
    """The summary of the file, once all that it claims is found to be so."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    summary, limits = document["neuroprim"], document["neuroprim"]["limits"]
    lines = [f for f in document["features"] if f["geometry"]["type"] == "LineString"]
    points = {f["properties"]["vertex"]: f for f in document["features"] if f["geometry"]["type"] == "Point"}
    facts = {v: f["properties"] for v, f in points.items()}

    neighbours = collections.defaultdict(dict)
    for line in lines:
        told, course = line["properties"], line["geometry"]["coordinates"]
        u, v = told["u"], told["v"]
        assert course[0] == points[u]["geometry"]["coordinates"], "a line begins at its vertex"
        assert course[-1] == points[v]["geometry"]["coordinates"], "and ends at the other"
        assert close(told.get("length", told["weight"]), metres(course))
        assert v not in neighbours[u], "no edge is there twice"
        neighbours[u][v] = neighbours[v][u] = told

    # A tree, or a tree for each root: everything is reached once.
    roots = summary.get("roots", [summary["root"]])
    parent, order = {root: None for root in roots}, list(roots)
    for u in order:
        for v in neighbours[u]:
            if v != parent[u]:
                assert v not in parent, "no cycle"
                parent[v] = u
                order.append(v)
    inside = {v for v, told in facts.items() if told["in_tree"]}
    assert set(order) == inside and len(lines) == len(inside) - len(roots)

    below = order[len(roots) :]
    depth, distance = {root: 0 for root in roots}, {root: 0.0 for root in roots}
    load = {v: 0.0 for v in order}
    for v in below:
        depth[v] = depth[parent[v]] + 1
        distance[v] = distance[parent[v]] + neighbours[v][parent[v]]["weight"]
    for v in reversed(below):
        load[v] += facts[v]["demand"]
        load[parent[v]] += load[v]
    cost = 0.0
    for v in below:
        told = neighbours[v][parent[v]]
        assert facts[v]["depth"] == depth[v] and close(facts[v]["distance"], distance[v])
        assert close(told["load"], load[v]) and close(facts[v]["load"], load[v])
        price = 1.0
        if "cables" in summary:
            cables = [cable for cable in summary["cables"] if cable["capacity"] >= load[v] * (1 - 1e-9)]
            price = min(cable["price"] for cable in cables)
            assert summary["cables"][told["cable"]]["price"] == told["cable_price"] == price
        assert close(told["cost"], told["weight"] * price)
        cost += told["cost"]
    for v in order:
        assert facts[v]["degree"] == len(neighbours[v])
        assert facts[v]["degree"] <= facts[v].get("degree_limit", math.inf)

    for v, told in facts.items():
        if told["terminal"]:
            assert v in parent, "every terminal is in the tree"
        elif v not in parent:
            cost += told.get("prize", 0)
    assert close(cost, summary["cost"])
    assert max(depth.values()) <= limits.get("hops", math.inf)
    assert max(distance.values()) <= limits.get("length", math.inf) * (1 + 1e-9)
    branches = [load[v] for root in roots for v in neighbours[root]]
    assert max(branches, default=0) <= limits.get("capacity", math.inf) * (1 + 1e-9)
    if "diameter" in limits:
        end, _ = farthest(neighbours, order[0])
        assert farthest(neighbours, end)[1] <= limits["diameter"]
    assert max(len(beside) for beside in neighbours.values()) <= limits.get("degree", math.inf)
    assert all(v in neighbours[u] for u, v in limits.get("include_edges", []))
    assert not any(v in neighbours[u] for u, v in limits.get("exclude_edges", []))
    groups = collections.Counter(told["group"] for v, told in facts.items() if v in parent and told.get("group", -1) >= 0)
    assert set(groups.values()) <= {1}, "one vertex of each group"
    assert set(groups) == {told["group"] for told in facts.values() if told.get("group", -1) >= 0}
    if limits.get("no_crossings"):
        pieces = [piece for line in lines for piece in zip(line["geometry"]["coordinates"], line["geometry"]["coordinates"][1:])]
        assert not any(cross(a, b) for k, a in enumerate(pieces) for b in pieces[:k])
    return summary, facts, lines
