"""Measures the simulator: `python3 learning/simulator/bench.py`.

Without options it builds the simulator for the CPU, and for the GPU if PyTorch finds one, and
measures tries per second with random sensible tries. With --compare it also plays the same games
on both and compares every try, observation and event.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

LEARNING = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(LEARNING))

import torch  # noqa: E402
from krieg_learning.simulator import EVENTS, RULESETS, Simulator  # noqa: E402

QUIET_LIMIT = 100
MAX_PLIES = 600


def build(kind: str) -> Path:
    """Builds the simulator and returns the folder of its library."""
    folder = LEARNING.parent / "target" / "learning" / kind
    subprocess.run([str(LEARNING / "simulator" / "build"), kind, str(folder)], check=True)
    return folder


class Games:
    """A simulator with the tensors that its calls fill."""

    def __init__(
        self, device: str, games: int, rulesets: list[float], starts: list[float]
    ) -> None:
        self.device = torch.device(device)
        self.games = games
        library = build("gpu" if device == "cuda" else "cpu")
        self.simulator = Simulator(
            library,
            self.device,
            games=games,
            seed=7,
            ruleset_weights=rulesets,
            start_weights=starts,
            quiet_limit=QUIET_LIMIT,
            max_plies=MAX_PLIES,
        )
        self.planes = self.empty(64, 48)
        self.scalars = self.empty(64)
        self.masks = self.empty(65, dtype=torch.int64)
        self.target = self.empty(64)
        self.mover = self.empty()
        self.tries = self.empty(dtype=torch.int16)
        self.kinds = torch.ones_like(self.mover)
        self.temper = self.empty(dtype=torch.float32)
        self.events = SimpleNamespace(**{name: self.empty() for name in EVENTS})

    def empty(self, *size: int, dtype: torch.dtype = torch.uint8) -> torch.Tensor:
        return torch.zeros(self.games, *size, dtype=dtype, device=self.device)

    def choose(self) -> None:
        self.simulator.scripted(self.kinds, self.temper, self.tries)

    def step(self) -> None:
        self.simulator.step(self.tries, self.events)

    def observe(self) -> None:
        self.simulator.observe(self.planes, self.scalars, self.masks, self.target, self.mover)

    def synchronize(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()


def measure(device: str, count: int, steps: int, ruleset: str, starts: list[float]) -> None:
    """Prints the time of each part and the tries per second."""
    rulesets = [float(name == ruleset) for name in RULESETS]
    games = Games(device, count, rulesets, starts)
    parts = {"choose": games.choose, "step": games.step, "observe": games.observe}
    seconds = dict.fromkeys(parts, 0.0)
    ended = 0
    # After the first half the games of all slots are at different points.
    for number in range(2 * steps):
        for name, part in parts.items():
            games.synchronize()
            before = time.perf_counter()
            part()
            games.synchronize()
            if number >= steps:
                seconds[name] += time.perf_counter() - before
        if number >= steps:
            ended += int(games.events.done.sum())
    tries = count * steps
    print(f"{device}: {count} games of {ruleset}, {steps} tries each, {ended} games ended")
    for name, duration in seconds.items():
        print(f"  {name:8} {1e6 * duration / steps:9.1f} µs for all games")
    without = seconds["step"]
    with_observations = without + seconds["observe"]
    print(f"  {tries / without / 1e6:9.2f} M tries/s without observations")
    print(f"  {tries / with_observations / 1e6:9.2f} M tries/s with observations")
    everything = with_observations + seconds["choose"]
    print(f"  {tries / everything / 1e6:9.2f} M tries/s with observations and random choice")


def compare(count: int, steps: int) -> None:
    """Plays the same games on the CPU and the GPU, with every ruleset, start and player."""
    both = [Games(device, count, [1.0] * 7, [1.0] * 3) for device in ("cpu", "cuda")]
    for games in both:
        numbers = torch.arange(count, device=games.device)
        games.kinds.copy_(1 + numbers % 3)
        games.temper.copy_(numbers // 3 % 4 / 4)
    for number in range(steps):
        for games in both:
            games.observe()
            games.choose()
            if number % 5 == 0:
                # Tries that are mostly senseless.
                noise = torch.arange(count, device=games.device) * 40503 + number * 9973
                is_noise = noise % 16 == 0
                games.tries.copy_(torch.where(is_noise, noise.to(torch.int16), games.tries))
            games.step()
        names = ["planes", "scalars", "masks", "target", "mover", "tries"]
        for name in names:
            equal(number, name, *(getattr(games, name) for games in both))
        for name in EVENTS:
            equal(number, name, *(getattr(games.events, name) for games in both))
    print(f"CPU and GPU: {count * steps} tries and observations, no difference")


def equal(number: int, name: str, first: torch.Tensor, second: torch.Tensor) -> None:
    if not torch.equal(first, second.cpu()):
        rows = (first != second.cpu()).reshape(len(first), -1).any(1).nonzero().flatten()
        sys.exit(f"step {number}: {name} differs in games {rows[:8].tolist()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda", "both"])
    parser.add_argument("--games", type=int, default=65536, help="on the GPU")
    parser.add_argument("--cpu-games", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--ruleset", choices=RULESETS, default="icc")
    parser.add_argument(
        "--starts", type=float, nargs=3, default=[1, 0, 0], metavar="WEIGHT",
        help="standard position, after random moves, random placement",
    )  # fmt: skip
    parser.add_argument("--compare", action="store_true", help="compare CPU and GPU")
    arguments = parser.parse_args()
    has_card = torch.cuda.is_available()
    device = arguments.device or ("both" if has_card else "cpu")
    if not has_card and (device != "cpu" or arguments.compare):
        sys.exit("No CUDA card was found: use a machine with one, or --device cpu.")
    threads = os.environ.get("KRIEG_SIMULATOR_THREADS", "1")
    for kind, count in (("cpu", arguments.cpu_games), ("cuda", arguments.games)):
        if device in (kind, "both"):
            name = torch.cuda.get_device_name() if kind == "cuda" else f"{threads} threads"
            print(f"{kind}: {name}")
            measure(kind, count, arguments.steps, arguments.ruleset, arguments.starts)
    if arguments.compare:
        compare(2048, 1500)


if __name__ == "__main__":
    main()
