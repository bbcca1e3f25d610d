"""The types that editors and mypy read: they fit the code, and the stub names what the compiled part has."""

import ast
import inspect
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from neuroprim import _core

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_the_package_passes_mypy(tmp_path):
    cache = os.environ.get("NEUROPRIM_BUILD_DIR", str(tmp_path)) + "/mypy"
    run = subprocess.run(["/usr/bin/env", "mypy", "--cache-dir", cache], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def names_in_stub():
    module = ast.parse((ROOT / "python/neuroprim/_core.pyi").read_text(encoding="utf-8"))
    names = {}
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            names[node.name] = None
        if isinstance(node, ast.ClassDef):
            functions = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            fields = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
            names[node.name] = functions | fields
    return names


def test_the_stub_names_what_the_compiled_part_has():
    stub = names_in_stub()
    public = {name for name in vars(_core) if not name.startswith("_")} - {"version"}
    assert set(stub) == public
    for name, members in stub.items():
        if members is None or name == "Infeasible":
            continue
        own = {member for member in vars(getattr(_core, name)) if not member.startswith("_")}
        assert {member for member in members if not member.startswith("__")} == own, name


def test_the_stub_of_solve_has_every_keyword():
    """It is made while the package is built; editors read it instead of the function's **limits."""
    import neuroprim

    stub = Path(neuroprim.__file__).with_name("_solve.pyi")
    if not stub.exists():
        pytest.skip("the package was not built by CMake")
    module = ast.parse(stub.read_text(encoding="utf-8"))
    solve = next(node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == "solve")
    arguments = [*solve.args.args, *solve.args.kwonlyargs]
    assert solve.args.kwarg is None
    assert {one.arg for one in arguments} == set(inspect.signature(neuroprim.solve).parameters)
    types = {one.arg: ast.unparse(one.annotation) for one in arguments}
    assert types["hops"] == "int | None" and types["capacity"] == "float | None"


def test_every_public_thing_has_a_docstring():
    import neuroprim

    for name in neuroprim.__all__:
        thing = getattr(neuroprim, name)
        assert thing.__doc__, name
        if not isinstance(thing, type) or thing.__module__ == "neuroprim._core":
            continue
        for member, value in vars(thing).items():
            if not member.startswith("_") and callable(value):
                assert value.__doc__, f"{name}.{member}"
