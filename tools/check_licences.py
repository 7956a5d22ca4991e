"""Checks the licences and sources of all dependencies: `python3 tools/check_licences.py`.

Every crate that Cargo.lock names, for any platform, must allow one of the licences that `deny.toml`
lists, and must come from crates.io or from this workspace. `cargo deny check licenses bans sources`
checks the same and more; this script needs no tool that takes minutes to build.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
TOKEN = re.compile(r"\(|\)|[^\s()]+")


def is_allowed(expression: str, allowed: set[str]) -> bool:
    """Whether an SPDX expression can be satisfied with the allowed licences alone."""
    # Crates from before SPDX expressions separate alternatives by a slash.
    tokens = TOKEN.findall(expression.replace("/", " OR "))
    place = 0

    def peek() -> str | None:
        return tokens[place] if place < len(tokens) else None

    def take() -> str:
        nonlocal place
        place += 1
        return tokens[place - 1]

    def parse_or() -> bool:
        value = parse_and()
        while peek() == "OR":
            take()
            right = parse_and()
            value = value or right
        return value

    def parse_and() -> bool:
        value = parse_licence()
        while peek() == "AND":
            take()
            right = parse_licence()
            value = value and right
        return value

    def parse_licence() -> bool:
        if peek() == "(":
            take()
            value = parse_or()
            if peek() != ")":
                raise ValueError(f"unbalanced parentheses in {expression!r}")
            take()
            return value
        name = take()
        if peek() == "WITH":
            take()
            name = f"{name} WITH {take()}"
        return name in allowed

    value = parse_or()
    if place != len(tokens):
        raise ValueError(f"cannot read the licence {expression!r}")
    return value


def problem(package: dict, allowed: set[str]) -> str | None:
    """What is wrong with a package, if anything."""
    name = f"{package['name']} {package['version']}"
    if package["source"] not in (None, CRATES_IO):
        return f"{name} comes from {package['source']}"
    expression = package["license"]
    if not expression:
        return f"{name} names no licence"
    if not is_allowed(expression, allowed):
        return f"{name} is licensed as {expression}, which deny.toml does not allow"
    return None


def self_test() -> None:
    """The expressions on which a reader of licences goes wrong most easily."""
    allowed = {"MIT", "Apache-2.0"}
    assert is_allowed("MIT OR GPL-3.0", allowed) and is_allowed("GPL-3.0/MIT", allowed)
    assert not is_allowed("MIT AND GPL-3.0", allowed)
    assert is_allowed("(MIT OR GPL-3.0) AND Apache-2.0", allowed)
    assert not is_allowed("Apache-2.0 WITH LLVM-exception", allowed)


def main() -> int:
    self_test()
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    packages = json.loads(printed)["packages"]
    problems = [found for package in packages if (found := problem(package, allowed))]
    print("\n".join(problems) if problems else f"{len(packages)} packages may be linked")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
