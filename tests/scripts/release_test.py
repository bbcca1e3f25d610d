"""What a release needs to agree on: one version everywhere, packages for what is built, recipes that can be read."""

import ast
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

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


LIBRARIES = {"fmt", "nlohmann-json", "zlib", "expat", "cairo"}  # what the library links or includes


def plain(names):
    return {name.lower().replace("_", "-") for name in names}


class Recipes(unittest.TestCase):
    """Their tools are not here; what can be told without them is."""

    @unittest.skipUnless(yaml, "no module yaml")
    def test_workflows_call_what_is_there(self):
        for path in ROOT.glob(".github/workflows/*.yml"):
            workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
            self.assertIn(True, workflow, path.name)  # the key "on" is a truth value in YAML
            for job in workflow["jobs"].values():
                self.assertIn("runs-on", job, path.name)
                for step in job["steps"]:
                    self.assertEqual(len({"run", "uses"} & set(step)), 1, path.name)
                    for called in re.findall(r"(?:^|\s)((?:scripts|\.ci)/[\w-]+)", step.get("run", "")):
                        self.assertTrue((ROOT / called).is_file(), f"{path.name}: {called}")

    @unittest.skipUnless(yaml, "no module yaml")
    def test_conda_asks_for_the_libraries(self):
        text = (ROOT / "packaging/conda/meta.yaml").read_text(encoding="utf-8")
        text = re.sub(r"\{%.*?%\}", "", text)
        recipe = yaml.safe_load(re.sub(r"\{\{.*?\}\}", "x", text))
        self.assertLessEqual(LIBRARIES, plain(recipe["requirements"]["host"]))

    def test_vcpkg_asks_for_the_libraries(self):
        recipe = json.loads((ROOT / "packaging/vcpkg/vcpkg.json").read_text(encoding="utf-8"))
        names = {entry if isinstance(entry, str) else entry["name"] for entry in recipe["dependencies"]}
        self.assertLessEqual(LIBRARIES, plain(names))

    @unittest.skipUnless(shutil.which("cmake"), "no cmake")
    def test_the_port_of_vcpkg_runs_through_where_its_functions_do_nothing(self):
        names = re.findall(r"^(vcpkg_\w+)\(", (ROOT / "packaging/vcpkg/portfile.cmake").read_text(encoding="utf-8"), re.M)
        self.assertGreater(len(names), 3)
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "try.cmake"
            script.write_text("".join(f"function({name})\nendfunction()\n" for name in names)
                              + f'set(CURRENT_PACKAGES_DIR "{folder}/packages")\n'
                              + f'include("{ROOT}/packaging/vcpkg/portfile.cmake")\n')
            subprocess.run(["cmake", "-P", script], check=True)

    def test_conan_asks_for_the_libraries_and_copies_what_is_there(self):
        text = (ROOT / "packaging/conan/conanfile.py").read_text(encoding="utf-8")
        recipe = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
        facts = {node.targets[0].id: node.value for node in recipe.body if isinstance(node, ast.Assign)}
        names = {name.partition("/")[0] for name in ast.literal_eval(facts["requires"])}
        self.assertLessEqual(LIBRARIES, plain(names))
        copied = re.search(r"for pattern in \((.*?)\):", text, re.DOTALL)[1]
        for pattern in re.findall(r'"([^"]+)"', copied):
            self.assertTrue(any(ROOT.glob(pattern)), pattern)

    def test_the_dockerfile_has_known_instructions_and_copies_what_is_built(self):
        text = (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
        lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        for line in lines:
            self.assertIn(line.split()[0], {"FROM", "COPY", "WORKDIR", "RUN", "USER", "ENTRYPOINT"})
        self.assertTrue(lines[0].startswith("FROM"))
        for called in re.findall(r"(scripts/[\w-]+)", text):
            self.assertTrue((ROOT / called).is_file(), called)


if __name__ == "__main__":
    unittest.main()
