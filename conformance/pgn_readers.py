"""Reads our extended PGN with chess programs that know nothing of Kriegspiel.

`conformance/pgn_readers` plays games under all rulesets and lets python-chess, chess.js and
pgn-extract read them. Each reader has to find exactly the accepted moves of every record.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import chess.pgn

ROOT = Path(__file__).resolve().parent.parent
KRIEG = os.environ.get("KRIEG", str(ROOT / "target/release/krieg"))

# Start positions from which castling, en passant and promotions are near.
STARTS = [
    None,
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8",
    "4k3/P1P3P1/8/pP1pP2p/P2Pp1p1/8/p1p3p1/4K3 w - - 0 30",
]

Games = list[list[str]]


def output_of(*command: str | Path) -> str:
    """The standard output of a command, which must succeed."""
    done = subprocess.run(list(map(str, command)), cwd=ROOT, text=True, capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed ({done.returncode}):\n{done.stderr or done.stdout}")
    return done.stdout


def play(folder: Path, ruleset: str, start: str | None, games: int) -> Path:
    """Plays a match and returns its games in extended PGN."""
    options = ["--games", str(games), "--ruleset", ruleset, "--opening-plies", "4"]
    options += ["--pgn", "--quiet"]
    if start:
        options += ["--fen", start]
    output_of(KRIEG, "match", "semi-random", "random", *options, "--out", folder)
    return folder / "games.pgn"


def accepted_moves(pgn: Path) -> Games:
    """The moves of each game as the umpire's record has them."""
    lines = output_of(KRIEG, "convert", pgn, "--to", "json").splitlines()
    return [
        [step["try"] for step in json.loads(line)["tries"] if is_move(step)] for line in lines
    ]


def is_move(step: dict) -> bool:
    return step["announcement"]["verdict"] == "moved"


def read_with_python_chess(pgn: Path) -> Games:
    games = []
    with pgn.open() as file:
        while game := chess.pgn.read_game(file):
            if game.errors:
                raise SystemExit(f"python-chess: {game.errors[0]} in {game.headers}")
            games.append([move.uci() for move in game.mainline_moves()])
    return games


def read_with_chess_js(pgn: Path) -> Games:
    return json.loads(output_of("node", ROOT / "conformance/read_with_chess_js.mjs", pgn))


def read_with_pgn_extract(pgn: Path) -> Games:
    program = output_of("tools/engines", "pgn-extract").strip()
    arguments = ["--quiet", "-Wuci", "-C", "-N", "-V", "--notags", "--noresults", "-w", "100000"]
    # Promotions have a capital letter: e7e8Q.
    games = [line.lower().split() for line in output_of(program, *arguments, pgn).splitlines()]
    return [game for game in games if game]


READERS: dict[str, Callable[[Path], Games]] = {
    "python-chess": read_with_python_chess,
    "chess.js": read_with_chess_js,
    "pgn-extract": read_with_pgn_extract,
}


def first_difference(expected: Games, found: Games) -> str | None:
    """What differs between the games of a record and those that a reader found."""
    if len(expected) != len(found):
        return f"{len(found)} games instead of {len(expected)}"
    for number, (ours, theirs) in enumerate(zip(expected, found), 1):
        if ours != theirs:
            ply = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), -1)
            return f"game {number}, ply {ply}: {len(theirs)} moves instead of {len(ours)}"
    return None


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--games", type=int, default=210, help="games in all (default: 210)")
    games = arguments.parse_args().games
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

    listing = output_of(KRIEG, "rulesets").splitlines()
    rulesets = [line.split()[0] for line in listing if line.strip()]
    matches = [(ruleset, start) for ruleset in rulesets for start in STARTS]
    # Games come in pairs.
    games_per_match = 2 * max(1, round(games / len(matches) / 2))
    played = passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (ruleset, start) in enumerate(matches):
            pgn = play(Path(folder) / str(number), ruleset, start, games_per_match)
            expected = accepted_moves(pgn)
            for reader, read in READERS.items():
                difference = first_difference(expected, read(pgn))
                if difference:
                    failed += 1
                    print(f"{reader}, {ruleset}, start {start or 'initial position'}: {difference}")
                else:
                    passed += 1
            played += len(expected)
    readers = ", ".join(READERS)
    print(f"{played} games, each read by {readers}; files: {passed} passed, {failed} failed")
    return 1 if failed or not played else 0


if __name__ == "__main__":
    sys.exit(main())
