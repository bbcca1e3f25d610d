"""A problem of one's own: the base class whose methods are its rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import State, Tree
    from ._instance import Instance

_RULES = (
    "required",
    "starts",
    "has_residual_capacity",
    "lookahead_allows",
    "joins",
    "finished",
    "cost",
    "pruned",
    "infeasibility_certificate",
)

#: What rules were called before; classes may still use these names.
_FORMER_NAMES = {
    "has_room": "has_residual_capacity",
    "admits": "lookahead_allows",
    "tidied": "pruned",
    "obstacle": "infeasibility_certificate",
    "room_is_local": "residual_capacity_is_local",
}


class Problem:
    """Rules or a cost of one's own, beside the limits that `solve` takes; override what differs from these.

    >>> class AtMostTwoChildren(Problem):
    ...     def has_residual_capacity(self, state, u):
    ...         return state.degree(u) < (2 if u == state.start else 3)

    Give an object of the class to `solve(data, problem=AtMostTwoChildren(), hops=4, root=0)`. Trees are then grown,
    judged and improved by the limits and these rules together: slower than with limits alone, as Python is asked at
    every step, but with the same guarantees: what comes back keeps both.

    Rules speak of vertices by their numbers. They may be asked from other threads, one at a time, and must not depend
    on when they are asked. An exception in a rule ends the search and reaches the caller of `solve`.
    """

    #: False when a new edge may change the residual capacity of other vertices than its two ends (whole subtrees).
    residual_capacity_is_local: bool = True

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        for former, name in _FORMER_NAMES.items():
            if former in vars(cls) and name not in vars(cls):
                setattr(cls, name, vars(cls)[former])

    @property
    def name(self) -> str:
        """What solutions call it; the name of the class unless overridden."""
        return type(self).__name__

    def required(self, instance: Instance, v: int) -> bool:
        """Must `v` be in the tree, beside the root and what the arguments ask for? Asked once for each vertex."""
        return True

    def starts(self, instance: Instance) -> Iterable[int]:
        """Where trees may grow from: every required vertex, or the root of a rooted problem. Asked once."""
        return [v for v in range(instance.n) if self.required(instance, v)]

    def has_residual_capacity(self, state: State, u: int) -> bool:
        """May the tree vertex `u` take one more child? Once the answer is no it must stay no."""
        return True

    def lookahead_allows(self, state: State, v: int) -> bool:
        """May the outside vertex `v` join next? Says no only to a vertex that would lead into a dead end."""
        return True

    def joins(self, state: State, u: int, v: int) -> bool:
        """May the tree vertex `u` take the outside vertex `v`? Asked where `u` has residual capacity and `v` may join."""
        return True

    def finished(self, state: State) -> bool:
        """Is the tree complete?"""
        return state.required_outside == 0

    def cost(self, tree: Tree) -> float:
        """What the tree costs; the smaller the better. `tree.cost` is what it costs by the objective of the
        arguments, its total weight unless they say otherwise. Without an override there are lower bounds.
        """
        assert tree.cost is not None
        return tree.cost

    def pruned(self, tree: Tree) -> Tree:
        """The tree without what it does not need: `tree.pruned(keep)` cuts off leaves."""
        return tree

    def infeasibility_certificate(self, instance: Instance) -> str | None:
        """A reason why no tree can be feasible, if one is plain to see; not connected, unless overridden."""
        return None

    def _overridden(self) -> set[str]:
        return {rule for rule in _RULES if getattr(type(self), rule) is not getattr(Problem, rule)}
