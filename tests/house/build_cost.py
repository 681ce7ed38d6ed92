#!/usr/bin/env python3
"""Says what a build costs in processor time, beside a plain build of the same sources.

    tests/house/build_cost.py BUILD TARGET... [--only FOLDER]

Runs what Ninja would run for TARGETs in the configured build tree BUILD, one command after another, and
beside it `g++ -O1 -c` for each source by itself, with the same definitions and include folders. --only takes
the commands whose output lies in this folder of BUILD. The plain build has no translation, no other level of
optimisation, no debug lines and no instrumented build; a kernel's source is what the translator made of it.
Seconds are the processor's, user and system: what else runs on the machine changes them less than it changes
the time on the wall, and the ratio hardly. BUILD must be without a compiler cache, and built once.
"""

import argparse
import re
import resource
import shlex
import subprocess
import sys
from pathlib import Path

KEPT = ("-D", "-I", "-isystem", "-std")


def cost(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, shell=isinstance(command, str), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def kind_of(command):
    if "-x c++-header" in command:
        return "precompiled headers"
    if " -c " not in command:
        return "translation" if "warplab-translate" in command else "linking and the rest"
    if "__lens.dir" in command:
        return "instrumented builds"
    return "kernels" if re.search(r"\.cu\.cpp$", command) else "host code"


def sources_of(source, folder):
    """A source, or those that it joins."""
    path = folder / source
    if "/Unity/unity_" not in str(path):
        return [path]
    return [Path(name) for name in re.findall(r'#include "(.*)"', path.read_text())]


def plain_commands(command, folder):
    words = shlex.split(command)
    if "-c" not in words or "-x" in words or "__lens.dir" in command:
        return []
    flags = []
    for at, word in enumerate(words):
        if word == "-isystem":
            flags += [word, words[at + 1]]
        elif word.startswith(KEPT) and word != "-isystem":
            flags.append(word)
    return [["g++", "-O1", "-fPIC", "-w", *flags, "-c", "-o", "/dev/null", str(source)]
            for source in sources_of(words[words.index("-c") + 1], folder)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip(), add_help=False)
    parser.add_argument("build", type=lambda text: Path(text).resolve())
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    listed = subprocess.run(["ninja", "-t", "commands", *arguments.targets], cwd=arguments.build, check=True,
                            stdout=subprocess.PIPE, text=True).stdout.splitlines()
    if any("ccache" in command for command in listed):
        sys.exit("build_cost: this tree has a compiler cache")
    ours, plain, files = {}, 0.0, 0
    for command in listed:
        if arguments.only and not re.search(rf" (-o |.*/){re.escape(arguments.only)}", command):
            continue
        ours[kind_of(command)] = ours.get(kind_of(command), 0.0) + cost(command, arguments.build)
        for one in plain_commands(command, arguments.build):
            plain += cost(one, arguments.build)
            files += 1
    for kind, seconds in sorted(ours.items(), key=lambda item: -item[1]):
        print(f"{seconds:8.1f} s  {kind}")
    total = sum(ours.values())
    print(f"{total:8.1f} s  in all; {plain:.1f} s for {files} sources with g++ -O1: a ratio of "
          f"{total / plain if plain else 0:.2f}")


if __name__ == "__main__":
    main()
