"""Checks the pages for readers, which are README.md, ARCHITECTURE.md, docs/ and others.

- Every example prints what the page shows. A ```console block holds commands after `$ ` with their
  output, and a ```python block is followed by a ```text block with its output. They run at the root
  of the repository with `krieg` on the path: the release build, or the program that $KRIEG names.
- Every link to a file of the repository, and to a heading of it, leads somewhere.

`python3 tools/check_pages.py --update` writes the actual output of all examples into the pages, and
`--links` checks only the links.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE_BUILD = "target/release/krieg"
KRIEG = os.environ.get("KRIEG", str(ROOT / RELEASE_BUILD))
# A generous limit for an example on a busy machine, so that one that hangs is reported.
TIMEOUT_SECONDS = 120

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def pages_with_examples() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def tracked_pages() -> list[Path]:
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(listing, cwd=ROOT, text=True, capture_output=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if (ROOT / name).is_file()]


def output_of(command: list[str]) -> str:
    path = f"{Path(KRIEG).parent}{os.pathsep}{os.environ['PATH']}"
    command = [part.replace(RELEASE_BUILD, KRIEG) for part in command]
    # Tablebases of examples are not stored in the user's folder.
    env = {**os.environ, "PATH": path, "KRIEG_TABLEBASES": str(ROOT / "target/tablebases")}
    done = subprocess.run(
        command, cwd=ROOT, env=env, text=True, capture_output=True, timeout=TIMEOUT_SECONDS
    )
    return done.stdout + done.stderr


class Examples:
    """Runs the examples of one page and replaces the output that it shows by the actual output."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.passed = 0
        self.failed: list[str] = []

    def run(self) -> str:
        """The text of the page with the actual output of all examples."""
        text = self.page.read_text()
        parts = []
        end = 0
        program = None
        for block in BLOCK.finditer(text):
            language, content = block.groups()
            if program is not None:
                if language != "text":
                    raise SystemExit(f"{self.page.name}: no ```text block after ```python")
                content = self._compare([sys.executable, "-c", program], content)
                program = None
            elif language == "console":
                content = self._run_console(content)
            elif language == "python":
                program = content
            parts += [text[end : block.start(2)], content]
            end = block.end(2)
        return "".join(parts) + text[end:]

    def _run_console(self, content: str) -> str:
        first, *examples = COMMAND.split(content)
        lines = [first]
        for example in examples:
            command, _, shown = example.partition("\n")
            lines.append(f"$ {command}\n{self._compare(['bash', '-c', command], shown)}")
        return "".join(lines)

    def _compare(self, command: list[str], shown: str) -> str:
        printed = output_of(command)
        # Blank lines at the end of the output have no meaning.
        if printed.rstrip() == shown.rstrip():
            self.passed += 1
            return shown
        name = self.page.name
        self.failed.append(
            f"{name}: example {command[-1]!r}\nshows:\n{shown}\nprints:\n{printed}"
        )
        return printed.rstrip() + "\n"


def check_examples(update: bool) -> int:
    """Runs all examples and returns the number of those with another output."""
    # The examples show what is printed if the table exists; building it prints more.
    print(output_of(["krieg", "tablebase", "build", "krk", "--rebuild"]), end="")
    passed = failed = 0
    for page in pages_with_examples():
        examples = Examples(page)
        text = examples.run()
        passed += examples.passed
        failed += len(examples.failed)
        print("\n".join(examples.failed), end="\n" if examples.failed else "")
        if update and text != page.read_text():
            page.write_text(text)
            print(f"{page.name} is updated")
    print(f"examples: {passed} passed, {failed} failed")
    if not passed and not failed:
        raise SystemExit("no examples found")
    return failed


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def broken_links(page: Path) -> list[str]:
    """The links of a page that do not lead to a file of the repository or to a heading of it."""
    text = CODE.sub("", page.read_text())
    broken = []
    for link in LINK.findall(text):
        if re.match(r"\w+:", link):
            continue
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            broken.append(f"{page.relative_to(ROOT)}: {link} does not exist")
        elif fragment and target.suffix == ".md":
            headings = HEADING.findall(CODE.sub(keep_inline_code, target.read_text()))
            if fragment not in map(anchor, headings):
                broken.append(f"{page.relative_to(ROOT)}: {link}: there is no such heading")
    return broken


def keep_inline_code(match: re.Match[str]) -> str:
    """Removes code blocks, in which # begins a comment, and keeps code in headings."""
    return "" if match[0].startswith("```") else match[0]


def check_links() -> int:
    """Checks the links of all pages and returns the number of broken ones."""
    pages = tracked_pages()
    broken = [problem for page in pages for problem in broken_links(page)]
    print("\n".join(broken), end="\n" if broken else "")
    print(f"links: {len(pages)} pages checked, {len(broken)} broken")
    return len(broken)


def main() -> int:
    options = sys.argv[1:]
    if options not in ([], ["--update"], ["--links"]):
        raise SystemExit("usage: check_pages.py [--update | --links]")
    problems = check_links()
    if options != ["--links"]:
        problems += check_examples(update=options == ["--update"])
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
