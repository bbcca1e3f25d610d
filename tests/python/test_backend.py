"""networkx's dispatch to backends (networkx ≥ 3.2).

The distribution has networkx 2.8, which does not dispatch. So a small dispatcher stands in for it here, which does what
networkx's own does: it finds the backend by its entry point, converts the graph, asks whether the backend can run, calls
the function of the same name and converts the result.
"""

import importlib
import re
from pathlib import Path

import networkx as nx
import pytest
from networkx.algorithms import approximation

ROOT = Path(__file__).resolve().parents[2]


def entry_point(group):
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = re.search(rf'^\[project.entry-points."{re.escape(group)}"\]\n(.*?)(?=^\[|\Z)', text, re.S | re.M)
    module, name = re.search(r'^neuroprim = "([\w.]+):(\w+)"$', section[1], re.M).groups()
    return getattr(importlib.import_module(module), name)


def dispatch(function, graph, *args, backend_options=None, **kwargs):
    """`function(graph, …, backend="neuroprim", **backend_options)`, as networkx ≥ 3.2 does it."""
    backend = entry_point("networkx.backends")
    name = function.__name__
    if backend.can_run(name, (graph, *args), kwargs) is not True:
        raise NotImplementedError(backend.can_run(name, (graph, *args), kwargs))
    preserve = dict.fromkeys(("preserve_edge_attrs", "preserve_node_attrs", "preserve_graph_attrs"), True)
    converted = backend.convert_from_nx(
        graph, edge_attrs=None, node_attrs=None, **preserve, name=name, graph_name="G"
    )
    result = getattr(backend, name)(converted, *args, **kwargs, **(backend_options or {}))
    return backend.convert_to_nx(result, name=name)


@pytest.fixture
def graph():
    graph = nx.connected_watts_strogatz_graph(40, 4, 0.3, seed=1)
    for k, (_, _, marks) in enumerate(graph.edges(data=True)):
        marks["km"] = 1 + (7 * k) % 11
    return graph


def test_spanning_trees_weigh_the_same(graph):
    ours = dispatch(nx.minimum_spanning_tree, graph, weight="km", algorithm="prim")
    assert ours.size("km") == nx.minimum_spanning_tree(graph, weight="km").size("km") and nx.is_tree(ours)


def test_steiner_trees_are_no_heavier_and_take_options(graph):
    terminals = range(0, 40, 5)
    theirs = approximation.steiner_tree(graph, terminals, weight="km")
    options = dict(seed=3, max_iterations=10)
    ours = dispatch(
        approximation.steiner_tree, graph, terminals, weight="km", method="mehlhorn", backend_options=options
    )
    assert ours.size("km") <= theirs.size("km") and type(ours) is type(theirs)


def test_what_it_cannot_run_it_says(graph):
    with pytest.raises(NotImplementedError, match="undirected"):
        dispatch(approximation.steiner_tree, graph.to_directed(), [0, 1])
    with pytest.raises(NotImplementedError, match="no pagerank"):
        dispatch(nx.pagerank, graph)
    backend = entry_point("networkx.backends")
    assert backend.should_run("steiner_tree", (), {}) is True
    assert isinstance(backend.should_run("minimum_spanning_tree", (), {}), str)


def test_the_information_names_the_functions_that_there_are():
    info = entry_point("networkx.backend_info")()
    backend = entry_point("networkx.backends")
    assert info["backend_name"] == "neuroprim" and info["short_summary"]
    assert all(callable(getattr(backend, name)) for name in info["functions"])
