"""Keywords of `solve` are the lines of the table of parameters: the same names, usual values and ranges."""

import inspect

import pytest

import neuroprim
from neuroprim._checks import PARAMETERS, checked

KEYWORDS = inspect.signature(neuroprim.solve).parameters
#: Keywords of Python alone: what is solved, how an edge attribute is called, and who is told about progress.
OWN = {"data", "weight", "progress"}


def test_names_are_those_of_the_table():
    assert set(KEYWORDS) - OWN == set(PARAMETERS)


@pytest.mark.parametrize("name", PARAMETERS)
def test_usual_values_are_those_of_the_table(name):
    default, usual = KEYWORDS[name].default, PARAMETERS[name]["usual"]
    if default is None:
        assert usual == "" or name == "threads"  # None: all cores, as 0
    else:
        assert str(default) == usual or float(default) == float(usual)


@pytest.mark.parametrize("name", [name for name, row in PARAMETERS.items() if row["type"] in ("whole", "number")])
def test_ranges_are_those_of_the_table(name, few):
    if name == "target_gap":
        pytest.skip("a fraction in Python, as Solution.gap is, and percent elsewhere")
    row = PARAMETERS[name]
    with pytest.raises(ValueError, match=f"{name}: expected a .*number"):
        checked(name, row["least"] - 1 if row["type"] == "number" else int(row["least"]) - 1)
    if row["most"] < 2**31 - 1:
        with pytest.raises(ValueError, match=f"{name}: expected a .*number .*(to|at most) "):
            checked(name, int(row["most"]) + 1)
    if row["type"] == "whole":
        with pytest.raises(TypeError, match=f"{name}: expected a whole number"):
            checked(name, 2.5)
    arguments = {name: int(row["least"]) - 1}
    if name in ("prizes", "demands", "requirements"):
        return
    with pytest.raises(ValueError, match=f"{name}: expected"):
        neuroprim.solve(few, **arguments)


def test_whole_numbers_of_any_size_are_judged():
    assert checked("seed", 2**64 - 1) == 2**64 - 1
    for much in (2**64, 10**400):
        with pytest.raises(ValueError, match="seed: expected a whole number of at least 0"):
            checked("seed", much)
    with pytest.raises(ValueError, match="max_iterations: expected"):
        checked("max_iterations", 2**63)


def test_every_keyword_is_in_the_documentation():
    told = neuroprim.solve.__doc__
    for name in KEYWORDS:
        assert f"`{name}`" in told or f"      {name} " in told, name


def test_former_names_are_told_their_new_ones(few):
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'augment': it is called 'augmentations' now"):
        neuroprim.solve(few, augment=8)
    with pytest.raises(TypeError, match=r"solve\(\) got an unexpected keyword argument 'hop'$"):
        neuroprim.solve(few, hop=3)
    with pytest.raises(TypeError, match=r"solve_many\(\) got .* it is called 'augmentations_per_start' now"):
        neuroprim.solve_many([few], spread=1)
