"""The guides are run: every command and every line of Python on their pages, and their notebooks from top to bottom."""

import doctest
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "docs/guides"
BUILD = os.environ.get("NEUROPRIM_BUILD_DIR", "")


def script(file):
    """A script as a module."""
    loader = importlib.machinery.SourceFileLoader(file.stem.replace("-", "_"), str(file))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


notebooks = script(ROOT / "scripts/make-notebooks")
PAGES = notebooks.pages()
pytestmark = pytest.mark.skipif(not (Path(BUILD) / "neuroprim").exists(), reason="the command is not built")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, with the command and the guides' scripts at hand."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "neuroprim").symlink_to(Path(BUILD) / "neuroprim")
    (commands / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.setenv("GUIDES", str(GUIDES))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def same(wanted, got):
    """As doctest judges, an ellipsis of one character or three standing for anything."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(wanted.replace("…", "..."), got, flags)


def run_console(block):
    for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        run = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert same(wanted, run.stdout), f"$ {command}\n{run.stdout}\n--- the page says\n{wanted}"


def run_python(block, names, page):
    example = doctest.DocTestParser().get_doctest(block.replace("…", "..."), names, page, page, 0)
    runner, told = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), []
    runner.run(example, out=told.append, clear_globs=False)
    assert runner.failures == 0, "".join(told)
    names.update(example.globs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_runs_as_it_says(page, folder):
    text = page.read_text(encoding="utf-8")
    names = {}
    for kind, block in notebooks.BLOCK.findall(text):
        if kind == "console":
            run_console(block)
        else:
            run_python(block, names, page.name)
    for picture in re.findall(r"!\[.*?\]\(images/(.*?)\)", text):
        assert (folder / picture).exists(), f"nothing on the page makes {picture}"
        if os.environ.get("GUIDE_PICTURES"):  # to make those of the repository anew
            shutil.copy(folder / picture, GUIDES / "images" / picture)
        assert (GUIDES / "images" / picture).exists(), picture


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_notebook_is_made_of_the_page_and_runs(page, folder, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    made = notebooks.notebook_of(page.read_text(encoding="utf-8"))
    assert page.with_suffix(".ipynb").read_text(encoding="utf-8") == made, "run scripts/make-notebooks"
    monkeypatch.delenv("MPLBACKEND", raising=False)
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    notebook = nbformat.reads(made, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_table_at_the_end_can_be_made(page, folder):
    run = subprocess.run(
        [sys.executable, "-B", str(GUIDES / "compare.py"), page.stem, "--quick"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    made, printed = run.stdout.splitlines(), page.read_text(encoding="utf-8").splitlines()
    assert made[0] in printed, "the page's table has the columns that the script prints"
    assert len(made) > 2
