#!/usr/bin/env python3
"""Compares `krieg referee` with independent referees and reports every difference."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from multiprocessing import Pool
from pathlib import Path

import deviations
import draw_rules
from comparison import ANY_RULESETS, REFERENCES, play_game
from fault_injection import self_test
from kriegspiel_reference import RULESETS
from referee_client import Referee, RefereeError
from results import DRAW_ENDINGS, OCCURRENCES, ONLY_WITH_ANY, Results

ALL_REFERENCES = (*REFERENCES, draw_rules.NAME)
ONLY_ICC = ("open_spiel", draw_rules.NAME)
"""The references that have no other ruleset."""
GAMES_THAT_COVER_ALL = 600
"""Number of games, a hundred of each ruleset, in which all of `OCCURRENCES` must occur."""
GAMES_THAT_COVER_DRAWS = 50
CHUNK = 5
MAX_REPORTED = 10
"""Maximum number of failures that are printed."""

Row = tuple[str, str]
"""A ruleset and a reference."""


def main() -> int:
    """Runs the command line."""
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
        (ruleset, reference)
        for reference in options.references
        for ruleset in options.rulesets
        if reference not in ONLY_ICC or ruleset == "icc"
    ]
    all_results = play_all(rows, options)
    return report(all_results, options)


def read_options() -> argparse.Namespace:
    """Parses the command line."""
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__)
    krieg = os.environ.get("KRIEG", str(here.parent / "target/release/krieg"))
    parser.add_argument("--krieg", default=krieg, metavar="PATH", help="the program to test")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games of each ruleset")
    parser.add_argument("--rulesets", type=names(RULESETS), default=list(RULESETS), metavar="A,B,C")
    all_references = list(ALL_REFERENCES)
    parser.add_argument(
        "--references", type=names(ALL_REFERENCES), default=all_references, metavar="A,B"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J", help="processes")
    parser.add_argument("--max-plies", type=int, default=150, metavar="P", help="plies of a game")
    parser.add_argument("--only", type=int, metavar="GAME", help="the number of a single game")
    parser.add_argument("--self-test", action="store_true", help="test with injected faults")
    parser.add_argument("--list-deviations", action="store_true", help="print excused deviations")
    return parser.parse_args()


def names(known: Iterable[str]) -> Callable[[str], list[str]]:
    """A parser of comma-separated known names."""

    def read(text: str) -> list[str]:
        chosen = text.split(",")
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(known)}")
        return chosen

    return read


def play_all(rows: list[Row], options: argparse.Namespace) -> dict[Row, Results]:
    """Plays all games in parallel processes."""
    if options.only is not None:
        games = [(options.only,)]
    else:
        numbers = range(options.games)
        games = [tuple(numbers[start : start + CHUNK]) for start in numbers[::CHUNK]]
    tasks = [(row, chunk, options.seed, options.max_plies) for chunk in games for row in rows]
    all_results = {row: Results() for row in rows}
    played, total = 0, len(rows) * sum(len(chunk) for chunk in games)
    with Pool(options.jobs, start_worker, (options.krieg,)) as pool:
        for row, results in pool.imap_unordered(play_chunk, tasks):
            all_results[row].add(results)
            played += results.games
            failed = sum(len(results.failures) for results in all_results.values())
            print(f"\r{played} of {total} games, {failed} failed", end="", file=sys.stderr)
    print(file=sys.stderr)
    return all_results


_krieg: str
_referee: Referee


def start_worker(krieg: str) -> None:
    """Starts a referee for this process. It ends with the process, when its input ends."""
    global _krieg, _referee
    _krieg, _referee = krieg, Referee(krieg)


def play_chunk(task: tuple[Row, tuple[int, ...], int, int]) -> tuple[Row, Results]:
    """Plays a few games of one ruleset and reference."""
    (ruleset, reference), games, seed, max_plies = task
    total = Results()
    for game in games:
        if _referee.has_ended():
            start_worker(_krieg)
        if reference == draw_rules.NAME:
            total.add(draw_rules.play_draw_game(_referee, seed, game))
        else:
            total.add(play_game(_referee, reference, ruleset, seed, game, max_plies))
    return (ruleset, reference), total


def report(all_results: dict[Row, Results], options: argparse.Namespace) -> int:
    """Prints the results, the totals last. Returns the exit code."""
    failures = [failure for results in all_results.values() for failure in results.failures]
    for failure in sorted(failures, key=lambda failure: len(failure.tries))[:MAX_REPORTED]:
        print(failure.report(options.seed), end="\n\n")
    if len(failures) > MAX_REPORTED:
        print(f"... and {len(failures) - MAX_REPORTED} more failures\n")
    print_rows(all_results)
    print_counts("deviations of a reference", all_results, "deviations")
    print_counts("occurrences", all_results, "occurrences")
    unseen = never_deviated(all_results)
    if unseen:
        print(f"\nDeviations that did not occur: {', '.join(unseen)}.")
    missing = never_happened(all_results)
    if missing:
        print(f"\nThe run tests too little. These events did not occur: {', '.join(missing)}.")
    games = sum(results.games for results in all_results.values())
    print(f"\n{games - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or missing else 0


def print_rows(all_results: dict[Row, Results]) -> None:
    """Prints how much was compared."""
    columns = ("games", "plies", "attempts", "refused", "asked", "senseless")
    titles = ("games", "plies", "attempts", "refused", "any?", "senseless", "deviating", "failed")
    print(f"{'ruleset':<13}{'reference':<12}" + "".join(f"{title:>10}" for title in titles))
    for (ruleset, reference), results in all_results.items():
        numbers = [getattr(results, column) for column in columns]
        numbers += [sum(results.deviations.values()), len(results.failures)]
        print(f"{ruleset:<13}{reference:<12}" + "".join(f"{number:>10}" for number in numbers))


def print_counts(title: str, all_results: dict[Row, Results], which: str) -> None:
    """Prints how often each event occurred, by ruleset and reference."""
    counts: list[Counter[str]] = [getattr(results, which) for results in all_results.values()]
    total = sum(counts, Counter())
    width = max(map(len, [title, *total])) + 2
    rulesets, references = zip(*all_results, strict=True)
    rows = [("", "", rulesets), (title, "all", references)]
    rows += [(key, count, [of[key] or "-" for of in counts]) for key, count in total.most_common()]
    print()
    for name, in_all, each in rows:
        print(f"{name:<{width}}{in_all:>9}" + "".join(f"{cell:>14}" for cell in each))


def never_happened(all_results: dict[Row, Results]) -> list[str]:
    """Events that should have occurred in a run of this size and did not."""
    of_draws = {row: results for row, results in all_results.items() if row[1] == draw_rules.NAME}
    others = {row: results for row, results in all_results.items() if row not in of_draws}
    asks = any(ruleset in ANY_RULESETS for ruleset, _ in others)
    expected = [key for key in OCCURRENCES if asks or key not in ONLY_WITH_ANY]
    return [
        *unseen_in(others, GAMES_THAT_COVER_ALL, expected),
        *unseen_in(of_draws, GAMES_THAT_COVER_DRAWS, DRAW_ENDINGS),
    ]


def unseen_in(all_results: dict[Row, Results], games: int, expected: Iterable[str]) -> list[str]:
    """The expected events that never occurred, if there were at least this many games."""
    if sum(results.games for results in all_results.values()) < games:
        return []
    seen = {key for results in all_results.values() for key in results.occurrences}
    return [key for key in expected if key not in seen]


def never_deviated(all_results: dict[Row, Results]) -> list[str]:
    """Possible deviations that did not occur; perhaps the references were corrected."""
    seen = {key for results in all_results.values() for key in results.deviations}
    return [
        deviation.key
        for deviation in deviations.DEVIATIONS
        if deviation.key not in seen
        and any((ruleset, deviation.reference) in all_results for ruleset in deviation.rulesets)
    ]


if __name__ == "__main__":
    sys.exit(main())
