"""One leg of training on one machine: `learning/leg --help`."""

import argparse
import json
import random
import signal
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import torch

from krieg_learning import checkpoint, device
from krieg_learning.attention import WAYS, kernels_work
from krieg_learning.evaluate import Setup, against_network, evaluate
from krieg_learning.network import Shape, Weights, initial_weights, shape_of
from krieg_learning.play import Execution, Play, act
from krieg_learning.population import GROUPS, training_population
from krieg_learning.ppo import Learner
from krieg_learning.rollout import Counts, Rollout
from krieg_learning.settings import Settings
from krieg_learning.simulator import ENDINGS, RULESETS, SimulatorError

CHECKPOINTS = device.LEARNING / "checkpoints"
# The accepted checkpoint is the network that the player embeds.
ACCEPTED = device.LEARNING.parent / "crates" / "krieg-net" / "weights" / "learned.net"
CURRENT = "current.net"
SAVE_SECONDS = 60.0
LOG_SECONDS = 5.0
MAX_SNAPSHOTS_IN_MEMORY = 6
FAILURES = (
    checkpoint.CheckpointError,
    checkpoint.DivergenceError,
    device.DeviceError,
    SimulatorError,
)


class Log:
    """The JSON lines of a leg. A run in the same folder appends to them. Each line is written at
    once, so that a run that is cut off keeps them."""

    def __init__(self, path: Path) -> None:
        self.file = open(path, "a")
        self.start = time.monotonic()

    def write(self, kind: str, values: dict) -> None:
        line = {"type": kind, "seconds": round(time.monotonic() - self.start, 1)} | values
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def close(self) -> None:
        self.file.close()


