#!/usr/bin/env python3
"""Makes every allocation and every write of small runs fail, one a run, and looks at how the command ends.

    tests/faults/every_fault.py build/neuroprim build/tests/faults.so [--one-in K] [--only NAME]

The faults come from faults.c. A run may succeed in spite of its fault; then every file must be as without it. Otherwise
it must end with code 2 and a message. Either way, a file that was there is the old one or the whole new one, lines of
results are whole, and no temporary file stays. Writes are few and all made to fail; of the allocations one in K.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

OLD = "as it was before\n"
POINTS = "".join(f"{x},{y}\n" for x, y in ((k * 37 % 19, k * 53 % 23) for k in range(14)))
AREA = '{"type": "Polygon", "coordinates": [[[6.2, 5.2], [6.8, 5.2], [6.8, 19.8], [6.2, 19.8], [6.2, 5.2]]]}'
OUTPUTS = [word for name in ("t.json", "t.csv", "t.svg", "t.dot", "t.geojson") for word in ("-o", name)]
SEARCH = ["--max-iterations", "5", "--threads", "2", "--log", "log.csv"]
RUNS = {
    "classical": ["solve", "p.csv", "--method", "kruskal", *OUTPUTS],
    "degree": ["solve", "p.csv", "--problem", "dcmst", "--degree", "3", *SEARCH, *OUTPUTS],
    "path": ["solve", "p.csv", "--problem", "dcmst", "--degree", "2", *SEARCH, "-o", "t.json"],
    "routing": ["solve", "p.csv", "--problem", "mrcst", *SEARCH, "-o", "t.json"],
    "steiner": ["solve", "p.csv", "--problem", "stp", "--terminals", "1,5,9,12", *SEARCH, "-o", "t.json"],
    "levels": ["solve", "p.csv", "--problem", "hmst", "--hops", "3", "--root", "1", *SEARCH, "-o", "t.json"],
    "rooted": ["solve", "p.csv", "--hops", "3", "--degree", "5", "--root", "1", *SEARCH, "-o", "t.json"],
    "policy": ["solve", "p.csv", "--problem", "mrcst", "--method", "greedy", "-o", "t.json"],
    "results": ["solve", "p.csv", "q.csv", "--method", "kruskal", "--results", "results.jsonl"],
    "generate": ["generate", "--n", "9", "-o", "t.csv"],
    "convert": ["convert", "p.csv", "-o", "t.json"],
    "graphs": ["solve", "p.csv", "--method", "kruskal", "-o", "t.graphml", "-o", "t.mtx"],
    "obstacles": ["solve", "p.csv", "--obstacles", "area.geojson", "--method", "kruskal", "-o", "t.json"],
    "explain": ["explain", "p.csv", "--problem", "mrcst", "-o", "t.svg"],
}


def is_whole(path):
    content = path.read_bytes()
    if path.suffix in (".json", ".geojson"):
        json.loads(content)
    if path.suffix == ".jsonl":
        return content.endswith(b"\n") and all(json.loads(line) for line in content.splitlines())
    ends = {".svg": b"</svg>\n", ".png": b"IEND\xaeB`\x82", ".dot": b"}\n", ".graphml": b"</graphml>\n"}
    return content.endswith(ends.get(path.suffix, b"\n"))


def run(program, shim, words, fault):
    """What is wrong with how this run ended, or nothing; its exit code; how many calls there were."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "p.csv").write_text(POINTS)
        (folder / "q.csv").write_text(POINTS)
        (folder / "area.geojson").write_text(AREA)
        outputs = [folder / word for word in words if word.startswith("t.")]
        for path in outputs:
            path.write_text(OLD)
        environment = dict(os.environ, LD_PRELOAD=shim, FAULT=fault, FAULT_COUNT=str(folder / "count"))
        done = subprocess.run([program, *words], cwd=folder, env=environment, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)
        counts = (folder / "count").read_text().split() if (folder / "count").exists() else ["0", "0"]
        return complaint(folder, outputs, done), done.returncode, [int(count) for count in counts]


def complaint(folder, outputs, done):
    if done.returncode not in (0, 2):
        return f"exit code {done.returncode}: {done.stderr}"
    if done.returncode == 2 and not done.stderr.strip():
        return "no message"
    for path in folder.glob(".neuroprim-*"):
        return f"{path.name} stays"
    if not all(path.exists() for path in outputs):
        return "an output that was there is gone"
    for path in [*outputs, *folder.glob("*.jsonl")]:
        old = path.read_bytes() == (OLD.encode() if path in outputs else b"")
        try:
            if (old and done.returncode == 0) or (not old and not is_whole(path)):
                return f"{path.name} is {'missing' if old else 'half-written'}"
        except ValueError as error:
            return f"{path.name}: {error}"
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("program", type=os.path.abspath)
    arguments.add_argument("shim", type=os.path.abspath)
    arguments.add_argument("--one-in", type=int, default=1)
    arguments.add_argument("--only", choices=list(RUNS))
    chosen = arguments.parse_args()
    draw = random.Random()
    wrong = 0
    for name, words in RUNS.items():
        if chosen.only not in (None, name):
            continue
        without, code, (allocations, writes) = run(chosen.program, chosen.shim, words, "")
        if without or code != 0 or not allocations or not writes:
            sys.exit(f"{name}: without any fault: exit code {code}, {without}")
        first = draw.randrange(chosen.one_in)
        faults = [f"allocation:{k + 1}" for k in range(first, allocations, chosen.one_in)]
        faults += [f"write:{k + 1}" for k in range(writes)]
        survived = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            ends = pool.map(lambda fault, words=words: run(chosen.program, chosen.shim, words, fault), faults)
            for fault, (reason, code, _) in zip(faults, ends):
                survived += code == 0
                if reason:
                    wrong += 1
                    print(f"{name}: {fault}: {reason}", flush=True)
        print(f"{name}: {len(faults)} faults of {allocations} allocations and {writes} writes, "
              f"{survived} of them survived", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
