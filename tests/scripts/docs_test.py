"""The documents: links lead somewhere, and the commands that they show work.

NEUROPRIM names the command; without it the commands are not tried.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.path.abspath(os.environ.get("NEUROPRIM", ""))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|src=\"([^\"]+)\"")


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(page):
    """As GitHub and MkDocs make them from headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)) for heading in headings)
    return {heading.strip().lower().replace(" ", "-") for heading in plain}


class Documents(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in (a or b for a, b in LINK.findall(without_code(page.read_text(encoding="utf-8")))):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                place = (page.parent / path).resolve() if path else page
                self.assertTrue(place.exists(), f"{page.name}: {target}")
                if anchor and place.suffix == ".md":
                    self.assertIn(anchor, anchors(place), f"{page.name}: {target}")

    def test_every_page_is_on_the_site(self):
        script = (ROOT / "scripts/build-docs").read_text(encoding="utf-8")
        for page in (ROOT / "docs").glob("*.md"):
            self.assertIn(f'"{page.name}"', script, f"{page.name} has no place in SITE of scripts/build-docs")

    @unittest.skipUnless("NEUROPRIM" in os.environ, "NEUROPRIM names no command")
    def test_commands_that_are_shown_work(self):
        tried = 0
        for page in PAGES:
            if page.parent.name == "guides":
                continue  # these need data that their own tests make
            blocks = re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
            with tempfile.TemporaryDirectory() as folder:
                for line in (line for block in blocks for line in block.splitlines() if line.startswith("$ ")):
                    words = line[2:].split()
                    if words[0] != "neuroprim":
                        continue
                    run = subprocess.run([COMMAND, *words[1:]], cwd=folder, text=True,
                                         capture_output=True, check=False)
                    self.assertEqual(run.returncode, 0, f"{page.name}: {line}\n{run.stderr}")
                    tried += 1
        self.assertGreater(tried, 5)

    def test_the_readme_is_short(self):
        self.assertLess(len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()), 110)


if __name__ == "__main__":
    unittest.main()
