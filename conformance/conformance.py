#!/usr/bin/env python3
"""Plays `krieg referee` against other people's referees and reports every difference."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from multiprocessing import Pool
from pathlib import Path

import declared_draws
import deviations
from kriegspiel_judge import RULESETS
from lockstep import ANY_RULESETS, JUDGES, play_game
from referee_client import Referee, RefereeError
from self_test import self_test
from tally import DECLARED_DRAWS, OCCURRENCES, ONLY_WITH_ANY, Tally

ALL_JUDGES = (*JUDGES, declared_draws.NAME)
ONLY_ICC = ("open_spiel", declared_draws.NAME)
"""The judges that know nothing of other rulesets."""
GAMES_THAT_COVER_ALL = 600
"""In so many games, a hundred of each ruleset, all of `OCCURRENCES` must have happened."""
GAMES_THAT_COVER_DRAWS = 50
CHUNK = 5
REPORTED = 10
"""How many failures are told in full."""

Row = tuple[str, str]
"""A ruleset and a judge."""


def main() -> int:
    """Runs what the command line asks for."""
    options = read_options()
    if options.list_deviations:
        print(deviations.table())
        return 0
    try:
        with Referee(options.krieg) as referee:
            referee.ask({"cmd": "rulesets"})
    except (OSError, RefereeError) as error:
        print(f"{options.krieg} referee: {error}", file=sys.stderr)
        return 2
    if options.self_test:
        return 0 if self_test(options.krieg, options.max_plies) else 1
    rows = [
        (ruleset, judge)
        for judge in options.judges
        for ruleset in options.rulesets
        if judge not in ONLY_ICC or ruleset == "icc"
    ]
    tallies = play_all(rows, options)
    return report(tallies, options)


def read_options() -> argparse.Namespace:
    """The command line."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__)
    krieg = os.environ.get("KRIEG", str(here.parent / "target/release/krieg"))
    parser.add_argument("--krieg", default=krieg, metavar="PATH", help="our program")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="of each ruleset")
    parser.add_argument("--rulesets", type=names(RULESETS), default=list(RULESETS), metavar="A,B,C")
    parser.add_argument("--judges", type=names(ALL_JUDGES), default=list(ALL_JUDGES), metavar="A,B")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J", help="processes")
    parser.add_argument("--max-plies", type=int, default=150, metavar="P", help="moves of a game")
    parser.add_argument("--only", type=int, metavar="GAME", help="only the game of this number")
    parser.add_argument("--self-test", action="store_true", help="see whether lies are noticed")
    parser.add_argument("--list-deviations", action="store_true", help="print what is excused")
    return parser.parse_args()


def names(known: Iterable[str]) -> Callable[[str], list[str]]:
    """A reader of a list with commas, each a known name."""

    def read(text: str) -> list[str]:
        chosen = text.split(",")
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(known)}")
        return chosen

    return read


def play_all(rows: list[Row], options: argparse.Namespace) -> dict[Row, Tally]:
    """Plays all games in as many processes as asked for."""
    if options.only is not None:
        games = [(options.only,)]
    else:
        numbers = range(options.games)
        games = [tuple(numbers[start : start + CHUNK]) for start in numbers[::CHUNK]]
    tasks = [(row, chunk, options.seed, options.max_plies) for chunk in games for row in rows]
    tallies = {row: Tally() for row in rows}
    played, wanted = 0, len(rows) * sum(len(chunk) for chunk in games)
    with Pool(options.jobs, start_worker, (options.krieg,)) as pool:
        for row, tally in pool.imap_unordered(play_chunk, tasks):
            tallies[row].add(tally)
            played += tally.games
            failed = sum(len(tally.failures) for tally in tallies.values())
            print(f"\r{played} of {wanted} games, {failed} failed", end="", file=sys.stderr)
    print(file=sys.stderr)
    return tallies


_krieg: str
_referee: Referee


def start_worker(krieg: str) -> None:
    """Gives each process a referee of its own. It ends with the process, as its input ends."""
    global _krieg, _referee
    _krieg, _referee = krieg, Referee(krieg)


