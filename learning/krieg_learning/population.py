"""Who plays on the other side: the network itself, scripted players, and networks with a style.

The games lie side by side in groups: self-play, one scripted side, the present network with a
style, and one group for each earlier snapshot (also with styles). In each group but self-play, one
side is the learner, and only the learner's tries are trained.
"""

import torch
from torch import Tensor

from krieg_learning.policy import Style

KINDS = ("network", "random", "semi-random", "greedy", "recaptures", "never recaptures",
         "prefers pawns", "hides", "preferences")  # fmt: skip
# The learner is told these kinds, one byte each. It is never told of random preferences: they stand
# for players that it does not know.
TOLD_KINDS = 8
NETWORK, RANDOM, SEMI_RANDOM, GREEDY = 0, 1, 2, 3
RECAPTURES, NEVER_RECAPTURES, PREFERS_PAWNS, HIDES, PREFERENCES = 4, 5, 6, 7, 8
# In the counts of results, self-play follows the kinds.
SELF_PLAY = len(KINDS)
GROUPS = (*KINDS, "self-play")
STYLED = torch.tensor([0.26, 0.0, 0.0, 0.0, 0.11, 0.11, 0.11, 0.11, 0.3])
SCRIPTED = torch.tensor([0.0, 0.2, 0.35, 0.45, 0.0, 0.0, 0.0, 0.0, 0.0])
RECAPTURE_STRENGTH = 10.0
# Standard deviation of random preferences, in logits, when their scale is 1.
PIECE_PREFERENCE = 1.0
SQUARE_PREFERENCE = 0.6


def multiple_of_two(number: float) -> int:
    return 2 * round(number / 2)


class Population:
    """The opponent in each game. Everything is a tensor, so that games change on the device."""

    def __init__(
        self,
        games: int,
        scripted: int,
        styled: int,
        snapshots: list[int],
        known_share: float,
        device: torch.device,
    ) -> None:
        """Group sizes in games; the remaining games are self-play."""
        self.games = games
        self.known_share = known_share
        first_styled = games - sum(snapshots) - styled
        first_scripted = first_styled - scripted
        if first_scripted < 0:
            raise ValueError(f"{games} games are too few for these groups")
        slot = torch.arange(games, device=device)
        self.is_self_play = slot < first_scripted
        self.is_scripted = (slot >= first_scripted) & (slot < first_styled)
        self.is_network = slot >= first_styled
        self.snapshot_slices = []
        start = first_styled + styled
        for size in snapshots:
            self.snapshot_slices.append(slice(start, start + size))
            start += size
        chances = torch.where(
            self.is_scripted[:, None], SCRIPTED.to(device)[None], STYLED.to(device)[None]
        )
        self.bounds = chances.cumsum(1)
        self.kind = torch.zeros(games, dtype=torch.int64, device=device)
        self.is_known = torch.zeros(games, dtype=torch.bool, device=device)
        self.colour = torch.zeros(games, dtype=torch.uint8, device=device)
        self.temper = torch.zeros(games, device=device)
        self.temperature = torch.ones(games, device=device)
        self.strength = torch.zeros(games, device=device)
        self.piece_preference = torch.zeros(games, 6, device=device)
        self.square_preference = torch.zeros(games, 64, device=device)
        self.learner_temperature = 1.0
        self.changes = True
        self.redraw(torch.ones(games, dtype=torch.bool, device=device))

    def redraw(self, done: Tensor) -> None:
        """New opponents for the games that begin anew, in place."""
        if not self.changes:
            return
        draw = torch.rand(6, self.games, device=done.device)
        # The last bound may round to less than 1.
        kind = (draw[0][:, None] >= self.bounds).sum(1).clamp_max(len(KINDS) - 1)
        kind = torch.where(self.is_scripted, kind.clamp_max(GREEDY), kind)
        kind = torch.where(self.is_self_play, NETWORK, kind)
        new = {
            "kind": kind,
            "is_known": draw[1] < self.known_share,
            "colour": (draw[2] < 0.5).to(torch.uint8),
            # Mostly near the player itself, sometimes with many random tries.
            "temper": 0.6 * draw[3] * draw[3],
            # Between a half and 1.6, evenly in the logarithm.
            "temperature": torch.exp(-0.69 + 1.16 * draw[4]),
            "strength": 1.0 + 3.0 * draw[5],
        }
        # Between 0.2 and 1.6: from nearly the network's own tries to rather odd ones.
        scale = torch.where(kind == PREFERENCES, 0.2 + 1.4 * draw[5], 0.0)[:, None]
        pieces = torch.randn(self.games, 6, device=done.device)
        squares = torch.randn(self.games, 64, device=done.device)
        new["piece_preference"] = PIECE_PREFERENCE * scale * pieces
        new["square_preference"] = SQUARE_PREFERENCE * scale * squares
        for name, value in new.items():
            present = getattr(self, name)
            is_new = done.view(-1, *[1] * (value.dim() - 1))
            present.copy_(torch.where(is_new, value, present))

    def fix(self, kinds: Tensor, colour: Tensor, temper: float, temperature: float) -> None:
        """The same opponents in all games from now on, for evaluation."""
        self.changes = False
        self.kind.copy_(kinds)
        self.piece_preference.zero_()
        self.square_preference.zero_()
        self.colour.copy_(colour)
        self.is_known.fill_(False)
        self.temper.fill_(temper)
        self.temperature.fill_(temperature)
        self.learner_temperature = temperature

    def group(self) -> Tensor:
        """The row of each game in counts by `GROUPS`."""
        return torch.where(self.is_self_play, SELF_PLAY, self.kind)

    def learner_moves(self, mover: Tensor) -> Tensor:
        return self.is_self_play | (mover == self.colour)

    def scripted_kinds(self, mover: Tensor) -> Tensor:
        """The kinds for the simulator's scripted players; 0 where another player moves."""
        moves = self.is_scripted & (mover != self.colour)
        return torch.where(moves, self.kind, 0).to(torch.uint8)

    def style(self, mover: Tensor) -> Style:
        """The style of the side to move. The learner has none."""
        other = self.is_network & (mover != self.colour)

        def only(kind: int, strength: Tensor) -> Tensor:
            return torch.where(other & (self.kind == kind), strength, 0.0)

        always = torch.full_like(self.strength, RECAPTURE_STRENGTH)
        return Style(
            torch.where(other, self.temperature, self.learner_temperature),
            only(RECAPTURES, always) - only(NEVER_RECAPTURES, always),
            only(PREFERS_PAWNS, self.strength),
            -only(HIDES, self.strength),
            torch.where(other[:, None], self.piece_preference, 0.0),
            torch.where(other[:, None], self.square_preference, 0.0),
        )

    def kind_bytes(self, mover: Tensor) -> Tensor:
        """The bytes [G, 8] that tell the learner the kind of the opponent, if it is known."""
        tells = self.is_known & self.learner_moves(mover)
        kinds = torch.arange(TOLD_KINDS, device=mover.device)
        return ((self.kind[:, None] == kinds) & tells[:, None]).to(torch.uint8) * 255


def training_population(
    games: int,
    scripted_share: float,
    network_share: float,
    snapshot_slots: int,
    known_share: float,
    device: torch.device,
) -> Population:
    """The population of training: the present network takes one more share than each snapshot."""
    scripted = multiple_of_two(games * scripted_share)
    each = multiple_of_two(games * network_share / (snapshot_slots + 1))
    snapshots = [each] * snapshot_slots
    return Population(games, scripted, each, snapshots, known_share, device)