class Snapshots:
    """Earlier networks: those in the folder of checkpoints, and copies made during the leg."""

    def __init__(self, start: Weights, slots: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.files: list[Weights] = []
        self.copies: list[Weights] = [clone(start)]
        self.slots = [clone(start) for _ in range(slots)]

    def read(self, folder: Path, shape: Shape, where: torch.device) -> list[str]:
        """Adds the checkpoints of a folder; returns what was wrong with those that are left out."""
        problems = []
        for path in sorted(folder.glob("*.net")):
            try:
                weights = device.load_weights(path, where)
            except checkpoint.CheckpointError as error:
                problems.append(str(error))
                continue
            if shape_of(weights) == shape:
                self.files.append(weights)
            else:
                problems.append(f"{path} has another shape: it is left out")
        return problems

    def add(self, weights: Weights) -> None:
        self.copies = [*self.copies, clone(weights)][-MAX_SNAPSHOTS_IN_MEMORY:]

    def swap(self) -> None:
        """Puts other networks into the slots, in place."""
        pool = self.files + self.copies
        for slot in self.slots:
            chosen = self.random.choice(pool)
            for name, tensor in slot.items():
                tensor.copy_(chosen[name])


def clone(weights: Weights) -> Weights:
    return {name: tensor.detach().clone() for name, tensor in weights.items()}


class Leg:
    """The state of a leg: what learns, what plays, and what was counted since the last line."""

    def __init__(self, arguments: argparse.Namespace, settings: Settings) -> None:
        self.arguments = arguments
        self.settings = settings
        self.execution = device.execution(
            arguments.device, not arguments.no_compile, not arguments.no_graph
        )
        self.library = device.build_simulator(self.execution.device)
        shape = Shape(arguments.width, arguments.layers, arguments.heads)
        self.origin, weights, self.training = starting_point(arguments, shape)
        shape = shape_of(weights)
        self.execution = replace(
            self.execution, attention=chosen_attention(arguments.attention, shape, self.execution)
        )
        self.start_tries = int(self.training.get("tries", 0))
        torch.manual_seed(settings.seed * 1_000_003 + self.start_tries)
        self.learner = Learner(weights, settings, self.execution, self.start_tries)
        where = self.execution.device
        self.start = clone(self.learner.weights)
        self.snapshots = Snapshots(self.start, settings.snapshot_slots, settings.seed)
        for problem in self.snapshots.read(CHECKPOINTS, shape, where):
            print(f"leg: {problem}", file=sys.stderr)
        self.snapshots.swap()
        if arguments.cache:
            device.load_compiled(arguments.cache)
        self.compiled_act = self.execution.prepare(act)
        self.rollout = self.make_rollout(where)
        arguments.out.mkdir(parents=True, exist_ok=True)
        self.log = Log(arguments.out / "leg.jsonl")
        self.log.write(
            "settings",
            {
                "settings": settings.as_dict(),
                "from": self.origin,
                "tries": self.start_tries,
                "width": shape.width,
                "layers": shape.layers,
                "heads": shape.heads,
                "execution": describe(self.execution),
            },
        )

    def make_rollout(self, where: torch.device) -> Rollout:
        settings = self.settings
        simulator = device.simulator(
            self.library,
            where,
            games=settings.games,
            seed=settings.seed * 1_000_003 + self.start_tries,
            ruleset_weights=settings.ruleset_weights,
            start_weights=settings.start_weights,
            quiet_limit=settings.quiet_limit,
            max_plies=settings.max_plies,
        )
        population = training_population(
            settings.games,
            settings.scripted_share,
            settings.network_share,
            settings.snapshot_slots,
            settings.known_share,
            where,
        )
        networks = self.snapshots.slots
        play = Play(
            simulator, population, self.learner.playing, networks, self.execution,
            self.compiled_act,
        )  # fmt: skip
        return Rollout(play, settings.tries)

    def save(self, seconds: float) -> None:
        training = self.training | {
            "tries": self.learner.tries,
            "seconds": round(self.training.get("seconds", 0) + seconds),
            "settings": self.settings.as_dict(),
        }
        checkpoint.save(self.arguments.out / CURRENT, self.learner.average, training)

    def train(self, deadline: float) -> None:
        """Iterates until the deadline, and saves and logs on the way."""
        begin = time.monotonic()
        saved = logged = snapped = swapped = begin
        counts: Counts | None = None
        tries = self.learner.tries
        rollout_seconds = 0.0
        while time.monotonic() < deadline:
            started = time.monotonic()
            self.rollout.run()
            window = self.rollout.window()
            new = self.rollout.counts()
            counts = new if counts is None else Counts(*map(torch.add, counts, new))
            if self.execution.device.type == "cuda":
                torch.cuda.synchronize()
            rollout_seconds += time.monotonic() - started
            metrics = self.learner.update(self.rollout.storage, window)
            now = time.monotonic()
            if now - logged > LOG_SECONDS or now >= deadline:
                speed = {
                    "tries/s": round((self.learner.tries - tries) / (now - logged)),
                    "rollout share": round(rollout_seconds / (now - logged), 3),
                }
                self.progress(metrics, counts, speed)
                if tries == self.start_tries and self.arguments.cache:
                    device.save_compiled(self.arguments.cache)
                counts, tries, logged, rollout_seconds = None, self.learner.tries, now, 0.0
            if now - saved > SAVE_SECONDS:
                self.save(now - begin)
                saved = now
            if now - snapped > self.settings.snapshot_seconds:
                self.snapshots.add(self.learner.average)
                snapped = now
            if now - swapped > self.settings.swap_seconds:
                self.snapshots.swap()
                swapped = now
        self.save(time.monotonic() - begin)

    def progress(self, metrics: dict[str, float], counts: Counts, speed: dict) -> None:
        """Writes one line of the log, and a short one to the terminal."""
        line = {"tries": self.learner.tries, "iteration": self.learner.iteration} | speed
        line |= {name: float(f"{value:.5g}") for name, value in metrics.items()}
        line |= named_counts(counts)
        self.log.write("progress", line)
        shown = ("policy", "value", "belief", "entropy", "divergence", "explained variance")
        text = " ".join(f"{name} {line[name]:.4g}" for name in shown)
        millions = line["tries"] / 1e6
        print(f"{millions:.2f} M tries, {line['tries/s']}/s, {text}", flush=True)

    def evaluate(self) -> None:
        arguments = self.arguments
        games = arguments.evaluation_games or self.settings.games
        setup = Setup(
            self.library, self.execution, games, arguments.temperature,
            compiled_act=self.compiled_act,
        )  # fmt: skip
        earlier = None if self.origin is None else self.start
        average = self.learner.average
        report = evaluate(setup, average, earlier)
        report["not averaged"] = against_network(setup, average, self.learner.playing)
        self.log.write("evaluation", {"tries": self.learner.tries} | report)
        print(json.dumps(report), flush=True)


def chosen_attention(name: str, shape: Shape, execution: Execution) -> str:
    """The way of attention: the kernels, if they work on this machine, unless one is named."""
    if name == "auto":
        work = kernels_work(shape.width, shape.heads, execution.device)
        return "kernels" if work else "products"
    if name == "kernels" and not kernels_work(shape.width, shape.heads, execution.device):
        raise device.DeviceError("the kernels do not work here: leave out --attention")
    return name


def describe(execution: Execution) -> dict:
    """The way of computing, for the log."""
    is_gpu = execution.device.type == "cuda"
    return {
        "device": torch.cuda.get_device_name() if is_gpu else "cpu",
        "torch": torch.__version__,
        "compiled": execution.compiled,
        "graph": execution.graph,
        "attention": execution.attention,
    }


def named_counts(counts: Counts) -> dict:
    """The counts of some windows as they stand in the log."""
    results = counts.results.tolist()
    games = max(1.0, counts.results.sum().item())
    endings = zip(ENDINGS, counts.endings.tolist(), strict=False)
    belief = (counts.belief[:, 1:] / counts.belief[:, :1].clamp_min(1)).tolist()
    by_group = (counts.group_belief[:, 1] / counts.group_belief[:, 0].clamp_min(1)).tolist()
    return {
        "results": {
            group: [int(number) for number in row]
            for group, row in zip(GROUPS, results, strict=True)
            if sum(row)
        },
        "endings": {name: int(number) for name, number in endings if number},
        "plies": round(counts.plies.item() / games, 1),
        "belief by ruleset": {
            name: round(row[0], 3) for name, row in zip(RULESETS, belief, strict=True)
        },
        "belief by opponent": {
            name: round(nats, 3) for name, nats in zip(GROUPS, by_group, strict=True) if nats
        },
    }


def starting_point(
    arguments: argparse.Namespace, shape: Shape
) -> tuple[str | None, Weights, dict]:
    """The checkpoint to go on from: the named one, that of the output, the accepted one, none."""
    named = arguments.checkpoint
    if named is not None:
        candidates = [named / CURRENT if named.is_dir() else named]
    else:
        places = [arguments.out / CURRENT, *([] if arguments.new else [ACCEPTED])]
        candidates = [place for place in places if place.exists()]
    if not candidates:
        return None, initial_weights(shape, arguments.seed), {}
    weights, training = checkpoint.load(candidates[0])
    return str(candidates[0]), weights, training


def parse_settings(arguments: argparse.Namespace) -> Settings:
    """The settings with the changes of the command line."""
    settings = replace(Settings(), seed=arguments.seed)
    known = {field.name for field in fields(Settings)}
    for change in arguments.set:
        name, _, value = change.partition("=")
        if name not in known:
            raise device.DeviceError(f'there is no setting "{name}": see settings.py')
        try:
            parsed = json.loads(value)
        except ValueError as error:
            raise device.DeviceError(f'"{change}" is not NAME=NUMBER') from error
        new = tuple(parsed) if isinstance(parsed, list) else parsed
        settings = replace(settings, **{name: new})
    return settings


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="learning/leg", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--minutes", type=float, default=8.5, help="of training (default 8.5)")
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoint and log")
    parser.add_argument("--checkpoint", type=Path, help="start from this file, or folder of a leg")
    parser.add_argument("--new", action="store_true", help="begin with an untrained network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="change a setting; the value is JSON")  # fmt: skip
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--width", type=int, default=128, help="of a new network")
    parser.add_argument("--layers", type=int, default=4, help="of a new network")
    parser.add_argument("--heads", type=int, default=4, help="of a new network")
    parser.add_argument("--no-compile", action="store_true", help="run without torch.compile")
    parser.add_argument("--cache", type=Path, help="file that keeps what was compiled")
    parser.add_argument("--no-graph", action="store_true", help="run without CUDA graphs")
    parser.add_argument("--attention", default="auto", choices=["auto", *WAYS],
                        help="how to compute it")  # fmt: skip
    parser.add_argument("--no-evaluation", action="store_true")
    parser.add_argument("--evaluation-games", type=int, help="in each evaluation")
    parser.add_argument("--temperature", type=float, default=0.5, help="in evaluations")
    return parser


def stop(_number: int, _frame: object) -> None:
    """The machine is taken away: the last saved checkpoint has to do."""
    sys.exit("leg: stopped before its end; the last saved checkpoint stays")


def main() -> None:
    arguments = parser().parse_args()
    signal.signal(signal.SIGTERM, stop)
    begin = time.monotonic()
    try:
        leg = Leg(arguments, parse_settings(arguments))
        leg.train(begin + 60 * arguments.minutes)
        if not arguments.no_evaluation:
            leg.evaluate()
        leg.log.close()
    except FAILURES as error:
        sys.exit(f"leg: {error}")


if __name__ == "__main__":
    main()
