"""The simulator, through its binding. A Rust test compares its answers with krieg-core."""

import os
import unittest
from types import SimpleNamespace
from unittest import mock

import torch

from krieg_learning import device
from krieg_learning.simulator import ENDINGS, EVENTS, Simulator, SimulatorError

GAMES = 256
STANDARD = (1.0, 0.0, 0.0)
ALL_STARTS = (1.0, 1.0, 1.0)
RANDOM, SEMI_RANDOM, GREEDY = 1, 2, 3
VALUES = torch.tensor([0, 1, 3, 3, 5, 9, 0])


def setUpModule() -> None:
    global LIBRARY
    LIBRARY = device.build_simulator(torch.device("cpu"))


class Games:
    """A simulator and the tensors that it fills."""

    def __init__(self, starts: tuple[float, ...] = ALL_STARTS, **settings: object) -> None:
        chosen = {
            "games": GAMES,
            "seed": 1,
            "ruleset_weights": [1.0] * 7,
            "start_weights": starts,
            "quiet_limit": 100,
            "max_plies": 600,
        }
        self.simulator = Simulator(LIBRARY, torch.device("cpu"), **{**chosen, **settings})
        self.planes = torch.zeros(GAMES, 64, 48, dtype=torch.uint8)
        self.masks = torch.zeros(GAMES, 65, dtype=torch.int64)
        self.target = torch.zeros(GAMES, 64, dtype=torch.uint8)
        self.mover = torch.zeros(GAMES, dtype=torch.uint8)
        self.ply = torch.zeros(GAMES, dtype=torch.int16)
        self.material = torch.zeros(GAMES, dtype=torch.int8)
        self.contents = torch.zeros(GAMES, 2, 64, dtype=torch.uint8)
        self.tries = torch.zeros(GAMES, dtype=torch.int16)
        self.kinds = torch.full_like(self.mover, RANDOM)
        self.temper = torch.zeros(GAMES)
        self.events = SimpleNamespace(**{name: torch.zeros_like(self.mover) for name in EVENTS})
        self.events.result = torch.zeros(GAMES, dtype=torch.int8)

    def observe(self) -> None:
        self.simulator.observe(self.planes, None, self.masks, self.target, self.mover)
        self.simulator.info(None, self.ply, self.material)
        self.simulator.contents(self.contents)

    def step(self) -> None:
        """Plays the tries of the scripted players."""
        self.simulator.scripted(self.kinds, self.temper, self.tries)
        self.simulator.step(self.tries, self.events)


def history(steps: int, **settings: object) -> list[torch.Tensor]:
    games = Games(**settings)
    seen = []
    for _ in range(steps):
        games.observe()
        games.step()
        seen += [games.planes.clone(), games.tries.clone()]
    return seen


