#!/usr/bin/env python3
"""Says whether anything hangs on the words of messages: words all of them otherwise, and runs the tests.

    tests/house/reworded.py FOLDER [--targets TARGET,...] [--jobs N]

Copies the tree to FOLDER and gives each sentence in the programs' sources an ending of its own, the same for
all its words: "{} has no rung '{}'" becomes "{} hasqzk noqzk rungqzk '{}'". No two places then say the same,
so whoever looks for a sentence that another place writes does not find it. The copy is built with the preset
`emulator` and tested, but for tests of the house. A test may fail only if it holds a sentence, and if what it
prints shows that it compared words. --targets builds only these, such as warplab,grader_test, and runs the
tests that there are then. A FOLDER that this has made before is built and tested again.

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
ENDED = re.compile(r"[a-z]{2}[qxzvkjwy]{3}\b")  # a word of ours
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\).*?^}$", re.S | re.M)
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
    ending = "".join("qxzvkjwy"[byte % 8] for byte in hashlib.sha256(place.encode()).digest()[:3])
    return PART.sub(lambda part: part[0] + ending if WORD.fullmatch(part[0]) else part[0], text)


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
    """What ctest says of each test that was built: a name, whether it passed, and what it printed."""
    report = folder / "build/tests.xml"
    subprocess.run(["ctest", "--test-dir", "build/emulator", f"-j{jobs}", "--output-junit", report, "-LE",
                    r"^house|[.]long$"], cwd=folder, stdout=subprocess.DEVNULL)
    if not report.is_file():
        fail("ctest wrote no report")
    return [(case.get("name"), case.get("status") != "fail", case.findtext("system-out", ""))
            for case in ElementTree.parse(report).iter("testcase")
            if not case.get("name").endswith("_NOT_BUILT")]


def holds_sentence(text):
    return any(token[2] and SENTENCE.search(token[2]) for token in TOKEN.finditer(text))


def readers_of_messages():
    """The tests, as "Suite.Name", that hold a sentence, or whose file holds one outside of tests."""
    readers = set()
    for path in (SOURCE / "tests").rglob("*.c[pu]*"):
        text = path.read_text(errors="replace")
        tests = [(f"{found[1]}.{found[2]}", found[0]) for found in TEST.finditer(text)]
        outside = holds_sentence(TEST.sub("", text))
        readers |= {name for name, body in tests if outside or holds_sentence(body)}
    return readers


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
    results, readers = test(folder, arguments.jobs), readers_of_messages()
    failed = [(name, printed) for name, passed, printed in results if not passed]
    # "Prefix/Suite.Name/3" and "Suite/0.Name" as "Suite.Name".
    plain = {name: re.sub(r"^(?:\w+/)?([A-Za-z]\w*)(?:/\d+)?\.(\w+).*", r"\1.\2", name) for name, _ in failed}
    wrong = [name for name, printed in failed if plain[name] not in readers or not ENDED.search(printed)]
    print((folder / MADE).read_text().strip(), "are worded otherwise")
    print(f"{len(results)} tests ran; {len(failed)} fail, {len(wrong)} of them not for words that they read")
    for name in wrong:
        print("must pass:", name)
    return 1 if wrong or not results else 0


if __name__ == "__main__":
    sys.exit(main())
