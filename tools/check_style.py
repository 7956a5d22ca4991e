"""Checks what a machine can see of the project's style: `python3 tools/check_style.py`.

- No line is longer than 100 columns. Markdown tables, links, quoted output and headings are exempt.
- No word of `tools/banned_words.txt` occurs, in prose or as a part of an identifier, except where
  `tools/allowed_words.txt` lists the line.
- No crate has two public types of the same name.
- Crates depend only on crates above them in the table of `ARCHITECTURE.md`, so there is no cycle.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_COLUMNS = 100

# Runs and reports are records of their day, and fixtures are data.
EXCLUDED = re.compile(r"^benches/runs/|/fixtures/|^Cargo\.lock$|^LICENSE|^tools/(banned|allowed)_words")
CODE = {".rs", ".js", ".mjs", ".py", ".css", ".html", ".sql"}
PROSE = CODE | {".md", ".toml"}

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
URL = re.compile(r"https?://\S+")
PUBLIC_TYPE = re.compile(r"^\s*pub (?:struct|enum|trait|union|type) (\w+)", re.MULTILINE)


def tracked_files() -> list[str]:
    """The files of the project, tracked or about to be."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, text=True, capture_output=True, check=True).stdout
    files = (name for name in names.splitlines() if (ROOT / name).is_file())
    return sorted(name for name in files if not EXCLUDED.search(name))


def is_text(name: str) -> bool:
    """Whether the words of a file are checked: source, pages, and scripts without an ending."""
    path = ROOT / name
    return path.suffix in PROSE or (not path.suffix and path.read_bytes().startswith(b"#!"))


def read_list(name: str) -> list[str]:
    lines = (ROOT / "tools" / name).read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def prose_lines(name: str, text: str):
    """The lines whose length is checked, with their numbers."""
    is_markdown = name.endswith(".md")
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if is_markdown and line.lstrip().startswith("```"):
            in_block = not in_block
        exempt = in_block or line.startswith(("|", "#")) or "](" in line
        if not (is_markdown and exempt) and not URL.search(line):
            yield number, line


def long_lines(name: str, text: str) -> list[str]:
    if not name.endswith((".rs", ".js", ".mjs", ".py", ".md")):
        return []
    return [
        f"{name}:{number}: {len(line)} columns"
        for number, line in prose_lines(name, text)
        if len(line) > MAX_COLUMNS
    ]


def banned_words(name: str, text: str, banned: set[str], allowed: list[str]) -> list[str]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = {word.lower() for word in WORD.findall(URL.sub("", line))} & banned
        if words and not any(entry in f"{name}: {line.strip()}" for entry in allowed):
            found.append(f"{name}:{number}: {', '.join(sorted(words))}: {line.strip()[:80]}")
    return found


def repeated_types(files: list[str]) -> list[str]:
    places: dict[tuple[str, str], list[str]] = {}
    for name in files:
        parts = name.split("/")
        if name.endswith(".rs") and parts[0] == "crates" and parts[2] == "src":
            for found in PUBLIC_TYPE.findall((ROOT / name).read_text()):
                places.setdefault((parts[1], found), []).append(name)
    return [
        f"{crate} has several public types {found}: {', '.join(names)}"
        for (crate, found), names in places.items()
        if len(names) > 1
    ]


def wrong_dependencies() -> list[str]:
    table = re.findall(r"^\| `(krieg[\w-]*)` \|", (ROOT / "ARCHITECTURE.md").read_text(), re.MULTILINE)
    position = {crate: place for place, crate in enumerate(table)}
    problems = []
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        crate = manifest.parent.name
        if crate not in position:
            problems.append(f"{crate} is not in the table of crates of ARCHITECTURE.md")
            continue
        for dependency in tomllib.loads(manifest.read_text()).get("dependencies", {}):
            if dependency in position and position[dependency] >= position[crate]:
                problems.append(f"{crate} depends on {dependency}, which is below it in the table")
    return problems


def main() -> int:
    files = tracked_files()
    banned = {word.lower() for word in read_list("banned_words.txt")}
    allowed = read_list("allowed_words.txt")
    problems = repeated_types(files) + wrong_dependencies()
    for name in filter(is_text, files):
        text = (ROOT / name).read_text()
        problems += long_lines(name, text) + banned_words(name, text, banned, allowed)
    print("\n".join(problems))
    print(f"{len(files)} files checked, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