class SimulatorTest(unittest.TestCase):
    def test_same_seed_gives_same_games_with_any_number_of_threads(self) -> None:
        first = history(40)
        with mock.patch.dict(os.environ, {"KRIEG_SIMULATOR_THREADS": "3"}):
            second = history(40)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(first, second, strict=True)))
        other = history(40, seed=2)
        self.assertFalse(torch.equal(first[-1], other[-1]))

    def test_scripted_tries_are_sensible_and_refused_ones_leave_the_mask(self) -> None:
        games = Games()
        games.kinds = (1 + torch.arange(GAMES) % 3).to(torch.uint8)
        any_mask, refused = 0, 0
        for _ in range(100):
            games.observe()
            games.step()
            codes = games.tries.long() & 0xFFFF
            origin = torch.where(codes == 0x8000, 64, codes & 63)
            target = torch.where(codes == 0x8000, 0, codes >> 6 & 63)
            words = games.masks.gather(1, origin[:, None])[:, 0]
            self.assertTrue((words >> target & 1).all())
            any_mask += int((codes == 0x8000).sum())
            is_refused = (games.events.accepted == 0) & (codes != 0x8000)
            games.observe()
            words = games.masks.gather(1, origin[:, None])[:, 0]
            self.assertFalse((words >> target & 1)[is_refused].any())
            refused += int(is_refused.sum())
        self.assertGreater(any_mask, 0)
        self.assertGreater(refused, 0)

    def test_ended_games_are_replaced_and_have_an_ending(self) -> None:
        games = Games(max_plies=60)
        seen = torch.zeros(len(ENDINGS), dtype=torch.int64)
        for _ in range(300):
            games.step()
            games.simulator.info(ply=games.ply)
            events = games.events
            done = events.done != 0
            self.assertTrue((games.ply[done] == 0).all())
            self.assertTrue(((events.ending != 0) == done).all())
            self.assertTrue((games.ply < 60).all())
            is_decided = events.result != 0
            is_mate = events.ending == ENDINGS.index("checkmate")
            is_stalemate = events.ending == ENDINGS.index("stalemate")
            self.assertTrue((is_decided <= (is_mate | is_stalemate)).all())
            self.assertTrue((is_mate <= is_decided).all())
            # The mover wins by checkmate.
            side = 1 - 2 * events.mover.to(torch.int8)
            self.assertTrue((events.result[is_mate] == side[is_mate]).all())
            seen += torch.bincount(events.ending.long(), minlength=len(ENDINGS))
        for name in ("checkmate", "insufficient material", "max plies"):
            self.assertGreater(int(seen[ENDINGS.index(name)]), 0, name)

    def test_contents_agree_with_target_material_and_captures(self) -> None:
        games = Games()
        for _ in range(100):
            games.observe()
            index = games.mover.long()[:, None, None].expand(-1, 1, 64)
            own_view = games.contents.gather(1, index)[:, 0]
            self.assertTrue(torch.equal(own_view, games.target))
            black, white = VALUES[games.contents.long()].sum(2).unbind(1)
            self.assertTrue(torch.equal(white - black, games.material.long()))
            # The own pieces of the mover stand where the other player's contents are.
            own = games.planes[:, :, :6] != 0
            self.assertFalse((own.any(2) & (games.target != 0)).any())
            before = games.contents.clone()
            games.step()
            games.observe()
            lost = (before != 0).sum((1, 2)) - (games.contents != 0).sum((1, 2))
            goes_on = games.events.done == 0
            captured = (games.events.captured != 0).long()
            self.assertTrue(torch.equal(lost[goes_on], captured[goes_on]))

    def test_stronger_scripted_players_win_more(self) -> None:
        for weaker, stronger in ((RANDOM, SEMI_RANDOM), (RANDOM, GREEDY)):
            games = Games(starts=STANDARD, ruleset_weights=[1, 0, 0, 0, 0, 0, 0])
            slot = torch.arange(GAMES)
            wins = losses = 0
            for _ in range(1200):
                games.simulator.observe(mover=games.mover)
                is_strong = games.mover == slot % 2
                games.kinds.copy_(torch.where(is_strong, stronger, weaker))
                games.step()
                side = 1 - 2 * (slot % 2)
                result = games.events.result * side * games.events.done
                wins += int((result > 0).sum())
                losses += int((result < 0).sum())
            self.assertGreater(wins, 4 * losses + 20, stronger)

    def test_wrong_settings_and_tensors_are_rejected(self) -> None:
        wrong = [
            ({"quiet_limit": 101}, "quiet limit"),
            ({"max_plies": 0}, "plies"),
            ({"ruleset_weights": [0] * 7}, "weights"),
            ({"start_weights": (1, -1, 0)}, "weights"),
            ({"games": 0}, "number of games"),
        ]
        for settings, reason in wrong:
            with self.assertRaisesRegex(SimulatorError, reason):
                Games(**settings)
        games = Games()
        with self.assertRaisesRegex(SimulatorError, "256 × 64 bytes"):
            games.simulator.observe(target=torch.zeros(GAMES, 63, dtype=torch.uint8))
        with self.assertRaisesRegex(SimulatorError, "quiet limit"):
            games.simulator.set_starts([1] * 7, STANDARD, 0, 600)


if __name__ == "__main__":
    unittest.main()
