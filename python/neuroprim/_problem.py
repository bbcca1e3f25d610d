"""A problem of one's own: the base class whose methods are its rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import State, Tree
    from ._instance import Instance

_RULES = ("required", "starts", "has_room", "admits", "finished", "cost", "tidied", "obstacle")


class Problem:
    """A spanning-tree problem told as a few small rules; override what differs from a minimum spanning tree.

    >>> class AtMostTwoChildren(Problem):
    ...     def has_room(self, state, u):
    ...         return state.degree(u) < (2 if u == state.start else 3)

    Give an object of the class to `solve(data, problem=AtMostTwoChildren())`. Trees are then grown, judged and improved
    by these rules alone: slower than the problems that the library knows, as Python is asked at every step, but with
    the same guarantees: what comes back keeps the rules.

    Rules speak of vertices by their numbers. They may be asked from other threads, one at a time, and must not depend
    on when they are asked. An exception in a rule ends the search and reaches the caller of `solve`.
    """

    #: False when a new edge may change the room of vertices other than its two ends (a capacity of whole subtrees).
    room_is_local: bool = True

    @property
    def name(self) -> str:
        """What solutions call it; the name of the class unless overridden."""
        return type(self).__name__

    def required(self, instance: Instance, v: int) -> bool:
        """Must `v` be in the tree? Asked once for each vertex."""
        return True

    def starts(self, instance: Instance) -> Iterable[int]:
        """Where trees may grow from: every required vertex, or the root of a rooted problem. Asked once."""
        return [v for v in range(instance.n) if self.required(instance, v)]

    def has_room(self, state: State, u: int) -> bool:
        """May the tree vertex `u` take one more child? Once the answer is no it must stay no."""
        return True

    def admits(self, state: State, v: int) -> bool:
        """May the outside vertex `v` join next? Says no only to a vertex that would lead into a dead end."""
        return True

    def finished(self, state: State) -> bool:
        """Is the tree complete?"""
        return state.required_outside == 0

    def cost(self, tree: Tree) -> float:
        """What the tree costs; the smaller the better. Without an override the MST is a lower bound."""
        return tree.total_weight

    def tidied(self, tree: Tree) -> Tree:
        """The tree without what it does not need: `tree.pruned(keep)` cuts off leaves."""
        return tree

    def obstacle(self, instance: Instance) -> str | None:
        """A reason why no tree can be feasible, if one is plain to see; not connected, unless overridden."""
        return None

    def _overridden(self) -> set[str]:
        return {rule for rule in _RULES if getattr(type(self), rule) is not getattr(Problem, rule)}
