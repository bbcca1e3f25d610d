"""The example notebook runs from top to bottom, in a kernel of its own."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

ROOT = Path(__file__).resolve().parents[2]


def test_the_tour_runs_and_shows_pictures(monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)  # the kernel has one of its own
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    tour = nbformat.read(ROOT / "examples/tour.ipynb", as_version=4)
    for cell in tour.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    nbclient.NotebookClient(tour, timeout=120, kernel_name="python3").execute()
    shown = {kind for cell in tour.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert {"image/svg+xml", "image/png"} <= shown
