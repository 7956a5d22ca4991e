"""Evaluation of a checkpoint: `python -m krieg_learning.evaluate CHECKPOINT --help`.

A network plays `icc` from the standard start against the scripted players and against an earlier
checkpoint, and itself in all rulesets, where its belief is compared with the truth.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from krieg_learning import checkpoint, device
from krieg_learning.network import Weights
from krieg_learning.play import Execution, Play
from krieg_learning.population import GREEDY, KINDS, NETWORK, RANDOM, SEMI_RANDOM, Population
from krieg_learning.simulator import ENDINGS, RULESETS, Simulator, SimulatorError

ICC = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
STANDARD_START = (1.0, 0.0, 0.0)
QUIET_LIMIT = 100
MAX_PLIES = 600
MAX_STEPS = 1500
STEPS_PER_CHECK = 50
# The scripted players make none of their tries at random.
TEMPER = 0.0


@dataclass(frozen=True)
class Setup:
    """What all evaluations share."""

    simulators: Path
    execution: Execution
    games: int
    temperature: float = 0.5
    seed: int = 99
    compiled_act: Callable | None = None

    def simulator(self, rulesets: tuple[float, ...]) -> Simulator:
        return device.simulator(
            self.simulators,
            self.execution.device,
            games=self.games,
            seed=self.seed,
            ruleset_weights=rulesets,
            start_weights=STANDARD_START,
            quiet_limit=QUIET_LIMIT,
            max_plies=MAX_PLIES,
        )

    def play(
        self, rulesets: tuple[float, ...], population: Population, networks: list[Weights]
    ) -> Play:
        simulator = self.simulator(rulesets)
        learner, *others = networks
        return Play(simulator, population, learner, others, self.execution, self.compiled_act)


def score(wins: int, draws: int, losses: int) -> dict:
    """A result with the score in percent and its 95% interval (normal approximation)."""
    games = max(1, wins + draws + losses)
    mean = (wins + draws / 2) / games
    variance = max(0.0, (wins + draws / 4) / games - mean * mean)
    return {
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": round(100 * mean, 2),
        "interval": round(196 * math.sqrt(variance / games), 2),
    }


@torch.no_grad()
def first_games(play: Play) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Plays one game in each slot: whether it ended, the learner's result, and the ending."""
    games, where = play.population.games, play.execution.device
    ended = torch.zeros(games, dtype=torch.bool, device=where)
    result = torch.zeros(games, dtype=torch.int64, device=where)
    ending = torch.zeros(games, dtype=torch.int64, device=where)
    sign = 1 - 2 * play.population.colour.long()
    for step in range(MAX_STEPS):
        play.observe()
        play.advance(play.decide())
        new = (play.events.done != 0) & ~ended
        result = torch.where(new, play.events.result.long() * sign, result)
        ending = torch.where(new, play.events.ending.long(), ending)
        ended |= new
        if step % STEPS_PER_CHECK == 0 and bool(ended.all()):
            break
    return ended.cpu(), result.cpu(), ending.cpu()


def tables(play: Play) -> dict:
    """Wins, draws, losses and endings of the learner against each kind of opponent."""
    ended, result, ending = first_games(play)
    kinds = play.population.kind.cpu()
    tables = {}
    for kind in sorted(set(kinds.tolist())):
        chosen = ended & (kinds == kind)
        counted = [int((chosen & (result == value)).sum()) for value in (1, 0, -1)]
        endings = torch.bincount(ending[chosen], minlength=len(ENDINGS)).tolist()
        named = {name: n for name, n in zip(ENDINGS, endings, strict=False) if n}
        unfinished = int(((kinds == kind) & ~ended).sum())
        tables[KINDS[kind]] = score(*counted) | {"endings": named, "unfinished": unfinished}
    return tables


def against_scripted(setup: Setup, weights: Weights) -> dict:
    """The results against the random, the semi-random and the greedy player."""
    where = setup.execution.device
    population = Population(setup.games, setup.games, 0, [], 0.0, where)
    slot = torch.arange(setup.games, device=where)
    order = torch.tensor([RANDOM, SEMI_RANDOM, GREEDY], device=where)
    population.fix(order[slot // 2 % 3], slot % 2, TEMPER, setup.temperature)
    return tables(setup.play(ICC, population, [weights]))


def against_network(setup: Setup, weights: Weights, earlier: Weights) -> dict:
    """The result against another network at the same temperature."""
    where = setup.execution.device
    population = Population(setup.games, 0, 0, [setup.games], 0.0, where)
    slot = torch.arange(setup.games, device=where)
    population.fix(torch.full_like(slot, NETWORK), slot % 2, TEMPER, setup.temperature)
    return tables(setup.play(ICC, population, [weights, earlier]))[KINDS[NETWORK]]


@torch.no_grad()
def belief_by_ruleset(setup: Setup, weights: Weights, steps: int = 200) -> dict:
    """Log-loss of the belief and entropy of the policy in self-play, in nats, by ruleset."""
    where = setup.execution.device
    population = Population(setup.games, 0, 0, [], 0.0, where)
    zeros = torch.zeros(setup.games, dtype=torch.int64, device=where)
    population.fix(zeros, zeros, TEMPER, setup.temperature)
    play = setup.play((1.0,) * len(RULESETS), population, [weights])
    sums = torch.zeros(len(RULESETS), 3, device=where)
    for _ in range(steps):
        play.observe()
        decision = play.decide()
        entry = torch.stack(
            [torch.ones_like(decision.entropy), decision.belief_loss, decision.entropy], 1
        )
        sums.index_add_(0, play.observation.ruleset.long(), entry)
        play.advance(decision)
    means = sums[:, 1:] / sums[:, :1].clamp_min(1)
    return {
        name: {"belief": round(belief, 3), "entropy": round(entropy, 3)}
        for name, (belief, entropy) in zip(RULESETS, means.tolist(), strict=True)
    }


def evaluate(setup: Setup, weights: Weights, earlier: Weights | None) -> dict:
    """All of it."""
    report = {"temperature": setup.temperature, "scripted": against_scripted(setup, weights)}
    if earlier is not None:
        report["earlier"] = against_network(setup, weights, earlier)
    return report | {"rulesets": belief_by_ruleset(setup, weights)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--against", type=Path, help="an earlier checkpoint")
    parser.add_argument("--games", type=int, default=2048)
    parser.add_argument("--temperature", type=float, default=0.5)
    parser.add_argument("--device", default="auto", choices=["auto", "cuda", "cpu"])
    arguments = parser.parse_args()
    try:
        execution = device.execution(arguments.device)
        simulators = device.build_simulator(execution.device)
        names = [arguments.checkpoint] + [arguments.against] * (arguments.against is not None)
        networks = [device.load_weights(name, execution.device) for name in names]
    except (checkpoint.CheckpointError, device.DeviceError, SimulatorError) as error:
        sys.exit(f"evaluate: {error}")
    setup = Setup(simulators, execution, arguments.games, arguments.temperature)
    print(json.dumps(evaluate(setup, networks[0], (networks[1:] or [None])[0]), indent=1))


if __name__ == "__main__":
    main()
