#!/usr/bin/env python3
"""The tables at the end of the guides: what people use today, and NeuroPrim, on data of make_data.py.

Usage: compare.py NAME [--quick]    --quick: one small line, to see that it works
"""

from __future__ import annotations

import csv
import json
import os
import sys
import tempfile
import time

import networkx as nx
import numpy as np

import make_data
import neuroprim


def timed(work):
    began = time.process_time()  # other programs on the machine do not count
    result = work()
    return result, time.process_time() - began


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_head(*cells):
    print_row(*cells)
    print("|" + "---|" * len(cells))


def percent(part):
    return f"{100 * part:.1f} %"


# Fibre


def street_graph(file):
    """A map as a networkx graph of its pieces of street, and the corners that are addresses."""
    graph, terminals = nx.Graph(), set()
    with open(file, encoding="utf-8") as stream:
        features = json.load(stream)["features"]
    for one in features:
        places = one["geometry"]["coordinates"]
        if one["geometry"]["type"] == "Point":
            if "demand" in one["properties"]:
                terminals.add(tuple(places))
            continue
        for a, b in zip(places, places[1:]):
            metres = neuroprim.Instance.from_points(np.array([a, b]), "great-circle").weight(0, 1)
            graph.add_edge(tuple(a), tuple(b), weight=metres)
    return graph, sorted(terminals)


def mehlhorn(graph, terminals):
    """Mehlhorn's heuristic of 1988: the spanning tree of the terminals' regions; leaves that are none are cut."""
    ways, paths = nx.multi_source_dijkstra(graph, set(terminals))
    near = nx.Graph()
    for u, v, weight in graph.edges(data="weight"):
        a, b = paths[u][0], paths[v][0]
        way = ways[u] + weight + ways[v]
        if a != b and way < near.get_edge_data(a, b, {"weight": np.inf})["weight"]:
            near.add_edge(a, b, weight=way, path=paths[u] + paths[v][::-1])
    joined = nx.Graph()
    for a, b, path in nx.minimum_spanning_tree(near).edges(data="path"):
        for u, v in zip(path, path[1:]):
            joined.add_edge(u, v, weight=graph.edges[u, v]["weight"])
    tree = nx.minimum_spanning_tree(joined)
    needed = set(terminals)
    while leaves := [v for v in tree if tree.degree(v) == 1 and v not in needed]:
        tree.remove_nodes_from(leaves)
    return tree


def growth(graph, terminals):
    """The idea behind the shared town: prizes so high that no address is left out, and a prize-collecting heuristic."""
    prizes = {place: 10_000 for place in terminals}
    return neuroprim.solve(graph, "pcst", prizes=prizes, method="prize-growth").to_networkx()


def fibre_row(name, files):
    """Means over maps: lengths and processor times of four ways to join all addresses."""
    sums, proven = [], 0
    for file in files:
        graph, terminals = street_graph(file)
        methods = (lambda: nx.algorithms.approximation.steiner_tree(graph, terminals),
                   lambda: mehlhorn(graph, terminals),
                   lambda: growth(graph, terminals),
                   lambda: neuroprim.solve(graph, "stp", terminals=terminals, time_limit=10, threads=1))
        (kou, a), (voronoi, b), (grown, c), (ours, d) = (timed(method) for method in methods)
        trees = kou, voronoi, grown, ours.to_networkx()
        assert all(set(terminals) <= set(tree) and nx.is_tree(tree) for tree in trees)
        sums.append([tree.size("weight") for tree in trees] + [a, b, c, d])
        proven += ours.optimal
    means = np.mean(sums, axis=0)
    print_row(name, *(f"{metres:.0f} m" for metres in means[:4]), percent(1 - means[3] / means[0]),
              *(f"{seconds:.2f} s" for seconds in means[4:]), f"{proven} of {len(sums)}")


def fibre(quick):
    print_head("addresses", "Kou (networkx)", "Mehlhorn", "growth", "NeuroPrim", "less than Kou", "Kou's time",
               "Mehlhorn's time", "growth's time", "our time", "proven optimal")
    for blocks, addresses in [(8, 30)] if quick else [(12, 80), (20, 300)]:
        files = []
        for seed in range(1, 2) if quick else range(1, 4):
            make_data.town(seed, blocks, addresses)
            files.append(f"town{seed}.geojson")
            os.rename("town.geojson", files[-1])
        fibre_row(addresses, files)
    shared = os.path.join(os.environ.get("NEUROPRIM_BENCHMARKS", ""), "streets/santa-cruz-500.geojson")
    if os.path.exists(shared) and not quick:
        fibre_row("457 of Santa Cruz", [shared])


# Wind farms


def wind_farm(quick):
    print_head("turbines", "per cable", "Esau–Williams", "NeuroPrim", "saved", "Esau–Williams' gap", "our gap")
    for turbines in (20,) if quick else (48,):
        for capacity in (5,) if quick else (5, 8):
            seeds, rows = range(1, 2), []
            for seed in seeds:
                make_data.farm(seed, turbines)
                data = neuroprim.Instance.read("farm.csv")
                classical = neuroprim.solve(data, capacity=capacity, method="esau-williams")
                ours = neuroprim.solve(data, capacity=capacity, max_iterations=200 if quick else 500_000, threads=1)
                rows.append((classical.cost, ours.cost, ours.bound))
            a, b, bound = np.mean(rows, axis=0)
            print_row(turbines, capacity, f"{a / 1000:.1f} km", f"{b / 1000:.1f} km", percent(1 - b / a),
                      percent(a / bound - 1), percent(b / bound - 1))


