"""Times of the parts of an iteration on this machine: `python -m krieg_learning.benchmark --help`.

Each variant runs with the settings of a leg from an untrained network.
"""

import sys
import tempfile
import time

import torch

from krieg_learning import leg

VARIANTS = (("products", []), ("fused attention", ["--fused-attention"]))
REPEATS = 4


def synchronize() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def measure(options: list[str]) -> dict[str, float]:
    """Seconds of each part: the means of some iterations after the first two."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = leg.parser().parse_args(["--out", folder, *options])
        trainer = leg.Leg(arguments, leg.parse_settings(arguments))
        sums = {"rollout": 0.0, "counts": 0.0, "learning": 0.0}
        begin = time.monotonic()
        for repeat in range(REPEATS + 2):
            if repeat == 2:
                synchronize()
                first = time.monotonic() - begin
                sums = dict.fromkeys(sums, 0.0)
            parts = {
                "rollout": trainer.rollout.run,
                "counts": trainer.rollout.counts,
                "learning": lambda: trainer.learner.update(
                    trainer.rollout.storage, trainer.rollout.window()
                ),
            }
            for name, part in parts.items():
                started = time.monotonic()
                part()
                synchronize()
                sums[name] += time.monotonic() - started
        trainer.log.close()
        tries = trainer.settings.games * trainer.settings.tries
    means = {name: seconds / REPEATS for name, seconds in sums.items()}
    return {"start": first} | means | {"tries/s": tries / sum(means.values())}


def main() -> None:
    for name, options in VARIANTS:
        torch.compiler.reset()
        times = measure([*options, *sys.argv[1:]])
        shown = ", ".join(f"{part} {value:.4g}" for part, value in times.items())
        print(f"{name}: {shown}", flush=True)


if __name__ == "__main__":
    main()
