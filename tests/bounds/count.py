#!/usr/bin/env python3
"""Has the lens count, for each timed rung of committed results, the work of its launches at the sizes and
with the grids that it had on the GPU, and writes tests/bounds/counts.json.

  tests/bounds/count.py [--labs LAB,...] [--seconds N] [--jobs N] [--bytes N] [BUILD]

BUILD is a tree of the preset emulator. Of cases whose arrays have more bytes than N (default: 0.6e9) is only
noted that they are too large.

Only the blocks that the lens records run (--lens-only), so that no size is too large. Cases that are counted
already are kept. One that does not end within N seconds (default: 60) is noted with that reason.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RUNS = ["h100-80gb-hbm3", "h200"]
FLAGS = {"border": "--border", "filter": "--filter", "channels": "--channels", "op": "--op", "rule": "--rule",
         "function": "--function", "pattern": "--pattern", "kind": "--kind", "filters": "--filters",
         "side": "--filter-size", "kernel": "--kernel", "balance": "--balance", "tile": "--tile",
         "slots": "--slots", "gap": "--gap"}
# Blocks to record, and how many where that takes too long. Those of a matrix product are all alike, and long.
BLOCKS = {"matmul": ("4", "1"), "gaussian": ("16", "4")}
DEPENDS = {"quicksort"}  # what a block does depends on what the others have done, and they do not run
OF_RUNG = {("rule", "simpson"), ("rule", "romberg")}  # no option: the rung implies it
NOT_A_LAUNCH = {"first_program", "device_query"}  # what is timed there is copies and calls


def key_of(row):
    """What makes a case: the same text as in the page's program."""
    params = {k: v for k, v in row["params"].items() if v is not None}
    return " ".join([row["lab"], row["rung"], "x".join(str(v) for v in row["size"].values()), row["dtype"]] +
                    [f"{k}={params[k]}" for k in sorted(params)])


def command_of(row, build):
    words = [str(build / "bin" / row["lab"]), "--rung", row["rung"], "--dtype", row["dtype"],
             "--size", "x".join(str(v) for v in row["size"].values())]
    for name, value in row["params"].items():
        if value is not None and name in FLAGS and (name, value) not in OF_RUNG:
            whole = isinstance(value, float) and value == int(value)
            words += [FLAGS[name], str(int(value) if whole else value)]
    return words


def count(row, build, seconds, largest):
    """The launches of a row, or why there are none."""
    if row["lab"] in DEPENDS:
        return {"why": "what a block does depends on what others have done, which do not run"}
    if (row["bytes"] or 0) > largest:
        return {"why": "its arrays are too large for the machine that counts"}
    for blocks in BLOCKS.get(row["lab"], ("64", "8")):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            words = command_of(row, build) + ["--lens-only", "--lens-blocks", blocks, "--json", file.name,
                                              "--timeout", str(seconds)]
            try:
                done = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 60,
                                      env=dict(os.environ, WARPLAB_DEVICE="h100"), check=False)
            except subprocess.TimeoutExpired:
                continue
            try:
                result = json.load(open(file.name, encoding="utf-8"))["measurements"][0]
            except (ValueError, KeyError, IndexError):
                return {"why": (done.stderr or done.stdout).strip().splitlines()[-1][:200]}
            if result["lens"]:
                return {"launches": [launch_of(one) for one in result["lens"]["launches"]]}
            why = result["why"] or result["not_measured"].get("lens", "")
            if "endless" in why:
                return {"why": "a block does not end within the steps that the lens takes for endless"}
            if "did not finish" not in why:
                return {"why": why.splitlines()[0][:200]}
    return {"why": "the blocks that the lens records take too long"}


def launch_of(launch):
    kept = {name: launch[name] for name in ("kernel", "grid", "block", "blocks", "blocks_recorded",
                                            "blocks_per_multiprocessor")}
    kept["work"] = {name: value for name, value in launch.get("work", {}).items() if value}
    kept["warp_barriers"] = launch["barriers"] or 0
    kept["barriers"] = launch.get("waits", {}).get("most_barriers", 0)
    kept["from_kernel"] = "alike" in launch
    kept.update(launch.get("transfers", {}))
    return kept


def rows_to_count(labs, counts):
    """The timed rungs that are not counted yet, by their keys."""
    rows = {}
    for run in RUNS:
        with open(SOURCE / "results" / run / "results.json", encoding="utf-8") as file:
            for row in json.load(file)["measurements"]:
                timed = row["role"] == "rung" and row["time_ms"] and row["lab"] not in NOT_A_LAUNCH
                if timed and (not labs or row["lab"] in labs) and key_of(row) not in counts:
                    rows[key_of(row)] = row
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labs", default="")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--bytes", type=float, default=0.6e9)
    parser.add_argument("build", nargs="?", default=str(SOURCE / "build/emulator"))
    arguments = parser.parse_args()
    path = SOURCE / "tests/bounds/counts.json"
    counts = json.load(open(path, encoding="utf-8")) if path.exists() else {}
    rows = rows_to_count(arguments.labs.split(",") if arguments.labs else [], counts)
    build = pathlib.Path(arguments.build)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        begun = {pool.submit(count, row, build, arguments.seconds, arguments.bytes): key
                 for key, row in rows.items()}
        for done in concurrent.futures.as_completed(begun):
            key = begun[done]
            counts[key] = done.result()
            print(key, counts[key].get("why", "ok"), flush=True)
            lines = [f"{json.dumps(name)}: {json.dumps(counts[name])}" for name in sorted(counts)]
            path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
