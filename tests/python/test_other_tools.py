"""Graphs as NetworkX and SciPy write them, solved from their files."""

import inspect
import json

import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse

import neuroprim


@pytest.fixture
def graph():
    graph = nx.gnm_random_graph(30, 90, seed=2)
    random = np.random.default_rng(1)
    nx.relabel_nodes(graph, {v: f"n{v}" for v in graph}, copy=False)
    for u, v in graph.edges:
        graph[u][v]["weight"] = float(random.random())
    return graph


def shortest(path):
    return neuroprim.solve(neuroprim.Instance.read(path), problem="mst").cost


def test_files_of_networkx(graph, tmp_path):
    cost = nx.minimum_spanning_tree(graph).size("weight")
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    assert shortest(tmp_path / "graph.graphml") == pytest.approx(cost)
    (tmp_path / "graph.json").write_text(json.dumps(nx.node_link_data(graph)))
    instance = neuroprim.Instance.read(tmp_path / "graph.json")
    assert instance.nodes[0] == next(iter(graph))
    assert shortest(tmp_path / "graph.json") == pytest.approx(cost)


@pytest.mark.parametrize("symmetry", ["symmetric", "general"])
def test_files_of_scipy(graph, tmp_path, symmetry):
    matrix = nx.to_scipy_sparse_array(graph, weight="weight", format="coo")
    scipy.io.mmwrite(tmp_path / "graph.mtx", scipy.sparse.coo_matrix(matrix), symmetry=symmetry)
    assert shortest(tmp_path / "graph.mtx") == pytest.approx(nx.minimum_spanning_tree(graph).size("weight"))


def test_networkx_reads_what_is_written(graph, tmp_path):
    tree = neuroprim.solve(graph)
    for name in ("tree.graphml", "tree.node-link.json"):
        tree.save(tmp_path / name)
    found = nx.read_graphml(tmp_path / "tree.graphml")
    assert nx.is_tree(found)
    assert set(found) == set(graph)
    assert found.size("weight") == pytest.approx(tree.cost)
    data = json.loads((tmp_path / "tree.node-link.json").read_text())
    is_recent = "edges" in inspect.signature(nx.node_link_graph).parameters
    linked = nx.node_link_graph(data, **{"edges" if is_recent else "link": "edges"})
    assert nx.is_tree(linked)
    assert {frozenset(edge) for edge in linked.edges} == {frozenset(edge) for edge in found.edges}


def test_scipy_reads_what_is_written(graph, tmp_path):
    tree = neuroprim.solve(graph)
    tree.save(tmp_path / "tree.mtx")
    assert scipy.io.mmread(tmp_path / "tree.mtx").sum() == pytest.approx(2 * tree.cost)
