"""All trees of small graphs, by Prüfer's bijection: the oracle of the tests."""

import heapq
import itertools
import math


def trees(vertices):
    """Every tree on these vertices as a list of edges: k^(k-2) of them."""
    k = len(vertices)
    if k < 2:
        yield []
        return
    for code in itertools.product(range(k), repeat=k - 2):
        degree = [1 + code.count(v) for v in range(k)]
        leaves = [v for v in range(k) if degree[v] == 1]
        heapq.heapify(leaves)
        edges = []
        for v in code:
            leaf = heapq.heappop(leaves)
            edges.append((vertices[leaf], vertices[v]))
            degree[v] -= 1
            if degree[v] == 1:
                heapq.heappush(leaves, v)
        edges.append((vertices[heapq.heappop(leaves)], vertices[heapq.heappop(leaves)]))
        yield edges


def least(n, feasible, cost, required=None):
    """The least cost over all feasible trees that hold the required vertices (all unless given), or inf."""
    must = list(range(n)) if required is None else list(required)
    others = [v for v in range(n) if v not in must]
    best = math.inf
    for size in range(len(others) + 1):
        for more in itertools.combinations(others, size):
            for edges in trees(must + list(more)):
                if feasible(edges):
                    best = min(best, cost(edges))
    return best


def degrees(n, edges):
    count = [0] * n
    for u, v in edges:
        count[u] += 1
        count[v] += 1
    return count


def depths(n, edges, root):
    """Edges between each vertex and the root; None for vertices that the tree leaves out."""
    depth = [None] * n
    depth[root] = 0
    for _ in range(n):
        for u, v in edges:
            for a, b in ((u, v), (v, u)):
                if depth[a] is not None and depth[b] is None:
                    depth[b] = depth[a] + 1
    return depth


def tree_distances(n, edges, weight):
    """(n, n) distances in the tree."""
    d = [[0.0 if u == v else math.inf for v in range(n)] for u in range(n)]
    for u, v in edges:
        d[u][v] = d[v][u] = weight[u][v]
    for k, i, j in itertools.product(range(n), repeat=3):
        d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return d
