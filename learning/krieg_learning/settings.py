"""The settings of training, and the schedules over the total number of tries."""

import math
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Settings:
    """Everything that a leg depends on, besides the checkpoint. `README.md` explains them."""

    games: int = 2048
    tries: int = 64
    minibatch: int = 8192
    seed: int = 1

    # The population on the other side, as shares of the games; the rest is self-play.
    scripted_share: float = 0.20
    network_share: float = 0.35
    snapshot_slots: int = 3
    snapshot_seconds: float = 150.0
    swap_seconds: float = 20.0
    known_share: float = 0.5

    # In the order of `simulator.RULESETS`; then standard, random moves, random placement.
    ruleset_weights: tuple[float, ...] = (0.55, 0.075, 0.075, 0.075, 0.075, 0.075, 0.075)
    start_weights: tuple[float, ...] = (0.75, 0.15, 0.10)
    quiet_limit: int = 90
    max_plies: int = 400

    trace: float = 0.95
    clip: float = 0.2
    value_weight: float = 0.5
    belief_weight: float = 0.03
    gain_weight: float = 0.1
    gain_discount: float = 0.97
    max_gradient: float = 1.0

    peak_rate: float = 1e-3
    final_rate: float = 2e-4
    rate_halving: float = 300e6
    warmup_iterations: int = 30
    average_decay: float = 0.995

    # Each value goes from the first to the second over the tries in the third.
    draw_value: tuple[float, float, float] = field(default=(-0.5, -0.15, 400e6))
    entropy: tuple[float, float, float] = field(default=(0.02, 0.005, 450e6))
    shaping: tuple[float, float, float] = field(default=(0.5, 0.0, 250e6))

    def as_dict(self) -> dict:
        return asdict(self)


def anneal(schedule: tuple[float, float, float], tries: float) -> float:
    """A value on its way from its beginning to its end."""
    first, last, length = schedule
    return first + (last - first) * min(1.0, tries / length)


def learning_rate(settings: Settings, tries: float, iteration: int) -> float:
    """Adam's rate: halved as the tries grow, and raised slowly at the beginning of each leg.

    A checkpoint holds no state of the optimizer, so the first iterations of a leg only collect it.
    """
    warmup = min(1.0, (iteration + 1) / settings.warmup_iterations)
    decayed = settings.peak_rate * math.pow(0.5, tries / settings.rate_halving)
    return warmup * max(settings.final_rate, decayed)
