"""Rollouts: a window of steps of all games, kept on the device."""

import sys
from typing import NamedTuple

import torch
from torch import Tensor

from krieg_learning.play import Play
from krieg_learning.population import GROUPS
from krieg_learning.returns import Window
from krieg_learning.simulator import RULESETS

ENDINGS = 16


class Counts(NamedTuple):
    """Sums over one window, on the device."""

    results: Tensor  # [groups, 3] games won, drawn, lost by the learner (by White in self-play)
    endings: Tensor  # [ENDINGS]
    plies: Tensor  # of the games that ended
    belief: Tensor  # [rulesets, 3] learner's steps, nats of belief, nats of entropy
    group_belief: Tensor  # [groups, 2] learner's steps, nats of belief


class Rollout:
    """Plays windows of `steps` tries of each game and keeps what training needs."""

    def __init__(self, play: Play, steps: int) -> None:
        self.play = play
        self.steps = steps
        self.games = play.population.games
        self.device = play.execution.device
        self.clock = torch.zeros(1, dtype=torch.int64, device=self.device)
        self.storage: dict[str, Tensor] = {}
        self.wants_graph = play.execution.graph
        self.graph: torch.cuda.CUDAGraph | None = None

    @torch.no_grad()
    def run(self) -> None:
        """Plays one window. The storage then holds [steps, games, ...] of each value."""
        if self.wants_graph and self.graph is None:
            self.capture()
        self.clock.zero_()
        for _ in range(self.steps):
            if self.graph is not None:
                self.graph.replay()
            else:
                self.step()
        # One more observation: what the side to move after the window expects.
        self.play.observe()
        self.last = self.play.predict()

    def step(self) -> None:
        """One try in each game."""
        play = self.play
        play.observe()
        mover = play.observation.mover
        learns = play.population.learner_moves(mover)
        group = play.population.group()
        colour = torch.where(play.population.is_self_play, 0, play.population.colour)
        decision = play.decide()
        values = play.observation._asdict() | {
            "tries": decision.tries,
            "log_probability": decision.log_probability,
            "value": decision.value,
            "gain": decision.gain,
            "entropy": decision.entropy,
            "belief_loss": decision.belief_loss,
            "learns": learns,
            "group": group,
            "colour": colour,
        }
        self.store(values)
        play.advance(decision)
        events = play.events
        self.store({"done": events.done, "result": events.result, "ending": events.ending})
        self.clock += 1

    def store(self, values: dict[str, Tensor]) -> None:
        for name, value in values.items():
            if name not in self.storage:
                size = (self.steps, *value.shape)
                self.storage[name] = torch.zeros(size, dtype=value.dtype, device=self.device)
            self.storage[name].index_copy_(0, self.clock, value[None])

    def capture(self) -> None:
        """Records one step as a CUDA graph. The first steps compile and allocate."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self.clock.zero_()
                self.step()
        torch.cuda.current_stream().wait_stream(stream)
        # If several streams cannot be recorded, one after the other can.
        self.graph = self.recorded()
        if self.graph is None:
            self.play.streams = [None] * len(self.play.streams)
            self.graph = self.recorded()
        if self.graph is None:
            self.wants_graph = False

    def recorded(self) -> torch.cuda.CUDAGraph | None:
        """The graph of one step; without it everything works, but more slowly."""
        torch.cuda.synchronize()
        self.clock.zero_()
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph):
                self.step()
        except RuntimeError as error:
            print(f"rollout: no CUDA graph was recorded ({error})", file=sys.stderr)
            return None
        return graph

    def window(self) -> Window:
        """The window as the returns need it."""
        kept, view = self.storage, self.play.observation
        return Window(
            mover=kept["mover"],
            done=kept["done"] != 0,
            result=kept["result"],
            value=kept["value"],
            material=kept["material"],
            gain=kept["gain"],
            last_mover=view.mover,
            last_value=self.last.value,
            last_material=view.material,
            last_gain=self.last.gain,
        )

    @torch.no_grad()
    def counts(self) -> Counts:
        """How the games of the window ended, and how well the learner knew the opponent."""
        kept = {name: tensor.flatten(0, 1) for name, tensor in self.storage.items()}
        device = self.device
        done = (kept["done"] != 0).float()
        sign = 1 - 2 * kept["colour"].long()
        result = kept["result"].long() * sign
        results = torch.zeros(len(GROUPS) * 3, device=device)
        results.index_add_(0, kept["group"] * 3 + 1 - result.clamp(-1, 1), done)
        endings = torch.zeros(ENDINGS, device=device)
        endings.index_add_(0, kept["ending"].long().clamp_max(ENDINGS - 1), done)
        plies = (kept["ply"].float() * done).sum()
        learns = kept["learns"].float()
        entries = torch.stack(
            [learns, learns * kept["belief_loss"], learns * kept["entropy"]], 1
        )
        belief = torch.zeros(len(RULESETS), 3, device=device)
        belief.index_add_(0, kept["ruleset"].long(), entries)
        by_group = torch.zeros(len(GROUPS), 2, device=device)
        by_group.index_add_(0, kept["group"], entries[:, :2])
        return Counts(results.view(-1, 3), endings, plies, belief, by_group)
