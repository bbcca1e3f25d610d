"""What a release needs to agree on: one version everywhere, and packages for what is built."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def found(path, pattern):
    match = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    return match.group(1) if match else None


VERSION = found("CMakeLists.txt", r"^project\(neuroprim VERSION ([0-9.]+)")


class Release(unittest.TestCase):
    def test_one_version_everywhere(self):
        self.assertEqual(json.loads((ROOT / "packaging/vcpkg/vcpkg.json").read_text(encoding="utf-8"))["version"], VERSION)
        for path, pattern in {
            "CITATION.cff": r"^version: (\S+)",
            "CHANGELOG.md": r"^## (\d\S*)",
            "packaging/conda/meta.yaml": r'set version = "([^"]+)"',
            "packaging/conan/conanfile.py": r'version = "([^"]+)"',
            "src/serve/openapi.json": r'"version": "([^"]+)"',
        }.items():
            self.assertEqual(found(path, pattern), VERSION, path)

    def test_make_targets_that_workflows_and_documents_name_exist(self):
        targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
        pages = [*ROOT.glob(".github/workflows/*.yml"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")]
        for page in pages:
            for target in re.findall(r"(?:`|run: )make ([a-z-]+)", page.read_text(encoding="utf-8")):
                self.assertIn(target, targets, page.name)


if __name__ == "__main__":
    unittest.main()
