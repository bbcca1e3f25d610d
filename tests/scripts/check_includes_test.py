"""scripts/check-includes, on this repository and on small ones that are wrong in one way each."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

TABLE = """## Who may include whom

| folder | its public headers | may include |
|---|---|---|
| `low` | `types` | |
| `high` | | `low` |
"""


def complaints(files=None, table=TABLE):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        content = {
            "docs/architecture.md": table,
            "include/neuroprim/types.hpp": "#pragma once\n",
            "src/low/low.hpp": '#include "neuroprim/types.hpp"\n',
            "src/high/high.cpp": '#include "low/low.hpp"\n',
            **(files or {}),
        }
        for name, text in content.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        run = subprocess.run([sys.executable, ROOT / "scripts/check-includes", root], capture_output=True, text=True)
        assert (run.returncode != 0) == bool(run.stderr)
        return run.stderr


class CheckIncludes(unittest.TestCase):
    def test_this_repository_keeps_to_its_table(self):
        run = subprocess.run([sys.executable, ROOT / "scripts/check-includes"], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")

    def test_what_the_table_allows_is_fine(self):
        self.assertEqual(complaints(), "")

    def test_an_include_that_is_not_listed(self):
        found = complaints({"src/low/bad.cpp": '// why\n#include "high/high.hpp"\n'})
        self.assertEqual(found, "src/low/bad.cpp:2: low may not include high (high/high.hpp): see docs/architecture.md\n")

    def test_a_public_header_belongs_to_its_folder(self):
        found = complaints({"include/neuroprim/types.hpp": '#include "high/high.hpp"\n'})
        self.assertIn("include/neuroprim/types.hpp:1: low may not include high", found)

    def test_a_cycle_in_the_table(self):
        both = TABLE.replace("| `low` | `types` | |", "| `low` | `types` | `high` |")
        found = complaints({"src/low/bad.cpp": '#include "high/high.hpp"\n'}, both)
        self.assertIn("a cycle: low -> high -> low", found)

    def test_folders_and_headers_that_nobody_knows(self):
        self.assertIn("src/new/x.cpp: docs/architecture.md does not list", complaints({"src/new/x.cpp": ""}))
        self.assertIn("does not list", complaints({"include/neuroprim/new.hpp": ""}))

    def test_what_nobody_needs_any_more(self):
        self.assertIn("high may include low, but does not need it", complaints({"src/high/high.cpp": ""}))


if __name__ == "__main__":
    unittest.main()
