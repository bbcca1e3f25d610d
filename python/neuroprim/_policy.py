"""Policies: networks that grow trees edge by edge."""

from __future__ import annotations

import os
import warnings
import tempfile
from typing import Any

from . import _core
from ._checks import number, whole
from ._instance import Instance
from ._models import model_file
from ._problem import Problem
from ._solution import Solution, solution_of
from ._task import Task, tree_of


class Policy:
    """A trained policy, on the CPU.

    >>> policy = Policy.load("mrcst")                # doctest: +SKIP
    >>> policy.greedy(points).cost                   # doctest: +SKIP

    `data`, `problem` and the arguments of the problem are those of `solve`; the problem is the one that the policy was
    trained for unless given. A policy may be asked for trees of any problem, one defined in Python included; a warning says
    when it was trained for another of the known ones.
    """

    __slots__ = ("_impl",)

    def __init__(self, core: _core.Policy) -> None:
        if not isinstance(core, _core.Policy):
            raise TypeError("Policy.load makes a policy of a name or a file")
        self._impl = core

    @classmethod
    def load(cls, name: str | os.PathLike[str]) -> Policy:
        """A pretrained policy by its name (`dcmst` for paths, `dcmst-3`, `mrcst`, `stp`, `tree`), or the one in a file."""
        return cls(_core.Policy.load(model_file(name)))

    def save(self, path: str | os.PathLike[str], *, half: bool = False) -> None:
        """Writes a safetensors file; with `half` its large matrices take 16 bits a number instead of 32."""
        self._impl.save(os.fspath(path), half)

    @property
    def config(self) -> dict[str, Any]:
        """Its sizes, the problem it was trained for and what its file tells about the training."""
        return self._impl.config

    @property
    def instruction_set(self) -> str:
        """Which kernels it runs on: portable, avx2 or avx512."""
        return self._impl.instruction_set

    def greedy(
        self,
        data: Any,
        problem: str | Problem | None = None,
        *,
        start: Any = None,
        starts: int = 0,
        augmentations: int = 0,
        augmentations_per_start: int = 0,
        threads: int | None = None,
        **arguments: Any,
    ) -> Solution:
        """The cheapest of the trees that take the most probable edge each time, one from every start.

        `start` is the only one then; `starts` takes so many, spread evenly: ten of more than 150 vertices unless given.
        With a root one tree begins with each of its 48 shortest edges, or `starts` less one; with more than 150 vertices
        none does unless given. `augmentations` decodes under so many augmentations, up to 64: symmetries of the square,
        then rotated by a few degrees; with `augmentations_per_start` each start is taken from so many of them only, in
        turn. `statistics` of the answer tells how all trees did.
        Routing cost of more than 150 vertices is looked at in `starts` samples instead, ten unless given. Without
        `augmentations` there is one; on more than 150 points there are two for paths and eight for routing cost.
        """
        options = {"start": start, "starts": starts, "threads": threads}
        options |= {"augmentations": augmentations, "augmentations_per_start": augmentations_per_start}
        return self._decoded(data, problem, "greedy", {**options, **arguments})

    def sample(
        self,
        data: Any,
        problem: str | Problem | None = None,
        *,
        samples: int = 0,
        temperature: float = 1.0,
        seed: int = 0,
        start: Any = None,
        augmentations: int = 0,
        augmentations_per_start: int = 0,
        rounds: int = 1,
        threads: int | None = None,
        **arguments: Any,
    ) -> Solution:
        """The cheapest of `samples` trees whose edges are drawn by their probability; twenty per start unless given.

        A `temperature` below one draws sharper, above one flatter. The answer depends on `seed`, not on `threads`.
        With `augmentations` and `augmentations_per_start` they share the samples; in several `rounds` only the best quarter
        of the augmentations goes on to the next.
        """
        if number("temperature", temperature, 0) == 0:
            raise ValueError("temperature: expected a positive number, found 0; greedy is the limit")
        options = {"samples": samples, "temperature": temperature, "seed": seed, "start": start}
        sides = {"augmentations": augmentations, "augmentations_per_start": augmentations_per_start, "rounds": rounds}
        return self._decoded(data, problem, "sample", {"threads": threads, **options, **sides, **arguments})

    def beam(
        self,
        data: Any,
        problem: str | Problem | None = None,
        *,
        width: int = 4,
        start: Any = None,
        augmentations: int = 0,
        threads: int | None = None,
        **arguments: Any,
    ) -> Solution:
        """Keeps `width` partial trees, judged by what the policy makes of them greedily."""
        options = {"beam": width, "start": start, "augmentations": augmentations, "threads": threads}
        return self._decoded(data, problem, "beam", {**options, **arguments})

    def rebuild(
        self,
        data: Any,
        problem: str | Problem | None = None,
        *,
        time_limit: float | None = None,
        max_iterations: int | None = None,
        no_improvement: int | None = None,
        starts: int = 0,
        augmentations: int = 0,
        augmentations_per_start: int = 0,
        seed: int = 0,
        threads: int | None = None,
        **arguments: Any,
    ) -> Solution:
        """A greedy tree, whose windows the policy grows anew, pass after pass.

        It ends after `time_limit` seconds, `max_iterations` passes, or `no_improvement` passes in a row (eight) that
        brought nothing.
        """
        options: dict[str, Any] = {"time_limit": time_limit, "max_iterations": max_iterations}
        options |= {"no_improvement": no_improvement, "starts": starts, "augmentations": augmentations}
        options |= {"augmentations_per_start": augmentations_per_start, "seed": seed, "threads": threads}
        return self._decoded(data, problem, "rebuild", {**options, **arguments})

    def explain(
        self,
        data: Any,
        problem: str | Problem | None = None,
        *,
        alternatives: int = 5,
        sample: bool = False,
        temperature: float = 1.0,
        seed: int = 0,
        start: Any = None,
        threads: int | None = None,
        **arguments: Any,
    ) -> Explanation:
        """How the policy grows one tree: each decision with its probability, entropy and best `alternatives`.

        From `start`, or from the one whose greedy tree is the cheapest.
        """
        method = "sample" if sample else "greedy"
        options = {"temperature": temperature, "seed": seed, "start": start, "threads": threads}
        task = Task(data, self._problem(problem), has_policy=True, method=method, **options, **arguments)
        self._warn(task)
        return Explanation(self._impl.explain(task.core, whole("alternatives", alternatives, 1)), task.instance)

    def log_probability(
        self, data: Any, tree: Any, problem: str | Problem | None = None, *, temperature: float = 1.0, **arguments: Any
    ) -> float:
        """Of growing exactly this tree, edge by edge in its order; −inf if the rules forbid one of its steps."""
        task = Task(data, self._problem(problem), **arguments)
        start, edges = tree_of(task.instance, tree)
        return self._impl.log_probability(task.core, start, edges, number("temperature", temperature, 0))

    def __copy__(self) -> Policy:
        return self  # nobody can change it

    def __deepcopy__(self, memo: Any) -> Policy:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """To other processes it goes as the bytes of its file."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "policy.safetensors")
            self.save(file)
            with open(file, "rb") as stream:
                return _policy_of, (stream.read(),)

    def __repr__(self) -> str:
        config = self.config
        return f"<neuroprim.Policy: {config['problem'] or 'no problem'}, d_v {config['d_v']}, d_e {config['d_e']}>"

    def _problem(self, problem: str | Problem | None) -> str | Problem:
        return problem if problem is not None else self.config["problem"] or "mst"

    def _decoded(self, data: Any, problem: str | Problem | None, method: str, arguments: dict[str, Any]) -> Solution:
        task = Task(data, self._problem(problem), has_policy=True, method=method, **arguments)
        solution: Solution = solution_of(self._impl.decode(task.core), task.instance)
        for warning in solution._impl.warnings:
            warnings.warn(warning, stacklevel=3)
        return solution

    def _warn(self, task: Task) -> None:
        odd = self._impl.mismatch(task.core)
        if odd is not None:
            warnings.warn(odd, stacklevel=3)


def _policy_of(content: bytes) -> Policy:
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "policy.safetensors")
        with open(file, "wb") as stream:
            stream.write(content)
        return Policy(_core.Policy.load(file))


class Explanation:
    """How one tree came about. In a notebook it shows itself as a moving picture."""

    __slots__ = ("_impl", "instance")

    instance: Instance

    def __init__(self, core: _core.Explanation, instance: Instance) -> None:
        self._impl = core
        self.instance = instance

    @property
    def steps(self) -> list[_core.Step]:
        """The decisions: `chosen` edge, its `probability`, `entropy` in nats, `open_edges`, `alternatives`."""
        return self._impl.steps

    @property
    def start(self) -> int:
        return self._impl.start

    @property
    def edges(self) -> Any:
        """(m, 2): the tree as it grew."""
        return self._impl.edges

    @property
    def complete(self) -> bool:
        """False: the construction ran into a dead end."""
        return self._impl.complete

    @property
    def cost(self) -> float | None:
        """Of the tree; None unless it is complete."""
        return self._impl.cost

    @property
    def log_probability(self) -> float:
        """Of all decisions together."""
        return self._impl.log_probability

    def to_json(self) -> str:
        """The JSON that the command's `explain` writes."""
        return self._impl.to_json(self.instance._impl)

    def to_svg(self) -> str:
        """A moving picture: at each step alternatives shine up by their probability."""
        return self._impl.to_svg(self.instance._impl)

    def save(self, path: str | os.PathLike[str], *, strip: bool = False) -> None:
        """Writes .json, .svg (moving, or a strip of pictures) or .png (the strip)."""
        self._impl.save(self.instance._impl, os.fspath(path), strip)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        end = f"cost {self.cost:.10g}" if self.cost is not None else "dead end"
        return f"<neuroprim.Explanation: {len(self.steps)} decisions, {end}, log p {self.log_probability:.4g}>"
