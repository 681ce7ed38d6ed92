#!/usr/bin/env python3
"""Says whether anything hangs on the words of messages: words all of them otherwise, and runs the tests.

    tests/house/reworded.py FOLDER [--targets TARGET,...] [--jobs N]

Copies the tree to FOLDER and gives each sentence in the programs' sources words of its own, of the same
lengths: "{} has no rung '{}'" becomes "{} vqz xk wyjk '{}'". No two places then say the same, so whoever
looks for a sentence that another place writes does not find it. The copy is built with the preset `emulator`
and tested, but for tests of the house. A test may fail only if each expectation that fails shows a sentence
which it waited for, or a new word in what it got. --targets builds only these, such as warplab,judge_test,
and runs the tests that there are then. A FOLDER that this has made before is built and tested again.

Left as they are: raw strings, marks that programs look for in files (kinds_test.cpp lists them), and texts
that are code. Kernels too, since mutants are patches of them. Without --targets this takes as long as a build
and all tests from nothing. Exit code 0: all is well. 1: a test fails that must not. 2: it cannot be said.
"""

import argparse
import hashlib
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

SOURCE = Path(__file__).resolve().parents[2]
FOLDERS = ["common", "emulator/driver", "emulator/src", "grader", "harness", "labs", "lens", "report",
           "runner"]
# Comments, raw strings and characters; and, as group 2, strings.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|\'(?:\\.|[^\'\\\n])+\''
                   r'|"((?:\\.|[^"\\\n])*)"', re.S)
SENTENCE = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z]{2,}")
CODE = re.compile(r"[{};]\\n|</|/>|^ *<|#include|\bvoid\b|->|::|\(\)|\\(?!n|t|\"|\\)|^--|\$|&&"
                  r"|__\w+__|%lf|^(?:apt|cmake|ctest|git|ninja|sudo) ")
CODE_LINE = re.compile(r"^\s*#|\bstatic_assert\b|\basm\b|\bextern \"C\"")
# Placeholders, escapes, quotations, names with more than letters; and words.
PART = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|%[-+ #0-9.*]*(?:hh|ll|[hlzjt])?[a-zA-Z]|\\."
                  r"|`[^`]*`|'[^']*'|[\w./<>=:-]*[_./<>=0-9:-][\w./<>=:-]*\w|[A-Za-z]{2,}|.", re.S)
WORD = re.compile(r"[a-z]{2,}")
LETTERS = "jkqvwxyz"
OURS = re.compile(r"\b[jkqvwxyz]{3,}\b|\b[jkqvwxyz]{2} [jkqvwxyz]{2}\b")
QUOTED = re.compile(r'"[^"\n]*[a-z]{2,} [^"\n]*"|find\("[^"\n]*[a-z]{3,}[^"\n]*"\)')  # what it waits for
COMMITTED = re.compile(r"--write|WARPLAB_UPDATE")  # a committed file has the words as they were
MADE = "reworded.txt"


def fail(message):
    print(f"reworded: {message}", file=sys.stderr)
    sys.exit(2)


def run(words, folder):
    return subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE).stdout


def marks():
    """The texts that kinds_test lets programs look for."""
    text = (SOURCE / "tests/house/kinds_test.cpp").read_text()
    table = text[text.index("allowed = {"):text.index("struct Comparison")]
    return [mark for _, mark in re.findall(r'\{"([^"]*)",\s*"([^"]*)"\}', table)]


def is_message(text, kept):
    return bool(SENTENCE.search(text)) and not CODE.search(text) and not any(mark in text for mark in kept)


def reworded(text, place):
    """The text in words that only this place has; each is as long as it was, for buffers and columns."""
    key = hashlib.sha256(place.encode()).digest()

    def one(part):
        if not WORD.fullmatch(part[0]):
            return part[0]
        return "".join(LETTERS[(ord(c) + key[i % len(key)]) % len(LETTERS)] for i, c in enumerate(part[0]))

    return PART.sub(one, text)


