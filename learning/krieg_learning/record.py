"""Recorded outputs of a checkpoint, for the test of the player's own inference:

    python -m krieg_learning.record CHECKPOINT FIXTURE

The inputs are positions of real games; `learning/NETWORK.md` describes the file.
"""

import argparse
import json
import sys
from pathlib import Path

import torch

from krieg_learning import checkpoint, device
from krieg_learning.network import Outputs, Weights, forward
from krieg_learning.play import Execution, Play
from krieg_learning.population import Population
from krieg_learning.simulator import SimulatorError

MAGIC = "KRIEGNET outputs"
# Positions are taken from games of different rulesets, after more and more tries.
STEPS_BETWEEN = 9
FIELDS = ("pair", "promotion", "any", "value", "belief")


def played_inputs(weights: Weights, positions: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Planes and scalars [positions, ...] from games that the network plays with itself."""
    execution = Execution(torch.device("cpu"))
    torch.manual_seed(seed)
    library = device.build_simulator(execution.device)
    simulator = device.simulator(
        library, execution.device, games=positions, seed=seed, ruleset_weights=(1.0,) * 7,
        start_weights=(1.0, 0.0, 0.0), quiet_limit=100, max_plies=400,
    )  # fmt: skip
    population = Population(positions, 0, 0, [], 1.0, execution.device)
    play = Play(simulator, population, weights, [], execution)
    planes, scalars = [], []
    with torch.no_grad():
        for game in range(positions):
            for _ in range(STEPS_BETWEEN):
                play.observe()
                play.advance(play.decide())
            play.observe()
            planes.append(play.observation.planes[game].clone())
            scalars.append(play.observation.scalars[game].clone())
    return torch.stack(planes), torch.stack(scalars)


def encode(planes: torch.Tensor, scalars: torch.Tensor, outputs: Outputs, name: str) -> bytes:
    """The file: a line of JSON, then each position's inputs and outputs."""
    count = len(planes)
    header = {"format": MAGIC, "version": 1, "positions": count, "checkpoint": name}
    rows = [getattr(outputs, field).reshape(count, -1) for field in FIELDS]
    parts = [json.dumps(header).encode() + b"\n"]
    for index in range(count):
        parts.append(planes[index].numpy().tobytes())
        parts.append(scalars[index].numpy().tobytes())
        parts += [row[index].float().numpy().astype("<f4").tobytes() for row in rows]
    return b"".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("fixture", type=Path)
    parser.add_argument("--positions", type=int, default=6)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    try:
        weights = device.load_weights(arguments.checkpoint, torch.device("cpu"))
        planes, scalars = played_inputs(weights, arguments.positions, arguments.seed)
    except (checkpoint.CheckpointError, device.DeviceError, SimulatorError) as error:
        sys.exit(f"record: {error}")
    # Double precision: the outputs are the exact ones, rounded once.
    exact = {name: tensor.double() for name, tensor in weights.items()}
    with torch.no_grad():
        outputs = forward(exact, planes, scalars, torch.float64)
    arguments.fixture.write_bytes(encode(planes, scalars, outputs, arguments.checkpoint.name))


if __name__ == "__main__":
    main()
