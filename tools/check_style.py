"""Checks the parts of the project's style that a program can check: `python3 tools/check_style.py`.

- No line is longer than 100 columns. In Markdown, tables, lines with links, code blocks and
  headings are exempt; everywhere, lines with a web address are exempt.
- No word of `tools/banned_words.txt` occurs in prose, in an identifier or in the name of a file,
  except in lines that match an entry of `tools/allowed_words.txt`. Every such entry is needed.
- No crate has two public types with the same name.
- A crate depends only on crates above it in the table of `ARCHITECTURE.md`, so there is no cycle.

`python3 tools/check_style.py --self-test` tests the checks themselves.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_COLUMNS = 100

# Measurements are records of their day, and the lists of words contain the words.
EXCLUDED = re.compile(r"^benches/runs/\d|^Cargo\.lock$|^LICENSE|^tools/\w+_words\.txt$")
CHECKED_LENGTH = {".rs", ".js", ".mjs", ".py", ".md", ""}
CHECKED_WORDS = CHECKED_LENGTH | {".css", ".html", ".json", ".sql", ".toml", ".txt"}

# A word in prose, or a part of an identifier in any convention: OwnName, ownName, OWN_NAME.
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
URL = re.compile(r"https?://\S+")
ESCAPE = re.compile(r"\\[nrt]")
PUBLIC_TYPE = re.compile(
    r"^\s*pub (?:unsafe )?(?:struct|enum|trait|union|type) (\w+)", re.MULTILINE
)
CRATE_ROW = re.compile(r"^\| `(krieg[\w-]*)` \|", re.MULTILINE)


def tracked_files() -> list[str]:
    """The names of all files that are tracked by git, or would be if they were added."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, text=True, capture_output=True, check=True).stdout
    files = (name for name in names.splitlines() if (ROOT / name).is_file())
    return sorted(name for name in files if not EXCLUDED.search(name))


def read_texts(names: list[str]) -> dict[str, str]:
    """The contents of all files whose words are checked, by name."""
    texts = {}
    for name in names:
        path = ROOT / name
        # A file without an ending is a script if it begins like one.
        is_text = path.suffix or path.read_bytes().startswith(b"#!")
        if is_text and path.suffix in CHECKED_WORDS:
            texts[name] = path.read_text()
    return texts


def read_list(name: str) -> list[str]:
    """The lines of a list of words, without comments."""
    lines = (ROOT / "tools" / name).read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def lines_of_limited_length(name: str, text: str):
    """The lines whose length is checked, with their numbers."""
    is_markdown = name.endswith(".md")
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if is_markdown and line.lstrip().startswith("```"):
            in_block = not in_block
        is_exempt = in_block or line.lstrip().startswith(("|", "#")) or "](" in line
        if not (is_markdown and is_exempt) and not URL.search(line):
            yield number, line


def long_lines(name: str, text: str) -> list[str]:
    if Path(name).suffix not in CHECKED_LENGTH:
        return []
    return [
        f"{name}:{number}: {len(line)} columns"
        for number, line in lines_of_limited_length(name, text)
        if len(line) > MAX_COLUMNS
    ]


def banned_in(text: str, banned: set[str]) -> set[str]:
    """The banned words in a line."""
    text = ESCAPE.sub(" ", URL.sub(" ", text))
    return {word.lower() for word in WORD.findall(text)} & banned


class WordCheck:
    """Finds banned words, and remembers which entries of the list of allowed lines were needed."""

    def __init__(self, banned: list[str], allowed: list[str]) -> None:
        self._banned = {word.lower() for word in banned}
        self._unused = dict.fromkeys(allowed)
        self._allowed = allowed

    def problems(self, name: str, text: str) -> list[str]:
        found = []
        words = banned_in(name, self._banned)
        if words:
            found.append(f"{name}: {', '.join(sorted(words))} in the name of the file")
        for number, line in enumerate(text.splitlines(), 1):
            words = banned_in(line, self._banned)
            if words and not self._is_allowed(f"{name}: {line.strip()}"):
                found.append(f"{name}:{number}: {', '.join(sorted(words))}: {line.strip()[:80]}")
        return found

    def _is_allowed(self, line: str) -> bool:
        matching = [entry for entry in self._allowed if entry in line]
        for entry in matching:
            self._unused.pop(entry, None)
        return bool(matching)

    def unused_entries(self) -> list[str]:
        return [f"tools/allowed_words.txt: no line needs this: {entry}" for entry in self._unused]


def repeated_types(texts: dict[str, str]) -> list[str]:
    places: dict[tuple[str, str], list[str]] = {}
    for name, text in texts.items():
        parts = name.split("/")
        if name.endswith(".rs") and parts[0] == "crates" and parts[2] == "src":
            for found in PUBLIC_TYPE.findall(text):
                places.setdefault((parts[1], found), []).append(name)
    return [
        f"{crate} has several public types {found}: {', '.join(names)}"
        for (crate, found), names in places.items()
        if len(names) > 1
    ]


