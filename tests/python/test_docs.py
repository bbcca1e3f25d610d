"""The outputs in the documentation are what one gets."""

import doctest
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_page_tells_the_truth(page):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    text = (ROOT / page).read_text(encoding="utf-8").replace("```", "")
    if importlib.util.find_spec("geopandas") is None:
        text = re.sub(r"^## Maps\n.*?(?=^## )", "", text, flags=re.DOTALL | re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert examples.examples, f"{page} has no examples"
    runner = doctest.DocTestRunner(optionflags=flags)
    told = []
    runner.run(examples, out=told.append)
    assert runner.failures == 0, "".join(told)


def test_the_walk_of_adding_a_limit_still_applies():
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git")
    page = (ROOT / "docs/adding-a-limit.md").read_text(encoding="utf-8")
    changes = re.findall(r"```diff\n(.*?)```", page, re.DOTALL)
    files = re.findall(r"^\+\+\+ b/(.*)$", "".join(changes), re.MULTILINE)
    assert len(set(files)) <= 6, "a limit with all its interfaces should need no more than six files"
    outcome = subprocess.run(
        [git, "apply", "--check", "-"], input="".join(changes), text=True, cwd=ROOT, capture_output=True
    )
    assert outcome.returncode == 0, outcome.stderr
