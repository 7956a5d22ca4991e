"""The λ-returns against an oracle that follows each trajectory by itself."""

import unittest

import torch

from krieg_learning.returns import Window, lambda_returns, outcome_of, utility

TRACE, DISCOUNT = 0.9, 0.8


def random_window(steps: int, games: int, seed: int) -> Window:
    generator = torch.Generator().manual_seed(seed)

    def draw(*size: int) -> torch.Tensor:
        return torch.rand(*size, generator=generator)

    return Window(
        mover=(draw(steps, games) < 0.5).to(torch.uint8),
        done=draw(steps, games) < 0.15,
        result=torch.randint(-1, 2, (steps, games), generator=generator).to(torch.int8),
        value=torch.softmax(3 * draw(steps, games, 3), 2),
        material=torch.randint(-9, 10, (steps, games), generator=generator).to(torch.int8),
        gain=draw(steps, games),
        last_mover=(draw(games) < 0.5).to(torch.uint8),
        last_value=torch.softmax(draw(games, 3), 1),
        last_material=torch.randint(-9, 10, (games,), generator=generator).to(torch.int8),
        last_gain=draw(games),
    )


def oracle(window: Window, game: int, step: int) -> tuple[list[float], float, bool]:
    """The return of one step by recursion on its definition: outcome, gain, known."""
    steps = len(window.mover)
    player = int(window.mover[step, game])
    sign = 1 - 2 * player
    now = sign * int(window.material[step, game])
    value = window.value[step, game].tolist()
    for later in range(step, steps):
        if later > step and int(window.mover[later, game]) == player:
            outcome, gain, _ = oracle(window, game, later)
            next_value = window.value[later, game].tolist()
            next_gain = float(window.gain[later, game])
            material = sign * int(window.material[later, game])
            break
        if window.done[later, game]:
            index = 1 - sign * int(window.result[later, game])
            outcome = next_value = [float(index == place) for place in range(3)]
            gain = next_gain = 0.0
            material = sign * int(window.material[later, game])
            break
    else:
        if int(window.last_mover[game]) != player:
            return value, float(window.gain[step, game]), False
        outcome = next_value = window.last_value[game].tolist()
        gain = next_gain = float(window.last_gain[game])
        material = sign * int(window.last_material[game])
    mixed = [(1 - TRACE) * p + TRACE * g for p, g in zip(next_value, outcome, strict=True)]
    expected = (1 - TRACE) * next_gain + TRACE * gain
    return mixed, material - now + DISCOUNT * expected, True


class ReturnsTest(unittest.TestCase):
    def test_returns_equal_those_of_the_oracle(self) -> None:
        for seed in range(3):
            window = random_window(20, 12, seed)
            returns = lambda_returns(window, TRACE, DISCOUNT)
            for step in range(20):
                for game in range(12):
                    outcome, gain, known = oracle(window, game, step)
                    self.assertEqual(bool(returns.known[step, game]), known)
                    self.assertAlmostEqual(float(returns.gain[step, game]), gain, places=4)
                    for got, right in zip(returns.outcome[step, game], outcome, strict=True):
                        self.assertAlmostEqual(float(got), right, places=5)

    def test_result_is_seen_from_both_sides(self) -> None:
        both = outcome_of(torch.tensor([1, 0, -1]))
        self.assertEqual(both[0].tolist(), [[1, 0, 0], [0, 0, 1]])
        self.assertEqual(both[1].tolist(), [[0, 1, 0], [0, 1, 0]])
        self.assertEqual(both[2].tolist(), [[0, 0, 1], [1, 0, 0]])

    def test_draw_counts_what_is_asked(self) -> None:
        outcome = torch.tensor([0.5, 0.25, 0.25])
        self.assertAlmostEqual(float(utility(outcome, -0.4)), 0.15, places=6)


class OracleTest(unittest.TestCase):
    def test_oracle_windows_contain_every_case(self) -> None:
        window = random_window(20, 12, 0)
        known = [oracle(window, game, 19)[2] for game in range(12)]
        self.assertIn(True, known)
        self.assertIn(False, known)


if __name__ == "__main__":
    unittest.main()
