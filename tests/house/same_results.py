#!/usr/bin/env python3
"""Says whether two trees measure, count and grade alike: for changes that should change nothing.

    tests/house/same_results.py BEFORE AFTER [--labs vector_add,transpose] [--students 40]
                                [--class-labs vector_add,transpose] [--class FOLDER] [--only rungs|grades]

BEFORE and AFTER are source trees, each with the preset `emulator` built. Compared are
  rungs   results.json of each lab's program at its own cases with the lens: values, errors, counts, findings;
  grades  gradebook, records and feedback of a class: a folder of submissions, or --students of --class-labs
          that BEFORE's make_class writes from solutions, stubs, mutants and hostile files. It is built with
          -DWARPLAB_LONG_TESTS=ON.
Dates, times, commits, the trees' own paths, numbers of source lines and the style of pages do not count. Nor
do the values, or the counts, of a rung for which BEFORE differs from itself in six more runs: these are
named. Threads of such a rung do not wait for one another in one order.
Exit code 0: the same. 1: not, with a line per difference. 2: something is missing.
"""

import argparse
import concurrent.futures
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SEED = "00112233445566778899aabbccddeeff"
# Where, when and how long; and where in a file something is.
IGNORED = {"run", "date", "commit", "host", "command", "flags", "cpu", "seconds", "file", "line", "samples",
           "address", "warplab"}
VALUES = {"figures", "max_abs_error", "max_rel_error", "mean_abs_error", "mean_error"}
REPEATS = 3  # two runs of atomics in a different order may agree by chance
MOST_SHOWN = 40


def fail(message):
    print(f"same_results: {message}", file=sys.stderr)
    sys.exit(2)


def binary(tree, name):
    path = tree / "build/emulator" / name
    if not path.is_file():
        fail(f"{path} is not built")
    return path


def plain_text(text, tree):
    text = text.replace(str(tree), "TREE")
    text = re.sub(r"\b[\w/]+\.(cu|hpp|cpp|h):\d+(:\d+)?", "FILE:LINE", text)
    return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?", "DATE", text)


def normal(value, tree):
    """A JSON value without what is ignored. What is null is as good as absent."""
    if isinstance(value, dict):
        ignored = IGNORED | {"text"} if "function" in value else IGNORED  # a line of source and its counts
        kept = {key: normal(item, tree) for key, item in value.items()
                if key not in ignored and item is not None}
        return {key: item for key, item in kept.items() if item not in ({}, [])}
    if isinstance(value, list):
        items = [normal(item, tree) for item in value]
        # Lines of source are listed by their numbers.
        return sorted(items, key=json.dumps) if items and isinstance(items[0], dict) else items
    return plain_text(value, tree) if isinstance(value, str) else value


def flat(value, path=""):
    """Each leaf of a JSON value by its path."""
    if isinstance(value, dict):
        return {at: leaf for key, item in value.items() for at, leaf in flat(item, f"{path}/{key}").items()}
    if isinstance(value, list):
        return {at: leaf for i, item in enumerate(value) for at, leaf in flat(item, f"{path}/{i}").items()}
    return {path: value}


def results_of(tree, lab):
    """The leaves of a lab's measurements, by rung and case."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.json"
        done = subprocess.run([binary(tree, f"bin/{lab}"), "--lens", "--json", file], cwd=tree,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if not file.is_file():
            return {f"{lab}/exit code": done.returncode, f"{lab}/says": plain_text(done.stdout, tree)}
        results = json.loads(file.read_text())
    leaves = {f"{lab}/exit code": done.returncode}
    for m in results["measurements"]:
        case = "x".join(str(extent) for extent in m.get("size", {}).values())
        params = " ".join(f"{k}={v}" for k, v in (m.get("params") or {}).items() if v is not None)
        name = " ".join(part for part in (lab, m["rung"], case, m.get("dtype", ""), params) if part)
        leaves.update(flat(normal(m, tree), name))
    return leaves


def text_of_page(page):
    page = re.sub(r"<style>.*?</style>", "", page, flags=re.S)
    return "\n".join(line.strip() for line in html.unescape(re.sub(r"<[^>]*>", "\n", page)).split("\n")
                     if line.strip())


def grades_of(tree, submissions, labs, out):
    """What `warplab grade` writes, by file."""
    seed_file = out.with_name(out.name + ".seed")
    seed_file.write_text(SEED + "\n")
    command = [binary(tree, "bin/warplab"), "grade", submissions, "--out", out, "--seed-file", seed_file]
    command += ["--labs", ",".join(labs)] if labs else []
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        fail(f"{tree}: warplab grade ended with {done.returncode}: {done.stdout[-500:]}")
    found = {}
    for file in sorted(path for path in out.rglob("*") if path.is_file()):
        name = f"grades/{file.relative_to(out)}"
        text = file.read_text(errors="replace")
        if file.suffix == ".json":
            found.update(flat(normal(json.loads(text), tree), name))
        else:
            text = text_of_page(text) if file.suffix == ".html" else text
            found.update({f"{name}:{number}": plain_text(line, tree)
                          for number, line in enumerate(text.split("\n"), 1)})
    return found


def differences(before, after):
    return {key: (before.get(key, "absent"), after.get(key, "absent"))
            for key in before.keys() | after.keys() if before.get(key, "absent") != after.get(key, "absent")}


def group_of(key):
    """What varies together: a rung's values and errors, its counts, or a file of grades."""
    name, _, rest = key.partition("/")
    part = rest.split("/")[0]
    return name, "values" if part in VALUES else part if name != "grades" else rest.split(".")[0]


