"""Proximal policy optimisation on one window, with the targets of value and belief."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from krieg_learning import policy
from krieg_learning.network import Weights, forward
from krieg_learning.play import Execution
from krieg_learning.returns import Window, lambda_returns, utility
from krieg_learning.settings import Settings, anneal, learning_rate

# Units of the head `material`: tens of pawns.
MATERIAL_SCALE = 0.1
METRICS = ("policy", "value", "belief", "entropy", "gain", "clipped", "divergence")


class Batch(NamedTuple):
    """Steps of the learner, as they were played, with their targets."""

    planes: Tensor
    scalars: Tensor
    masks: Tensor
    target: Tensor
    tries: Tensor
    log_probability: Tensor
    advantage: Tensor
    outcome: Tensor
    gain: Tensor


def batch_loss(
    weights: Weights,
    batch: Batch,
    entropy_weight: Tensor,
    settings: Settings,
    dtype: torch.dtype,
    way: str,
) -> tuple[Tensor, Tensor]:
    """The loss of a batch, and what `METRICS` names."""
    outputs = forward(weights, batch.planes, batch.scalars, dtype, way)
    log_probability, entropy = policy.log_probabilities(outputs, batch.masks, batch.tries)
    # A limit only against overflow: exp(20) is far outside the clip.
    change = (log_probability - batch.log_probability).clamp(-20, 20)
    ratio = torch.exp(change)
    limited = ratio.clamp(1 - settings.clip, 1 + settings.clip)
    gained = torch.minimum(ratio * batch.advantage, limited * batch.advantage)
    policy_loss = -gained.mean()
    value_loss = -(batch.outcome * torch.log_softmax(outputs.value, 1)).sum(1).mean()
    belief_loss = policy.belief_loss(outputs.belief, batch.planes, batch.target).mean()
    gain_loss = functional.smooth_l1_loss(outputs.material, batch.gain, beta=0.5)
    mean_entropy = entropy.mean()
    loss = (
        policy_loss
        + settings.value_weight * value_loss
        + settings.belief_weight * belief_loss
        + settings.gain_weight * gain_loss
        - entropy_weight * mean_entropy
    )
    clipped = ((ratio - 1).abs() > settings.clip).float().mean()
    divergence = (ratio - 1 - change).mean()
    parts = [policy_loss, value_loss, belief_loss, mean_entropy, gain_loss, clipped, divergence]
    return loss, torch.stack(parts).detach()


class Learner:
    """The weights in training and their optimizer."""

    def __init__(
        self, weights: Weights, settings: Settings, execution: Execution, tries: int
    ) -> None:
        self.weights = {
            name: tensor.to(execution.device).requires_grad_() for name, tensor in weights.items()
        }
        # The same memory, for passes without gradients.
        self.playing = {name: tensor.detach() for name, tensor in self.weights.items()}
        # The mean over the last iterations varies less than the weights themselves.
        self.average = {name: tensor.clone() for name, tensor in self.playing.items()}
        self.settings = settings
        self.execution = execution
        self.tries = tries
        self.iteration = 0
        is_gpu = execution.device.type == "cuda"
        self.optimizer = torch.optim.Adam(
            list(self.weights.values()), lr=0.0, betas=(0.9, 0.99), eps=1e-6, fused=is_gpu
        )
        self.loss = execution.prepare(batch_loss)

    def update(self, storage: dict[str, Tensor], window: Window) -> dict[str, float]:
        """One pass over the learner's steps of a window; returns the averages of the metrics."""
        settings = self.settings
        draw_value = anneal(settings.draw_value, self.tries)
        shaping = anneal(settings.shaping, self.tries)
        entropy = torch.full((), anneal(settings.entropy, self.tries), device=window.value.device)
        rate = learning_rate(settings, self.tries, self.iteration)
        for group in self.optimizer.param_groups:
            group["lr"] = rate

        window = window._replace(
            material=window.material * MATERIAL_SCALE,
            last_material=window.last_material * MATERIAL_SCALE,
        )
        with torch.no_grad():
            returns = lambda_returns(window, settings.trace, settings.gain_discount)
            target = utility(returns.outcome, draw_value)
            error = target - utility(window.value, draw_value)
            raw = error + shaping * (returns.gain - window.gain)
            learns = storage["learns"]
            steps = learns.flatten().nonzero()[:, 0]
            chosen = raw.flatten()[steps]
            advantage = (raw - chosen.mean()) / (chosen.std() + 1e-6)
            # Steps after which nothing was seen teach nothing about the try.
            advantage = torch.where(returns.known, advantage, 0.0)
            explained = 1 - error[learns].var() / target[learns].var().clamp_min(1e-9)
        kept = Batch(
            **{name: storage[name] for name in Batch._fields[:6]},
            advantage=advantage,
            outcome=returns.outcome,
            gain=returns.gain,
        )
        kept = Batch(*(tensor.flatten(0, 1) for tensor in kept))
        size = min(settings.minibatch, len(steps))
        # All minibatches have one size, so that one compiled program serves them.
        order = steps[torch.randperm(len(steps), device=steps.device)]
        metrics = []
        for start in range(0, len(steps) - size + 1, size):
            index = order[start : start + size]
            batch = Batch(*(tensor[index] for tensor in kept))
            metrics.append(self.descend(batch, entropy))
        self.update_average()
        self.iteration += 1
        self.tries += learns.numel()
        means = torch.cat([torch.stack(metrics).mean(0), explained[None]]).tolist()
        named = dict(zip((*METRICS, "gradient", "explained variance"), means, strict=True))
        return named | {
            "learning rate": rate,
            "draw value": draw_value,
            "shaping": shaping,
            "entropy weight": anneal(settings.entropy, self.tries),
            "learner steps": len(steps),
        }

    @torch.no_grad()
    def update_average(self) -> None:
        """Moves the average towards the weights; in the first iterations it forgets faster."""
        young = (1 + self.iteration) / (10 + self.iteration)
        share = 1 - min(self.settings.average_decay, young)
        torch._foreach_lerp_(
            list(self.average.values()), list(self.playing.values()), weight=share
        )

    def descend(self, batch: Batch, entropy_weight: Tensor) -> Tensor:
        """One step of the optimizer."""
        way = self.execution
        loss, metrics = self.loss(
            self.weights, batch, entropy_weight, self.settings, way.dtype, way.attention
        )
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(
            self.weights.values(), self.settings.max_gradient, foreach=True
        )
        self.optimizer.step()
        return torch.cat([metrics, norm[None]])
