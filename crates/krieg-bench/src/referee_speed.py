#!/usr/bin/env python3
"""Measures how many attempts per second another referee answers in uniformly random games.

The seed determines the random numbers. The list of tries of `kriegspiel` has another order in each
run, so its games differ even with the same seed. The list is not sorted here, because that would
cost time that `kriegspiel` does not need.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from random import Random

import pyspiel
from kriegspiel.wild16 import Wild16Game

GameCounts = tuple[int, int, bool]
"""Attempts, plies, and whether the game ended before the deadline."""


def play_kriegspiel(rng: Random, deadline: float) -> GameCounts:
    """One game of Wild 16. Each attempt is drawn from what the referee allows."""
    game = Wild16Game()
    attempts = plies = 0
    while not game.game_over:
        if time.perf_counter() >= deadline:
            return attempts, plies, False
        attempts += 1
        plies += game.ask_for(rng.choice(game.possible_to_ask)).move_done
    return attempts, plies, True


def open_spiel_player() -> Callable[[Random, float], GameCounts]:
    """Games of OpenSpiel's kriegspiel with its default settings. The game is loaded only once."""
    game = pyspiel.load_game("kriegspiel")

    def play(rng: Random, deadline: float) -> GameCounts:
        state = game.new_initial_state()
        attempts = 0
        ended = True
        while not state.is_terminal():
            if time.perf_counter() >= deadline:
                ended = False
                break
            state.apply_action(rng.choice(state.legal_actions()))
            attempts += 1
        # The number of plies follows from the final position, so the loop need not count them.
        _, turn, _, _, _, number = str(state).split(" ")
        return attempts, 2 * (int(number) - 1) + (turn == "b"), ended

    return play


def main() -> None:
    """Plays for the given number of seconds and prints one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--referee", choices=("kriegspiel", "open_spiel"), required=True)
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args()
    play = open_spiel_player() if options.referee == "open_spiel" else play_kriegspiel

    rng = Random(options.seed)
    attempts = plies = games = 0
    start = time.perf_counter()
    deadline = start + options.seconds
    while time.perf_counter() < deadline:
        more_attempts, more_plies, ended = play(rng, deadline)
        attempts += more_attempts
        plies += more_plies
        games += ended
    measured = {
        "referee": options.referee,
        "attempts": attempts,
        "plies": plies,
        "games": games,
        "seconds": round(time.perf_counter() - start, 3),
    }
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