def compare(before, after, again):
    """What differs, but for groups in which BEFORE differs from itself."""
    if not before:
        fail("there is nothing to compare with")
    found = differences(before, after)
    if not found:
        return {}, set()
    others = [other for _ in range(REPEATS) for other in again()]
    unsteady = {group_of(key) for other in others for key in differences(before, other)}
    return {key: pair for key, pair in found.items() if group_of(key) not in unsteady}, unsteady


def two_results(first, second, lab):
    """Both at a time, also of one tree: who shares the processors orders its threads otherwise."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda tree: results_of(tree, lab), (first, second)))


def compare_rungs(before, after, labs):
    found, unsteady = {}, set()
    for lab in labs:
        sides = two_results(before, after, lab)
        more, chance = compare(*sides, lambda lab=lab: two_results(before, before, lab))
        print(f"{lab}: {len(sides[0])} values, {len(more)} differ", flush=True)
        found.update(more)
        unsteady |= chance
    return found, unsteady


def compare_grades(before, after, arguments):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        os.chmod(folder, 0o755)
        submissions, labs = arguments.submissions, []
        if not submissions:
            submissions, labs = folder / "class", arguments.class_labs.split(",")
            make_class = binary(before, "tests/bin/make_class")
            for lab in labs:  # each writes into the same students' folders
                subprocess.run([make_class, lab, str(arguments.students), submissions], check=True)
        sides = [grades_of(tree, submissions, labs, folder / side)
                 for side, tree in (("before", before), ("after", after))]
        more, chance = compare(*sides, lambda: [grades_of(before, submissions, labs,
                                                          Path(tempfile.mkdtemp(dir=folder)) / "again")])
        count = sum(1 for _ in Path(submissions).iterdir())
        print(f"grades of {count} submissions: {len(sides[0])} values, {len(more)} differ", flush=True)
        return more, chance


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip(), add_help=False)
    parser.add_argument("before", type=lambda text: Path(text).resolve())
    parser.add_argument("after", type=lambda text: Path(text).resolve())
    parser.add_argument("--labs", default="")
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--class-labs", default="vector_add")
    parser.add_argument("--class", dest="submissions", type=lambda text: Path(text).resolve())
    parser.add_argument("--only", choices=["rungs", "grades"])
    arguments = parser.parse_args()
    before, after = arguments.before, arguments.after
    labs = arguments.labs.split(",") if arguments.labs else sorted(
        folder.name[3:] for folder in (before / "labs").iterdir() if re.match(r"\d\d_", folder.name))
    found, unsteady = {}, set()
    if arguments.only != "grades":
        found, unsteady = compare_rungs(before, after, labs)
    if arguments.only != "rungs":
        more, chance = compare_grades(before, after, arguments)
        found.update(more)
        unsteady |= chance
    for key in sorted(unsteady):
        print("left out, differs from run to run:", ", ".join(key))
    for key in sorted(found)[:MOST_SHOWN]:
        print(f"differs: {key}: {found[key][0]!r}, now {found[key][1]!r}")
    if len(found) > MOST_SHOWN:
        print(f"and {len(found) - MOST_SHOWN} more")
    print("the same" if not found else f"{len(found)} values differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
