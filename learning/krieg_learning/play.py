"""Many games side by side: observe, decide, step. Used by training and by evaluation.

Nothing here waits for the device, so that a whole step can be captured as one CUDA graph.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from krieg_learning import policy
from krieg_learning.network import Weights, forward
from krieg_learning.policy import Style
from krieg_learning.population import Population
from krieg_learning.simulator import Simulator

SCALAR_KIND = slice(54, 62)


@dataclass(frozen=True)
class Execution:
    """How passes are computed."""

    device: torch.device
    dtype: torch.dtype = torch.float32
    compiled: bool = False
    graph: bool = False
    attention: str = "products"

    def prepare(self, function: Callable) -> Callable:
        return torch.compile(function, dynamic=False) if self.compiled else function


class Decision(NamedTuple):
    """What one pass decides and predicts, for each game [G]."""

    tries: Tensor
    log_probability: Tensor
    value: Tensor  # [G, 3] probabilities of win, draw, loss
    gain: Tensor
    memory: Tensor  # [G, 64, 6] the belief as bytes
    entropy: Tensor
    belief_loss: Tensor


class Observation(NamedTuple):
    """The buffers that the simulator fills."""

    planes: Tensor
    scalars: Tensor
    masks: Tensor
    target: Tensor
    mover: Tensor
    ruleset: Tensor
    ply: Tensor
    material: Tensor


class Events(NamedTuple):
    """What the tries led to, as the simulator fills it."""

    accepted: Tensor
    done: Tensor
    result: Tensor
    ending: Tensor
    captured: Tensor
    mover: Tensor


def empty_observation(games: int, device: torch.device) -> Observation:
    def zeros(*size: int, dtype: torch.dtype = torch.uint8) -> Tensor:
        return torch.zeros(games, *size, dtype=dtype, device=device)

    return Observation(
        planes=zeros(64, 48),
        scalars=zeros(64),
        masks=zeros(65, dtype=torch.int64),
        target=zeros(64),
        mover=zeros(),
        ruleset=zeros(),
        ply=zeros(dtype=torch.int16),
        material=zeros(dtype=torch.int8),
    )


def empty_events(games: int, device: torch.device) -> Events:
    bytes_of = [torch.zeros(games, dtype=torch.uint8, device=device) for _ in range(6)]
    bytes_of[2] = bytes_of[2].to(torch.int8)
    return Events(*bytes_of)


def act(
    weights: Weights,
    observation: Observation,
    style: Style,
    dtype: torch.dtype,
    way: str,
) -> Decision:
    """One pass of a network and one sampled try for each game."""
    planes, masks = observation.planes, observation.masks
    outputs = forward(weights, planes, observation.scalars, dtype, way)
    choice = policy.sample(outputs, planes, masks, style)
    return Decision(
        choice.tries,
        choice.log_probability,
        torch.softmax(outputs.value, 1),
        outputs.material,
        policy.memory_of(outputs.belief, planes),
        choice.entropy,
        policy.belief_loss(outputs.belief, planes, observation.target),
    )


class Play:
    """The games, the memories of their players, and the networks that play."""

    def __init__(
        self,
        simulator: Simulator,
        population: Population,
        learner: Weights,
        snapshots: list[Weights],
        execution: Execution,
        compiled_act: Callable | None = None,
    ) -> None:
        games, device = population.games, execution.device
        self.simulator = simulator
        self.population = population
        self.learner = learner
        self.snapshots = snapshots
        self.execution = execution
        self.act = compiled_act or execution.prepare(act)
        self.observation = empty_observation(games, device)
        self.events = empty_events(games, device)
        self.contents = torch.zeros(games, 2, 64, dtype=torch.uint8, device=device)
        self.memory = torch.zeros(games, 2, 64, 6, dtype=torch.uint8, device=device)
        # The passes of snapshots are small: side by side with the learner's they cost little.
        is_gpu = device.type == "cuda"
        self.streams = [torch.cuda.Stream() if is_gpu else None for _ in snapshots]
        self.recall(torch.ones(games, dtype=torch.bool, device=device))

    def recall(self, done: Tensor) -> None:
        """Gives both players of games that begin the start position as memory."""
        self.simulator.contents(self.contents)
        fresh = policy.memory_of_contents(self.contents)
        self.memory.copy_(torch.where(done[:, None, None, None], fresh, self.memory))

    def observe(self) -> None:
        """Fills the buffers with what the side to move sees, the own memory included."""
        view = self.observation
        self.simulator.observe(view.planes, view.scalars, view.masks, view.target, view.mover)
        self.simulator.info(view.ruleset, view.ply, view.material)
        is_black = (view.mover != 0)[:, None, None]
        view.planes[:, :, policy.MEMORY] = torch.where(
            is_black, self.memory[:, 1], self.memory[:, 0]
        )
        view.scalars[:, SCALAR_KIND] = self.population.kind_bytes(view.mover)

    def run_pass(self, weights: Weights, style: Style, games: slice) -> Decision:
        """A pass of one network over some of the games."""
        part = Observation(*(buffer[games] for buffer in self.observation))
        part_style = Style(*(values[games] for values in style))
        way = self.execution
        return self.act(weights, part, part_style, way.dtype, way.attention)

    def predict(self) -> Decision:
        """The learner's pass over all games, also those in which the opponent is to move."""
        style = self.population.style(self.observation.mover)
        return self.run_pass(self.learner, style, slice(None))

    def decide(self) -> Decision:
        """The tries of all sides to move."""
        mover = self.observation.mover
        style = self.population.style(mover)
        slices = self.population.snapshot_slices
        others = [
            self.run_beside(weights, style, games, stream)
            for games, weights, stream in zip(slices, self.snapshots, self.streams, strict=True)
        ]
        decision = self.run_pass(self.learner, style, slice(None))
        for games, other, stream in zip(slices, others, self.streams, strict=True):
            if stream is not None:
                torch.cuda.current_stream().wait_stream(stream)
            is_other = mover[games] != self.population.colour[games]
            decision.tries[games] = torch.where(is_other, other.tries, decision.tries[games])
            decision.memory[games] = torch.where(
                is_other[:, None, None], other.memory, decision.memory[games]
            )
        kinds = self.population.scripted_kinds(mover)
        self.simulator.scripted(kinds, self.population.temper, decision.tries)
        return decision

    def run_beside(
        self, weights: Weights, style: Style, games: slice, stream: torch.cuda.Stream | None
    ) -> Decision:
        """A pass on a stream of its own, which begins after everything before."""
        if stream is None:
            return self.run_pass(weights, style, games)
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            return self.run_pass(weights, style, games)

    def advance(self, decision: Decision) -> None:
        """Makes the tries; games that end begin anew against new opponents."""
        sides = torch.arange(2, device=self.memory.device)
        moves = (self.observation.mover[:, None] == sides)[:, :, None, None]
        self.memory.copy_(torch.where(moves, decision.memory[:, None], self.memory))
        self.simulator.step(decision.tries, self.events)
        done = self.events.done != 0
        self.recall(done)
        self.population.redraw(done)
