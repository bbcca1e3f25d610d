"""networkx's way to other implementations (networkx ≥ 3.2): `networkx.minimum_spanning_tree(G, backend="neuroprim")`.

networkx finds this module through the entry points of the installed package, `networkx.backends` and
`networkx.backend_info`, and calls the function of the same name with the same arguments. Options of `neuroprim.solve`
may follow: `networkx.algorithms.approximation.steiner_tree(G, terminals, backend="neuroprim", time_limit=10)`. Graphs
go in and come out as they are, networkx's own.
"""

from __future__ import annotations

from typing import Any

from . import nx

#: What networkx may ask for, under the names that it dispatches by.
FUNCTIONS = {
    "minimum_spanning_tree": nx.minimum_spanning_tree,
    "steiner_tree": nx.steiner_tree,
}


class Backend:
    """The object that networkx asks."""

    minimum_spanning_tree = staticmethod(nx.minimum_spanning_tree)
    steiner_tree = staticmethod(nx.steiner_tree)

    @staticmethod
    def convert_from_nx(graph: Any, *args: Any, **kwargs: Any) -> Any:
        """The same graph: the functions read networkx's own."""
        return graph

    @staticmethod
    def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
        """The same result, which is a graph of networkx."""
        return result

    @staticmethod
    def can_run(name: str, args: Any, kwargs: Any) -> bool | str:
        """True, or a sentence that says why not."""
        if name not in FUNCTIONS:
            return f"neuroprim has no {name}"
        graph = args[0] if args else kwargs.get("G")
        if graph is not None and graph.is_directed():
            return "neuroprim takes undirected graphs"
        return True

    @staticmethod
    def should_run(name: str, args: Any, kwargs: Any) -> bool | str:
        """Is it worth while? Steiner trees are better and sooner there; networkx's spanning trees are fine."""
        return True if name == "steiner_tree" else "networkx finds minimum spanning trees exactly too"


backend = Backend()


def get_info() -> dict[str, Any]:
    """What networkx prints about the backend in its own documentation."""
    told = "Options of `neuroprim.solve` may be given: `time_limit=10`, `seed=1`, `threads=2` and others."
    return {
        "backend_name": "neuroprim",
        "project": "neuroprim",
        "package": "neuroprim",
        "short_summary": "Constrained spanning trees: classical, learned, proven.",
        "functions": {
            "minimum_spanning_tree": {"additional_docs": f"The same weight. {told}"},
            "steiner_tree": {
                "additional_docs": f"A lighter tree in almost all cases, proven optimal where possible. {told}"
            },
        },
    }