def reword_file(path, name, kept):
    """Words a file's messages otherwise. Returns how many."""
    text, count = path.read_text(), 0

    def one(token):
        nonlocal count
        line = text[text.rfind("\n", 0, token.start()) + 1:token.end()]
        if token[2] is None or CODE_LINE.search(line) or not is_message(token[2], kept):
            return token[0]
        count += 1
        return f'"{reworded(token[2], f"{name}:{token.start()}")}"'

    changed = TOKEN.sub(one, text)
    if count:
        path.write_text(changed)
    return count


def make_copy(folder):
    folder.mkdir(parents=True)
    for name in run(["git", "ls-files", "-z"], SOURCE).decode().split("\0")[:-1]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        run(["cp", "-P", "--preserve=mode", SOURCE / name, folder / name], SOURCE)
    kept, messages, files = marks(), 0, 0
    for top in FOLDERS:
        for path in sorted((folder / top).rglob("*.[ch]pp")):
            count = reword_file(path, str(path.relative_to(folder)), kept)
            messages, files = messages + count, files + (count > 0)
    run(["git", "init", "-q"], folder)
    run(["git", "add", "-A"], folder)
    run(["git", "-c", "user.name=reworded", "-c", "user.email=none", "commit", "-qm", "Reword"], folder)
    (folder / MADE).write_text(f"{messages} messages in {files} files\n")


def build(folder, targets, jobs):
    run(["cmake", "--preset", "emulator"], folder)
    if subprocess.run(["ninja", "-C", "build/emulator", f"-j{jobs}", *targets], cwd=folder).returncode != 0:
        fail("the copy does not build")


def test(folder, jobs):
    """The tests that were built and ran: their names, and what those that fail print."""
    report = folder / "build/tests.xml"
    subprocess.run(["ctest", "--test-dir", "build/emulator", f"-j{jobs}", "--output-junit", report, "-LE",
                    r"^house|[.]long$"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not report.is_file():
        fail("ctest wrote no report")
    cases = list(ElementTree.parse(report).iter("testcase"))
    return ([case.get("name") for case in cases if case.get("status") in ("run", "fail")],
            {case.get("name"): case.findtext("system-out", "") for case in cases
             if case.get("status") == "fail"})


def defined_by_a_sentence(path, line):
    """Whether a name in the expectation at a line is set from a sentence in the same test."""
    if not path.is_file():
        return False
    lines = path.read_text().split("\n")
    first = next((i for i in range(line - 1, -1, -1) if lines[i].startswith("TEST")), line - 1)
    statements = re.split(r";\n", "\n".join(lines[first:line - 1]))
    names = set(re.findall(r"[a-z_]\w*", "\n".join(lines[line - 1:line + 3]).split(";\n")[0]))
    return any(QUOTED.search(statement) and names & set(re.findall(r"(\w+) *[=:]\s", statement))
               for statement in statements)


def compares_words(printed, folder):
    """Whether each failed expectation shows a sentence that it waits for, or a word of ours."""
    pieces = printed.split(": Failure\n")
    for before, one in zip(pieces, pieces[1:]):
        place = re.search(r"(\S+):(\d+)$", before)
        if (OURS.search(one) or QUOTED.search(one) or COMMITTED.search(one)
                or place and defined_by_a_sentence(folder / "build/emulator" / place[1], int(place[2]))):
            continue
        return False
    return len(pieces) > 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip(), add_help=False)
    parser.add_argument("folder", type=lambda text: Path(text).resolve())
    parser.add_argument("--targets", default="")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    folder = arguments.folder
    if not folder.exists():
        make_copy(folder)
    elif not (folder / MADE).is_file():
        fail(f"{folder} exists, and this has not made it")
    build(folder, arguments.targets.split(",") if arguments.targets else [], arguments.jobs)
    ran, failed = test(folder, arguments.jobs)
    wrong = sorted(name for name, printed in failed.items() if not compares_words(printed, folder))
    print((folder / MADE).read_text().strip(), "are worded otherwise")
    print(f"{len(ran)} tests ran: {len(failed)} fail, {len(wrong)} of them not for words that they wait for")
    for name in wrong:
        print("must pass:", name)
    return 1 if wrong or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