def wrong_dependencies(architecture: str, manifests: dict[str, str]) -> list[str]:
    """Compares the manifests of the crates, by crate, with the table of crates."""
    position = {crate: place for place, crate in enumerate(CRATE_ROW.findall(architecture))}
    problems = [
        f"{crate} is in the table of crates of ARCHITECTURE.md, but does not exist"
        for crate in position
        if crate not in manifests
    ]
    for crate, manifest in manifests.items():
        if crate not in position:
            problems.append(f"{crate} is not in the table of crates of ARCHITECTURE.md")
            continue
        for dependency in tomllib.loads(manifest).get("dependencies", {}):
            if dependency in position and position[dependency] >= position[crate]:
                problems.append(f"{crate} depends on {dependency}, which is below it in the table")
    return problems


def check() -> int:
    texts = read_texts(tracked_files())
    manifests = {
        path.parent.name: path.read_text() for path in sorted(ROOT.glob("crates/*/Cargo.toml"))
    }
    problems = repeated_types(texts)
    problems += wrong_dependencies((ROOT / "ARCHITECTURE.md").read_text(), manifests)
    words = WordCheck(read_list("banned_words.txt"), read_list("allowed_words.txt"))
    for name, text in texts.items():
        problems += long_lines(name, text) + words.problems(name, text)
    problems += words.unused_entries()
    if problems:
        print("\n".join(problems))
    print(f"{len(texts)} files checked, {len(problems)} problems")
    return 1 if problems else 0


def self_test() -> int:
    """Runs every check on examples with and without a problem."""
    long = "x" * (MAX_COLUMNS + 1)
    # Invented words, so that this file passes its own check.
    banned = ["vex", "quib", "zorp"]
    words = set(banned)
    both_types = {
        "crates/a/src/one.rs": "pub struct Thing;\npub(crate) struct Inner;",
        "crates/a/src/two.rs": "    pub enum Thing {}\nstruct Inner;",
        "crates/b/src/one.rs": "pub struct Thing;",
        "crates/a/tests/three.rs": "pub struct Thing;",
    }
    table = "| `krieg-core` | rules |\n| `krieg` | all |\n"
    core = '[dependencies]\nserde = "1"\n'
    upward = "[dependencies]\nkrieg.workspace = true\n"
    program = "[dependencies]\nkrieg-core.workspace = true\n"
    allowing = WordCheck(banned, ["a.rs: fn vex(", "never used"])
    cases = {
        "a long line of code": long_lines("a.rs", f"ok\n{long}") == ["a.rs:2: 101 columns"],
        "a line of 100 columns": not long_lines("a.rs", long[1:]),
        "a long line of a script": bool(long_lines("tools/run", long)),
        "a long line of data": not long_lines("a.json", long),
        "a web address": not long_lines("a.rs", f"// https://example.org/{long}"),
        "long prose": bool(long_lines("a.md", long)),
        "a table": not long_lines("a.md", f"| {long}"),
        "a link": not long_lines("a.md", f"[{long}](b.md)"),
        "a heading": not long_lines("a.md", f"# {long}"),
        "a code block": not long_lines("a.md", f"```\n{long}\n```"),
        "after a code block": bool(long_lines("a.md", f"```\n```\n{long}")),
        "a table in Rust": bool(long_lines("a.rs", f"| {long}")),
        "a word in prose": banned_in("It is a vex move.", words) == {"vex"},
        "a capital": banned_in("Quib moves", words) == {"quib"},
        "snake_case": banned_in("let own_vex = 1;", words) == {"vex"},
        "camelCase": banned_in("const quibName", words) == {"quib"},
        "CamelCase": banned_in("struct GameZorp", words) == {"zorp"},
        "SCREAMING_CASE": banned_in("const OWN_VEX: u8", words) == {"vex"},
        "after a digit": banned_in("let x2vex", words) == {"vex"},
        "a possessive": banned_in("zorp's", words) == {"zorp"},
        "after an escape": banned_in(r'"first\nquib"', words) == {"quib"},
        "in a web address": not banned_in("see https://vex.example.org/quib", words),
        "inside longer words": not banned_in("vexed, convex, quibble", words),
        "an allowed line": not allowing.problems("a.rs", "fn vex(&self)"),
        "another line": bool(allowing.problems("b.rs", "fn vex(&self)")),
        "an allowed line that is not needed": len(allowing.unused_entries()) == 1,
        "the name of a file": bool(allowing.problems("src/vex.rs", "")),
        "types with one name": len(repeated_types(both_types)) == 1,
        "dependencies downward": not wrong_dependencies(
            table, {"krieg-core": core, "krieg": program}
        ),
        "a dependency upward": bool(
            wrong_dependencies(table, {"krieg-core": upward, "krieg": program})
        ),
        "a crate that is not in the table": bool(
            wrong_dependencies(table, {"krieg-core": core, "krieg": program, "krieg-x": core})
        ),
        "a crate that does not exist": bool(wrong_dependencies(table, {"krieg-core": core})),
    }
    failed = [name for name, passed in cases.items() if not passed]
    for name in failed:
        print(f"self-test failed: {name}")
    print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else check())
