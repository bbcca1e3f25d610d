"""Installed by CMake and by pip: the package works from where it was put, models included."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = os.environ.get("NEUROPRIM_BUILD_DIR")

TRY = """
import neuroprim, numpy
tree = neuroprim.solve(numpy.random.default_rng(0).random((20, 2)), degree=2, method="greedy")
print(neuroprim.__file__, len(tree.edges), neuroprim.__version__)
"""


def run(*command, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", env={**clean, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(BUILD is None, reason="NEUROPRIM_BUILD_DIR names no build folder")
def test_cmake_installs_the_package(tmp_path):
    for component in ("python", "python-models"):
        run("cmake", "--install", BUILD, "--prefix", str(tmp_path), "--component", component)
    (package,) = tmp_path.glob("**/neuroprim/__init__.py")
    file, edges, _ = run(sys.executable, "-c", TRY, PYTHONPATH=str(package.parents[1])).split()
    assert Path(file) == package and edges == "19"


@pytest.mark.skipif(BUILD is None, reason="NEUROPRIM_BUILD_DIR names no build folder")
def test_pip_installs_the_package(tmp_path):
    venv = tmp_path / "venv"
    python = str(venv / "bin/python")
    run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", str(venv))
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "install", "--no-build-isolation", "--no-index", str(ROOT), NEUROPRIM_BUILD_DIR=BUILD)
    file, edges, version = run(python, "-c", TRY).split()
    assert Path(file).is_relative_to(venv) and edges == "19"
    recorded = "import importlib.metadata; print(importlib.metadata.version('neuroprim'))"
    assert run(python, "-c", recorded).strip() == version
    found = "from importlib.metadata import entry_points as e; print([x.load() for x in e(group='networkx.backends')])"
    assert "neuroprim.nx_backend.Backend" in run(python, "-c", found)


def test_the_source_archive_for_pip_holds_what_its_build_needs(tmp_path):
    folders = ["CMakeLists.txt", "cmake", "include", ":(glob)models/*", "python", "src"]
    tracked = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode != 0:
        pytest.skip("not a checkout")
    subprocess.run([sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base", tmp_path], cwd=ROOT, check=True)
    packed = (tmp_path / "neuroprim.egg-info/SOURCES.txt").read_text(encoding="utf-8").split("\n")
    assert set(tracked.stdout.split()) - set(packed) == set()