def play_chunk(task: tuple[Row, tuple[int, ...], int, int]) -> tuple[Row, Tally]:
    """A few games of one ruleset and judge."""
    (ruleset, judge), games, seed, max_plies = task
    total = Tally()
    for game in games:
        if _referee.is_gone():
            start_worker(_krieg)
        if judge == declared_draws.NAME:
            total.add(declared_draws.play_draw_game(_referee, seed, game))
        else:
            total.add(play_game(_referee, judge, ruleset, seed, game, max_plies))
    return (ruleset, judge), total


def report(tallies: dict[Row, Tally], options: argparse.Namespace) -> int:
    """Prints what was found, the verdict last. Returns the exit code."""
    failures = [failure for tally in tallies.values() for failure in tally.failures]
    for failure in sorted(failures, key=lambda failure: len(failure.tries))[:REPORTED]:
        print(failure.report(options.seed), end="\n\n")
    if len(failures) > REPORTED:
        print(f"... and {len(failures) - REPORTED} more failures\n")
    print_rows(tallies)
    print_counts("answers and prompts where a judge errs", tallies, "deviations")
    print_counts("what happened", tallies, "occurrences")
    unseen = never_deviated(tallies)
    if unseen:
        print(f"\nNot met in this run: the deviations {', '.join(unseen)}.")
    missing = never_happened(tallies)
    if missing:
        print(f"\nThe run proves too little: there never was {', '.join(missing)}.")
    games = sum(tally.games for tally in tallies.values())
    print(f"\n{games - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or missing else 0


def print_rows(tallies: dict[Row, Tally]) -> None:
    """The table of how much was compared."""
    columns = ("games", "plies", "attempts", "refused", "asked", "senseless")
    titles = ("games", "plies", "attempts", "refused", "any?", "senseless", "deviating", "failed")
    print(f"{'ruleset':<13}{'judge':<12}" + "".join(f"{title:>10}" for title in titles))
    for (ruleset, judge), tally in tallies.items():
        numbers = [getattr(tally, column) for column in columns]
        numbers += [sum(tally.deviations.values()), len(tally.failures)]
        print(f"{ruleset:<13}{judge:<12}" + "".join(f"{number:>10}" for number in numbers))


def print_counts(title: str, tallies: dict[Row, Tally], which: str) -> None:
    """How often each thing was seen, by ruleset and judge."""
    counts: list[Counter[str]] = [getattr(tally, which) for tally in tallies.values()]
    total = sum(counts, Counter())
    width = max(map(len, [title, *total])) + 2
    rulesets, judges = zip(*tallies, strict=True)
    rows = [("", "", rulesets), (title, "all", judges)]
    rows += [(key, count, [of[key] or "-" for of in counts]) for key, count in total.most_common()]
    print()
    for name, in_all, each in rows:
        print(f"{name:<{width}}{in_all:>9}" + "".join(f"{cell:>14}" for cell in each))


def never_happened(tallies: dict[Row, Tally]) -> list[str]:
    """What a run of this size should have seen and did not."""
    of_draws = {row: tally for row, tally in tallies.items() if row[1] == declared_draws.NAME}
    others = {row: tally for row, tally in tallies.items() if row not in of_draws}
    asks = any(ruleset in ANY_RULESETS for ruleset, _ in others)
    wanted = [key for key in OCCURRENCES if asks or key not in ONLY_WITH_ANY]
    return [
        *unseen_in(others, GAMES_THAT_COVER_ALL, wanted),
        *unseen_in(of_draws, GAMES_THAT_COVER_DRAWS, DECLARED_DRAWS),
    ]


def unseen_in(tallies: dict[Row, Tally], games: int, wanted: Iterable[str]) -> list[str]:
    """What never happened in these rows, if there were so many games."""
    if sum(tally.games for tally in tallies.values()) < games:
        return []
    seen = {key for tally in tallies.values() for key in tally.occurrences}
    return [key for key in wanted if key not in seen]


def never_deviated(tallies: dict[Row, Tally]) -> list[str]:
    """The deviations that these judges could have shown and did not: perhaps they mended them."""
    seen = {key for tally in tallies.values() for key in tally.deviations}
    return [
        deviation.key
        for deviation in deviations.DEVIATIONS
        if deviation.key not in seen
        and any((ruleset, deviation.judge) in tallies for ruleset in deviation.rulesets)
    ]


if __name__ == "__main__":
    sys.exit(main())
