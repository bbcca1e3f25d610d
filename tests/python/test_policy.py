"""Policies: loading, decoding, explaining."""

import json
import math
import xml.etree.ElementTree as ElementTree

import networkx as nx
import numpy as np
import pytest

import neuroprim
from neuroprim import Policy


@pytest.fixture(scope="module")
def policy():
    return Policy.load("mrcst")


def test_pretrained_policies_are_found_beside_the_module():
    for problem in ("dcmst", "mrcst", "stp"):
        assert Policy.load(problem).config["problem"] == problem
    assert Policy.load("dcmst-3").config["problem"] == "dcmst"


def test_greedy_decoding_starts_everywhere(policy, points):
    tree = policy.greedy(points)
    assert tree.problem == "mrcst" and tree.method == "greedy"
    assert tree.statistics.trees == 50 and tree.statistics.mean >= tree.cost
    assert neuroprim.check(points, tree, "mrcst") is None
    assert policy.greedy(points, start=3).start == 3
    assert policy.greedy(points, starts=5).statistics.trees == 5
    assert policy.greedy(points, augmentations=8).cost <= tree.cost
    spread = policy.greedy(points, augmentations=8, augmentations_per_start=1)
    assert spread.statistics.trees == tree.statistics.trees
    assert policy.sample(points, samples=60, augmentations=16, augmentations_per_start=1, rounds=2).statistics.trees == 60


def test_it_is_what_solve_does(policy, points):
    assert policy.greedy(points).cost == neuroprim.solve(points, "mrcst", method="greedy").cost


def test_solve_finds_policies_by_the_names_that_load_finds(policy, points, tmp_path, monkeypatch):
    assert neuroprim.solve(points, "mrcst", method="greedy", model="mrcst").cost == policy.greedy(points).cost
    assert neuroprim.solve(points, degree=4, method="greedy", model="dcmst-3").statistics.trees == 50
    with pytest.raises(FileNotFoundError, match="no file nothing, and no pretrained policy of this name"):
        neuroprim.solve(points, "mrcst", method="greedy", model="nothing")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError):
        Policy.load("./mrcst")  # a path is a path


def test_a_larger_model_alone_is_found_as_the_command_finds_it(policy, tmp_path, monkeypatch):
    policy.save(tmp_path / "mst-large.safetensors")
    monkeypatch.setenv("NEUROPRIM_MODELS", str(tmp_path))
    rng = np.random.default_rng(0)
    options = dict(method="greedy", starts=1)
    assert neuroprim.solve(rng.random((160, 2)), "mst", **options).method == "greedy"
    with pytest.raises(ValueError, match="no pretrained one for mst"):
        neuroprim.solve(rng.random((20, 2)), "mst", **options)


def test_the_shared_model_serves_what_has_none_of_its_own(points):
    assert Policy.load("tree").config["problem"] == "tree"
    tree = neuroprim.solve(points, "hmst", hops=5, method="greedy", augmentations=8)
    assert neuroprim.check(points, tree, "hmst", hops=5) is None
    assert tree.statistics.trees == 8 + 48  # symmetries, and first edges of the root


def test_decisions_and_statistics_say_what_they_are(policy, few):
    step = policy.explain(few, start=0).steps[0]
    assert repr(step).startswith(f"<neuroprim.Step: edge {step.chosen} of 5, probability ")
    statistics = policy.greedy(few).statistics
    assert repr(statistics).startswith("<neuroprim.Statistics: 6 trees, 0 dead ends, mean ")


def test_solve_takes_a_policy(policy, points):
    tree = neuroprim.solve(points, "mrcst", method="greedy", model=policy)
    assert tree.cost == policy.greedy(points).cost
    limited = neuroprim.solve(points, "hmst", hops=5, method="greedy", model=policy)
    assert neuroprim.check(points, limited, "hmst", hops=5) is None


def test_samples_depend_on_the_seed_alone(policy, points):
    one = policy.sample(points, samples=40, seed=1, threads=1)
    two = policy.sample(points, samples=40, seed=1, threads=3)
    other = policy.sample(points, samples=40, seed=2)
    assert np.array_equal(one.edges, two.edges) and one.statistics.mean == two.statistics.mean
    assert other.statistics.mean != one.statistics.mean
    assert one.statistics.trees == 40


def test_lower_temperatures_draw_sharper(policy, points):
    hot = policy.sample(points, samples=60, temperature=3.0).statistics
    cold = policy.sample(points, samples=60, temperature=0.3).statistics
    assert cold.mean < hot.mean and cold.deviation < hot.deviation


def test_a_beam_is_no_worse_than_greedy(policy, points):
    assert policy.beam(points, width=2).cost <= policy.greedy(points).cost


