"""Times on this machine: `python -m krieg_learning.benchmark --help`.

First the attention of one layer in each way, forward and backward; then the parts of an iteration
of a leg, with the options of a leg.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable

import torch

from krieg_learning import checkpoint, device, leg
from krieg_learning.attention import WAYS, attention, kernels_work
from krieg_learning.network import Shape

REPEATS = 5


def synchronize() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def seconds(part: Callable[[], object], repeats: int = REPEATS) -> float:
    """The mean time of a part, after two runs that may compile."""
    for _ in range(2):
        part()
    synchronize()
    begin = time.monotonic()
    for _ in range(repeats):
        part()
    synchronize()
    return (time.monotonic() - begin) / repeats


def time_attention(shape: Shape, batch: int, where: torch.device, dtype: torch.dtype) -> None:
    """Prints milliseconds of one layer's attention for each way."""
    qkv = torch.randn(batch, 64, 3 * shape.width, device=where).to(dtype).requires_grad_()
    bias = torch.randn(shape.heads, 64, 64, device=where).requires_grad_()
    grad = torch.randn(batch, 64, shape.width, device=where).to(dtype)
    for way in WAYS:
        if way == "kernels" and not kernels_work(shape.width, shape.heads, where):
            print("attention by kernels: they do not work here", flush=True)
            continue
        function = torch.compile(attention) if where.type == "cuda" else attention

        def forward(function: Callable = function, way: str = way) -> None:
            with torch.no_grad():
                function(qkv, bias, way)

        def both(function: Callable = function, way: str = way) -> None:
            torch.autograd.grad(function(qkv, bias, way), (qkv, bias), grad)

        times = [1000 * seconds(part) for part in (forward, both)]
        print(f"attention by {way}: forward {times[0]:.2f}, with backward {times[1]:.2f} ms",
              flush=True)  # fmt: skip


def time_iteration(arguments: argparse.Namespace) -> None:
    """Prints seconds of the parts of an iteration."""
    begin = time.monotonic()
    trainer = leg.Leg(arguments, leg.parse_settings(arguments))
    rollout, learner = trainer.rollout, trainer.learner
    print(f"attention of the leg: {trainer.execution.attention}", flush=True)
    parts = {
        "rollout": rollout.run,
        "counts": rollout.counts,
        "learning": lambda: learner.update(rollout.storage, rollout.window()),
    }
    means = {}
    for name, part in parts.items():
        means[name] = seconds(part)
        print(f"{name}: {means[name]:.4f} s", flush=True)
    tries = trainer.settings.games * trainer.settings.tries
    print(f"{tries / sum(means.values()):.0f} tries/s; {time.monotonic() - begin:.0f} s in all")
    trainer.log.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        arguments = leg.parser().parse_args(["--out", folder, *sys.argv[1:]])
        try:
            settings = leg.parse_settings(arguments)
            way = device.execution(arguments.device)
            shape = Shape(arguments.width, arguments.layers, arguments.heads)
            time_attention(shape, settings.minibatch, way.device, way.dtype)
            time_iteration(arguments)
        except (checkpoint.CheckpointError, device.DeviceError) as error:
            sys.exit(f"benchmark: {error}")


if __name__ == "__main__":
    main()