# Pathways


def protein_network(hub_penalty=0.005):
    """The graph of interactions.csv, and the signal of each protein in measured.csv."""
    graph = nx.Graph()
    with open("interactions.csv", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            graph.add_edge(row["a"], row["b"], weight=1 - float(row["confidence"]))
    for a, b, marks in graph.edges(data=True):
        marks["weight"] += hub_penalty * (graph.degree(a) + graph.degree(b))
    with open("measured.csv", encoding="utf-8") as stream:
        signals = {row["protein"]: float(row["signal"]) for row in csv.DictReader(stream)}
    return graph, signals


def pathways(quick):
    print_head("proteins", "prizes", "growth", "NeuroPrim", "saved", "growth's time", "our time", "proven optimal")
    seeds = range(1, 2) if quick else range(1, 6)
    for proteins, active in [(300, 24)] if quick else [(300, 24), (3000, 120)]:
        for scale in (0.3, 0.5):
            costs, seconds, proven = [], [], 0
            for seed in seeds:
                make_data.pathway(seed, proteins, active)
                graph, signals = protein_network()
                prizes = {name: scale * max(0.0, signal - 0.4) for name, signal in signals.items()}
                growth, first = timed(lambda: neuroprim.solve(graph, "pcst", prizes=prizes, method="prize-growth"))
                ours, second = timed(lambda: neuroprim.solve(graph, "pcst", prizes=prizes, time_limit=10, threads=1))
                costs.append((growth.cost, ours.cost))
                seconds.append((first, second))
                proven += ours.optimal
            growth_cost, our_cost = np.mean(costs, axis=0)
            first, second = np.mean(seconds, axis=0)
            saved = percent(1 - our_cost / growth_cost)
            print_row(proteins, f"{scale} ×", f"{growth_cost:.2f}", f"{our_cost:.2f}", saved, f"{first:.2f} s",
                      f"{second:.2f} s", f"{proven} of {len(seeds)}")


# Electrification


def electrification(quick):
    print_head("houses", "length ≤", "spanning tree", "breaks", "Prim within the limits", "Esau–Williams", "NeuroPrim",
               "proven gap")
    for count, seed in [(60, 4)] if quick else [(60, 4), (60, 5), (120, 6), (120, 7)]:
        make_data.villages(seed, count)
        data = neuroprim.Instance.read("villages.csv")
        tree = neuroprim.solve(data, "mst")
        ways = neuroprim.solve(data, "lmst", method="shortest-path-tree", length=1e6).distances
        for slack in (1.15,) if quick else (1.15, 1.5):
            length = round(slack * float(ways.max()), -1)
            limits = dict(capacity=30, length=length)
            broken = neuroprim.check(data, tree, **limits)
            prim = neuroprim.solve(data, method="limited-prim", **limits)
            try:
                esau = f"{neuroprim.solve(data, method='esau-williams', **limits).cost:.0f}"
            except neuroprim.Infeasible:
                esau = "none"
            ours = neuroprim.solve(data, time_limit=1 if quick else 10, threads=1, **limits)
            kind = "none" if broken is None else "length" if "from root" in broken else "capacity"
            print_row(count, f"{length:.0f}", f"{tree.cost:.0f}", kind, f"{prim.cost:.0f}", esau, f"{ours.cost:.0f}",
                      percent(ours.gap))


# Teaching


def nearest_neighbour(points):
    """The path that always goes to the nearest point left, from its best start."""
    distances = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))

    def length(start):
        at, left, total = start, set(range(len(points))) - {start}, 0.0
        while left:
            nearest = min(left, key=lambda v: distances[at, v])
            total += distances[at, nearest]
            left.remove(nearest)
            at = nearest
        return total

    return min(length(start) for start in range(len(points)))


def teaching(quick):
    print_head("how a path of 50 points is found", "mean length", "above the best known", "processor time for all")
    sets = np.random.default_rng(7).random((2 if quick else 20, 50, 2))
    longest = dict(time_limit=0.5 if quick else 5)
    known = [neuroprim.solve(points, degree=2, threads=1, **longest) for points in sets]
    best = np.mean([tree.cost for tree in known])

    def show(name, work):
        lengths, seconds = timed(lambda: [work(points) for points in sets])
        print_row(name, f"{np.mean(lengths):.4f}", f"{100 * (np.mean(lengths) / best - 1):.2f} %", f"{seconds:.2f} s")

    def method(name, **options):
        return lambda points: neuroprim.solve(points, degree=2, method=name, threads=1, **options).cost

    show("nearest neighbour, best start", nearest_neighbour)
    show("Prim with a degree limit", method("degree-prim"))
    show("farthest insertion", method("farthest-insertion"))
    show("the policy, greedy from every start", method("greedy"))
    show("the policy, beam of 4", method("beam"))
    show("the policy, 20 samples per start", method("sample"))
    show("search, 1000 iterations", method("search", max_iterations=1000))
    gap = np.mean([tree.gap for tree in known])
    print_row(f"best known; the proven bound is {percent(gap)} below", f"{best:.4f}", "0.00 %", "")


TABLES = {"fibre": fibre, "wind-farm": wind_farm, "pathways": pathways, "electrification": electrification, "teaching": teaching}


def main(arguments):
    names = [name for name in arguments if name in TABLES]
    if len(names) != 1:
        sys.exit(f"usage: compare.py NAME [--quick]   of {', '.join(TABLES)}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        TABLES[names[0]]("--quick" in arguments)
        os.chdir("/")


if __name__ == "__main__":
    main(sys.argv[1:])
