"""Trees as networkx graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._solution import Solution


def tree_as_graph(solution: Solution) -> Any:
    """A networkx.Graph of the tree; see Solution.to_networkx."""
    import networkx

    instance = solution.instance
    vertices = sorted({solution.start, *solution.edges.ravel().tolist()})
    positions = instance.positions
    terminals = set(instance.terminals.tolist())
    tree = networkx.Graph()
    for v in vertices:
        node = instance.label(v)
        tree.add_node(node)
        if instance.graph is not None:
            tree.nodes[node].update(instance.graph.nodes[node])
        elif positions is not None:
            tree.nodes[node]["pos"] = (float(positions[v, 0]), float(positions[v, 1]))
        if v in terminals:
            tree.nodes[node]["terminal"] = True
    for (u, v), weight in zip(solution.named_edges, solution.edge_weights.tolist()):
        if instance.graph is not None and not instance.graph.is_multigraph():
            tree.add_edge(u, v, **instance.graph.edges[u, v])
        else:
            tree.add_edge(u, v)
        tree.edges[u, v]["weight"] = weight
    return tree
