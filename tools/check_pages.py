"""Runs every example of the README and of docs/, and compares what it prints with what the page shows.

A ```console block holds commands after `$ ` with their output; a ```python block is followed by a
```text block with its output. Both run at the top of the repository with `krieg` on the path: that of a release build, or
the one that $KRIEG names.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


RELEASED = "target/release/krieg"
KRIEG = os.environ.get("KRIEG", str(ROOT / RELEASED))


def output_of(command: list[str]) -> str:
    path = f"{Path(KRIEG).parent}{os.pathsep}{os.environ['PATH']}"
    command = [part.replace(RELEASED, KRIEG) for part in command]
    # Endgame tables that examples need are not put into the user's cache.
    env = {**os.environ, "PATH": path, "KRIEG_TABLEBASES": str(ROOT / "target/tablebases")}
    done = subprocess.run(command, cwd=ROOT, env=env, text=True, capture_output=True, timeout=60)
    return done.stdout + done.stderr


def console_examples(text: str):
    """The commands of a console block, each with the output shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield ["bash", "-c", command], shown


def examples(page: str):
    blocks = BLOCK.findall(page)
    for number, (language, text) in enumerate(blocks):
        if language == "console":
            yield from console_examples(text)
        elif language == "python":
            after_language, shown = blocks[number + 1]
            assert after_language == "text", "a python example is followed by its output"
            yield [sys.executable, "-c", text], shown


def main() -> int:
    passed = failed = 0
    # Examples show what is seen when a table is there; the first time there is a word more.
    print(output_of(["krieg", "tablebase", "build", "krk", "--anew"]), end="")
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for command, shown in examples(page.read_text()):
            printed = output_of(command)
            # Blank lines at the end of a block say nothing.
            if printed.rstrip() == shown.rstrip():
                passed += 1
                continue
            failed += 1
            print(f"{page.name}: example {command[-1]!r}\nshows:\n{shown}\nprints:\n{printed}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
