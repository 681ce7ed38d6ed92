#!/usr/bin/env python3
"""Looks for words and constructions that docs/words.ini rejects, and for lines that are too long.

    .ci/prose.py [FILE...]        checks these files, or all files that git tracks
    .ci/prose.py --rules          checks only that every rule finds its bad example and not its good one

It reads Markdown outside code, comments and string literals of C++ and CUDA, and all of scripts, CMake and
JSON.
Exit code 1: something was found, one line each: FILE:LINE: 'WORDS': what to write instead.
"""

import bisect
import configparser
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "docs/words.ini"
COLUMNS = 110

CODE = {".cpp", ".hpp", ".h", ".cu", ".cuh", ".inc"}
SCRIPTS = {".sh", ".sbatch", ".awk", ".py", ".cmake", ".txt", ".in", ".conf", ".yml", ".json", ".html",
           ".css"}
# Tables of texts (.txt, .json, .ini) have a line per entry. docs/contributor-guide.md names what is exempt.
LIMITED = CODE | {".md", ".sh", ".py", ".awk", ".sbatch", ".cmake", ".conf", ".yml", ".css"}
# What programs recorded or tests quote: it is not written by hand, so it is not edited by hand.
EXCEPT = re.compile(
    r"results/|tests/(grader/exploits|hidden/mutants|parity/hardware|lens_report/data|emulator/.*\.txt)|docs/words\.ini"
    r"|LICENSE")

CXX_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)\""""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\[^\n]{1,3}|[^'\\\n])'""", re.S)


RAW_STRING = re.compile(r"R\"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)\"", re.S)


def line_ends(match):
    """What a raw string holds is another language's, and as wide as it likes."""
    return "\n" * match.group().count("\n")


def rules():
    """The rules as (pattern, what excuses it, what to write instead).

    Ends the program if a rule does not find its bad examples, or finds its good one.
    """
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(RULES, encoding="utf-8")
    found = []
    for name in parser.sections():
        rule = parser[name]
        pattern = re.compile(rule["pattern"], re.I)
        for bad in rule["bad"].split(" / "):
            if not pattern.search(bad):
                sys.exit(f"{RULES}: [{name}] does not find its bad example '{bad}'")
        if pattern.search(rule["good"]):
            sys.exit(f"{RULES}: [{name}] finds its good example '{rule['good']}'")
        found.append((pattern, re.compile(rule.get("unless", "$^"), re.I), rule["good"]))
    return found


def blanked(match):
    """Spaces in place of what is not prose, so that offsets and lines stay as they are."""
    return re.sub(r"[^\n]", " ", match.group())


def markdown_text(text):
    text = re.sub(r"^( *)(```|~~~).*?^ *\2[^\n]*$", blanked, text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->|\]\([^)\s]*\)", blanked, text, flags=re.S)
    return re.sub(r"`[^`\n]+`", lambda code: "`" + "x" * (len(code.group()) - 2) + "`", text)


def cxx_text(text):
    """Only comments and literals: each word of code becomes #, so that no sentence goes across it."""
    out = []
    end = 0
    for match in CXX_TEXT.finditer(text):
        between = text[end:match.start()]
        out.append(re.sub(r"\S", "#", between))
        found = match.group()
        if found.startswith("//"):
            found = re.sub(r"^/{2,}[<!]?", blanked, found)
        elif found.startswith("/*"):
            found = re.sub(r"^/\*+|\*+/$|^\s*\*", blanked, found, flags=re.M)
        elif found.startswith("#include") or found.startswith("'"):
            found = re.sub(r"[^\n]", "#", found)
        else:
            found = found.replace('"', " ").replace("\\n", "  ")
        out.append(found)
        end = match.end()
    out.append(re.sub(r"\S", "#", text[end:]))
    return "".join(out)


def script_text(text):
    text = re.sub(r"^\s*#+", blanked, text, flags=re.M)
    return text.replace('"', " ").replace("\\n", "  ")


def kind_of(path):
    if path.name == "CMakeLists.txt":
        return ".cmake"
    if path.suffix == ".in":  # a pattern of a file: README.md.in
        return path.with_suffix("").suffix or ".in"
    if not path.suffix and path.is_file():
        with path.open("rb") as file:
            return ".sh" if file.read(2) == b"#!" else ""
    return path.suffix


def prose_of(kind, text):
    if kind == ".md":
        return markdown_text(text)
    if kind in CODE:
        return cxx_text(text)
    return script_text(text)


def is_too_long(line, kind, in_block):
    """Whether a line passes the limit and could be broken: not a table, a block of code, one long link."""
    line = line.replace("// STUB ", "", 1)  # what students get
    if len(line) <= COLUMNS:
        return False
    if kind == ".md":
        if in_block or line.startswith(("    ", "|", "<", "![")):
            return False
        line = re.sub(r"`[^`]*`", lambda code: "x" * len(code.group()), line)
    return " " in re.sub(r"^\s*(#+|[-*]|\d+\.)?\s*", "", line).rstrip()


def long_lines(kind, lines):
    in_block = False
    for number, line in enumerate(lines, 1):
        if kind == ".md" and line.lstrip().startswith("```"):
            in_block = not in_block
        if is_too_long(line, kind, in_block):
            yield number, f"{len(line)} columns: at most {COLUMNS}"


def findings(path, kind, known):
    text = path.read_text(encoding="utf-8")
    words = list(re.finditer(r"\S+", prose_of(kind, text)))
    joined = " ".join(word.group() for word in words)
    begins = [0]  # of each word in `joined`, where any white space is one space
    for word in words:
        begins.append(begins[-1] + len(word.group()) + 1)
    for pattern, unless, good in known:
        for match in pattern.finditer(joined):
            if unless.search(joined[max(0, match.start() - 80):match.end()]):
                continue
            place = words[bisect.bisect(begins, match.start()) - 1].start()
            yield text.count("\n", 0, place) + 1, f"'{match.group()}': write, for example, '{good}'"
    if kind in LIMITED:
        yield from long_lines(kind, (RAW_STRING.sub(line_ends, text) if kind in CODE else text).split("\n"))


def tracked():
    listed = subprocess.run(["git", "-C", ROOT, "-c", "safe.directory=*", "ls-files", "-z"], check=True,
                            stdout=subprocess.PIPE).stdout.decode()
    return [name for name in listed.split("\0") if name and not EXCEPT.match(name)]


def main(arguments):
    known = rules()
    if arguments == ["--rules"]:
        return 0
    count = 0
    for name in arguments or tracked():
        path = Path(name) if arguments else ROOT / name
        kind = kind_of(path)
        if not path.is_file() or kind not in CODE | SCRIPTS | {".md"}:
            continue
        for line, problem in sorted(findings(path, kind, known)):
            print(f"{name}:{line}: {problem}")
            count += 1
    if count:
        print(f"{count} found; docs/words.ini has the rules")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
