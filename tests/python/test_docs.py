"""The outputs in the documentation are what one gets."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_page_tells_the_truth(page):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    text = (ROOT / page).read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert examples.examples, f"{page} has no examples"
    runner = doctest.DocTestRunner(optionflags=flags)
    told = []
    runner.run(examples, out=told.append)
    assert runner.failures == 0, "".join(told)