def test_rebuilding_is_no_worse_than_the_greedy_tree_it_begins_with(policy, points):
    first = policy.rebuild(points, max_iterations=0)
    assert first.cost == policy.greedy(points).cost
    rebuilt = policy.rebuild(points, max_iterations=3, threads=2)
    assert rebuilt.cost <= first.cost
    assert rebuilt.edges.tolist() == policy.rebuild(points, max_iterations=3, threads=1).edges.tolist()


def test_an_explanation_adds_up(policy, points):
    told = policy.explain(points, start=7, alternatives=3)
    assert told.complete and told.start == 7 and len(told) == 49
    assert told.cost == pytest.approx(policy.greedy(points, start=7).cost)
    assert told.log_probability == pytest.approx(sum(math.log(step.probability) for step in told.steps), rel=1e-4)
    for step in told.steps:
        best = step.alternatives[0]
        assert step.chosen == best[:2] and step.probability == best[2]
        assert len(step.alternatives) <= 3 and step.entropy >= 0
    assert [step.chosen for step in told.steps] == [tuple(edge) for edge in told.edges.tolist()]
    assert policy.log_probability(points, told) == pytest.approx(told.log_probability, rel=1e-4)


def test_explanations_are_shown_and_written(policy, few, tmp_path):
    told = policy.explain(few)
    assert ElementTree.fromstring(told._repr_svg_()).tag.endswith("svg")
    assert len(json.loads(told.to_json())["steps"]) == 5
    told.save(tmp_path / "steps.png")
    assert (tmp_path / "steps.png").read_bytes().startswith(b"\x89PNG")
    assert "5 decisions, cost" in repr(told)


def test_policies_take_graphs_and_terminals():
    graph = nx.grid_2d_graph(5, 5)
    tree = Policy.load("stp").greedy(graph, terminals=[(0, 0), (4, 4), (0, 4)])
    assert tree.cost >= 8 and nx.is_tree(tree.to_networkx())


def test_policies_are_written_and_read(policy, points, tmp_path):
    policy.save(tmp_path / "mine.safetensors")
    again = Policy.load(tmp_path / "mine.safetensors")
    assert again.config == policy.config
    assert again.greedy(points).cost == policy.greedy(points).cost
    assert neuroprim.solve(points, "mrcst", method="greedy", model=tmp_path / "mine.safetensors").cost == (
        policy.greedy(points).cost
    )


def test_policies_are_written_in_half_the_size(policy, points, tmp_path):
    policy.save(tmp_path / "whole.safetensors")
    policy.save(tmp_path / "half.safetensors", half=True)
    sizes = [(tmp_path / f"{name}.safetensors").stat().st_size for name in ("half", "whole")]
    assert sizes[0] < 0.55 * sizes[1]
    half = Policy.load(tmp_path / "half.safetensors")
    assert half.config == policy.config
    assert half.greedy(points).cost == pytest.approx(policy.greedy(points).cost, rel=0.01)


def test_what_is_wrong_is_said(policy, points, tmp_path):
    with pytest.raises(FileNotFoundError, match="no file nothing"):
        Policy.load("nothing")
    with pytest.raises(ValueError, match="no pretrained policy for ocst; looked in"):
        Policy.load("ocst")
    (tmp_path / "broken.safetensors").write_bytes(b"12345678901234567890")
    with pytest.raises(ValueError, match="broken.safetensors"):
        Policy.load(tmp_path / "broken.safetensors")
    with pytest.raises(ValueError, match="temperature"):
        policy.sample(points, temperature=0)
    with pytest.raises(TypeError, match="method"):
        policy.greedy(points, method="kruskal")
    with pytest.raises(ValueError, match="vertex 99"):
        policy.explain(points, start=99)
    with pytest.raises(ValueError, match="cannot start at vertex 1"):
        Policy.load("stp").explain(points, terminals=[0, 2], start=1)


def test_too_much_memory_is_refused(policy, points):
    with pytest.raises(ValueError, match="max_memory"):
        policy.greedy(points, max_memory=1000)
    with pytest.raises(ValueError, match="max_memory"):
        policy.explain(points, start=0, max_memory=1000)
    assert policy.greedy(points, max_memory=10**9).cost == policy.greedy(points).cost
    assert neuroprim.solve(points, "mrcst", max_iterations=1, max_memory=1000).cost > 0
    with pytest.raises(ValueError, match="max_memory"):
        neuroprim.solve(points, "mrcst", max_memory=0)


def test_a_policy_for_another_problem_warns(policy, points, recwarn):
    policy.greedy(points)
    neuroprim.solve(points, "mrcst", method="greedy", model=policy)
    assert not recwarn.list
    for ask in (
        lambda: policy.greedy(points, "dcmst", degree=2),
        lambda: policy.explain(points, "dcmst", degree=2, start=0),
        lambda: neuroprim.solve(points, "dcmst", degree=2, method="greedy", model=policy),
        lambda: neuroprim.solve_many([points], "dcmst", degree=2, method="greedy", model=policy),
    ):
        with pytest.warns(UserWarning, match="trained for mrcst, not for dcmst"):
            ask()
