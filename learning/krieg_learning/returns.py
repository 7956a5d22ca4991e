"""Distributional λ-returns: what a player came to, seen from each own try.

A trajectory is the sequence of the tries of one player in one game. The next state of a player is
the observation before the own next try. There is no discount.
"""

from typing import NamedTuple

import torch
from torch import Tensor


class Window(NamedTuple):
    """T steps of G games that run side by side; a step is one try of the side to move."""

    mover: Tensor  # [T, G] 0 White, 1 Black
    done: Tensor  # [T, G] whether the try ended the game
    result: Tensor  # [T, G] 1 White won, 0 draw, -1 Black won; only where done
    value: Tensor  # [T, G, 3] predicted win, draw, loss for the mover
    material: Tensor  # [T, G] White's pieces minus Black's before the try
    gain: Tensor  # [T, G] predicted gain of material for the mover
    last_mover: Tensor  # [G] the side to move after the window
    last_value: Tensor  # [G, 3] its prediction
    last_material: Tensor  # [G]
    last_gain: Tensor  # [G]


class Returns(NamedTuple):
    """Targets of the predictions, for the mover of each step."""

    outcome: Tensor  # [T, G, 3] win, draw, loss
    gain: Tensor  # [T, G]
    known: Tensor  # [T, G] whether anything after the step was seen; if not, prediction = target


def outcome_of(result: Tensor) -> Tensor:
    """Results of games [G] as win, draw, loss of both players [G, 2, 3]."""
    white = torch.stack([result > 0, result == 0, result < 0], -1).float()
    return torch.stack([white, white.flip(-1)], 1)


def lambda_returns(window: Window, trace: float, gain_discount: float) -> Returns:
    """Walks back through the window with one carry for each player of each game.

    The gain of material is discounted, so that the shaping rewards captures soon after a try.
    """
    steps, games = window.mover.shape
    sides = torch.arange(2, device=window.mover.device)
    sign = 1.0 - 2.0 * sides

    is_last = sides == window.last_mover[:, None]
    known = is_last.clone()
    outcome = window.last_value[:, None].expand(games, 2, 3)
    value = outcome
    material = window.last_material[:, None].float() * sign
    gain = window.last_gain[:, None].expand(games, 2)
    prediction = gain

    outcomes = torch.empty_like(window.value)
    gains = torch.empty_like(window.gain)
    knowns = torch.empty_like(window.done, dtype=torch.bool)
    final = outcome_of(window.result.view(-1)).view(steps, games, 2, 3)
    for step in range(steps - 1, -1, -1):
        done = window.done[step][:, None]
        now = window.material[step][:, None].float() * sign
        outcome = torch.where(done[:, :, None], final[step], outcome)
        value = torch.where(done[:, :, None], final[step], value)
        gain = torch.where(done, 0.0, gain)
        prediction = torch.where(done, 0.0, prediction)
        material = torch.where(done, now, material)
        known = known | done

        step_value = window.value[step][:, None]
        step_gain = window.gain[step][:, None]
        new_outcome = torch.where(
            known[:, :, None], (1 - trace) * value + trace * outcome, step_value
        )
        later = gain_discount * ((1 - trace) * prediction + trace * gain)
        new_gain = torch.where(known, material - now + later, step_gain)

        moves = sides == window.mover[step][:, None]
        rows = torch.arange(games, device=moves.device)
        mover = window.mover[step].long()
        outcomes[step] = new_outcome[rows, mover]
        gains[step] = new_gain[rows, mover]
        knowns[step] = known[rows, mover]

        outcome = torch.where(moves[:, :, None], new_outcome, outcome)
        value = torch.where(moves[:, :, None], step_value, value)
        gain = torch.where(moves, new_gain, gain)
        prediction = torch.where(moves, step_gain, prediction)
        material = torch.where(moves, now, material)
        known = known | moves
    return Returns(outcomes, gains, knowns)


def utility(outcome: Tensor, draw_value: Tensor | float) -> Tensor:
    """The worth of win, draw, loss [..., 3] with what a draw counts at present."""
    return outcome[..., 0] - outcome[..., 2] + draw_value * outcome[..., 1]
