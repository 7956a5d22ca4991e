"""The network of `learning/NETWORK.md`, as functions of a dictionary of tensors.

The tensors have the names of that page. A function of a dictionary, unlike a module, serves
several networks of one shape (the learner and earlier snapshots) with one compiled program.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from krieg_learning import geometry
from krieg_learning.attention import attention

PLANES = 48
SCALARS = 64
SQUARES = 64
CONTENTS = 7
PROMOTIONS = 4
OUTCOMES = 3
POLICY_WIDTH = 64

# How often a square without an own piece holds none, P, N, B, R, Q, K when a game begins.
START_CONTENTS = tuple(count / 48 for count in (32, 8, 2, 2, 2, 1, 1))

Weights = dict[str, Tensor]


@dataclass(frozen=True)
class Shape:
    """The size of a network."""

    width: int = 128
    layers: int = 4
    heads: int = 4


class Outputs(NamedTuple):
    """What a pass computes, for a batch of positions; everything in single precision."""

    belief: Tensor  # [B, 64, 7] logits
    pair: Tensor  # [B, 64, 64] logits, origin by target
    promotion: Tensor  # [B, 64, 4] logits
    any: Tensor  # [B] logit of asking "any?"
    value: Tensor  # [B, 3] logits of win, draw, loss
    material: Tensor  # [B] expected gain of material


def tensor_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """The names and sizes of all tensors, in the order of the file."""
    d, heads = shape.width, shape.heads
    sizes: dict[str, tuple[int, ...]] = {
        "input.planes": (PLANES, d),
        "input.bias": (d,),
        "input.scalars": (SCALARS, d),
        "input.position": (SQUARES, d),
    }
    for layer in range(shape.layers):
        prefix = f"layer.{layer}."
        sizes |= {
            prefix + "norm1": (d,),
            prefix + "qkv": (d, 3 * d),
            prefix + "qkv_bias": (3 * d,),
            prefix + "pair_bias": (heads, SQUARES, SQUARES),
            prefix + "out": (d, d),
            prefix + "out_bias": (d,),
            prefix + "norm2": (d,),
            prefix + "ffn1": (d, 4 * d),
            prefix + "ffn1_bias": (4 * d,),
            prefix + "ffn2": (4 * d, d),
            prefix + "ffn2_bias": (d,),
        }
    return sizes | {
        "final.norm": (d,),
        "belief.weight": (d, CONTENTS),
        "belief.bias": (CONTENTS,),
        "policy.from": (d, POLICY_WIDTH),
        "policy.from_bias": (POLICY_WIDTH,),
        "policy.to": (d, POLICY_WIDTH),
        "policy.to_bias": (POLICY_WIDTH,),
        "policy.pair_bias": (SQUARES, SQUARES),
        "policy.promotion": (d, PROMOTIONS),
        "policy.promotion_bias": (PROMOTIONS,),
        "policy.any": (d,),
        "policy.any_bias": (1,),
        "pool.weight": (d, d),
        "pool.bias": (d,),
        "value.weight": (d, OUTCOMES),
        "value.bias": (OUTCOMES,),
        "material.weight": (d,),
        "material.bias": (1,),
    }


def shape_of(weights: Weights) -> Shape:
    """The size of the network that has these tensors."""
    layers = sum(name.endswith(".norm1") for name in weights)
    return Shape(
        weights["input.bias"].shape[0], layers, weights["layer.0.pair_bias"].shape[0]
    )


def initial_weights(shape: Shape, seed: int = 0) -> Weights:
    """The weights of an untrained network. The heads start near zero, so that it plays evenly."""
    generator = torch.Generator().manual_seed(seed)
    gains = {
        ".out": 1 / math.sqrt(2 * shape.layers),
        ".ffn2": 1 / math.sqrt(2 * shape.layers),
        "policy.from": 0.5,
        "policy.to": 0.5,
        "input.position": 0.3 * math.sqrt(SQUARES),
        "pool.weight": 2.0,
    }
    zero = ("belief.weight", "policy.promotion", "policy.any", "value.weight", "material.weight")
    weights = {}
    for name, size in tensor_shapes(shape).items():
        if ".norm" in name:
            weights[name] = torch.ones(size)
        elif name.startswith("layer.") and name.endswith("pair_bias"):
            weights[name] = geometry.initial_pair_bias(int(name.split(".")[1]), shape.heads)
        elif name == "belief.bias":
            weights[name] = torch.tensor(START_CONTENTS).log()
        elif "bias" in name or name in zero:
            weights[name] = torch.zeros(size)
        else:
            gain = next((g for end, g in gains.items() if name.endswith(end)), 1.0)
            draw = torch.randn(size, generator=generator)
            weights[name] = draw * gain / math.sqrt(size[0])
    return weights


def wide(x: Tensor) -> Tensor:
    """At least single precision."""
    return x if x.dtype == torch.float64 else x.float()


def norm(x: Tensor, gain: Tensor) -> Tensor:
    """Root-mean-square normalisation over the last dimension, computed in single precision."""
    y = wide(x)
    y = y * torch.rsqrt(y.square().mean(-1, keepdim=True) + 1e-5)
    return (y * gain).to(x.dtype)


def forward(
    weights: Weights, planes: Tensor, scalars: Tensor, dtype: torch.dtype, way: str = "products"
) -> Outputs:
    """A pass over a batch: planes [B, 64, 48] and scalars [B, 64], as bytes.

    The layers compute in `dtype`, and attention in one of the ways of `attention.py`. The logits
    are products in single precision, because the ratio of probabilities in training is sensitive
    to rounding.
    """

    def weight(name: str) -> Tensor:
        return weights[name].to(dtype)

    # The bytes are exact in bf16, so the division by 255 is left to the weights.
    scale = 1 / 255
    x = planes.to(dtype) @ (weights["input.planes"] * scale).to(dtype)
    context = scalars.to(dtype) @ (weights["input.scalars"] * scale).to(dtype)
    x = x + context[:, None] + (weights["input.position"] + weights["input.bias"]).to(dtype)
    for layer in range(shape_of(weights).layers):
        prefix = f"layer.{layer}."
        h = norm(x, weights[prefix + "norm1"])
        qkv = h @ weight(prefix + "qkv") + weight(prefix + "qkv_bias")
        o = attention(qkv, weights[prefix + "pair_bias"], way)
        x = x + (o @ weight(prefix + "out") + weight(prefix + "out_bias"))
        h = norm(x, weights[prefix + "norm2"])
        h = functional.relu(h @ weight(prefix + "ffn1") + weight(prefix + "ffn1_bias")).square()
        x = x + (h @ weight(prefix + "ffn2") + weight(prefix + "ffn2_bias"))
    return heads_of(weights, norm(x, weights["final.norm"]))


def heads_of(weights: Weights, y: Tensor) -> Outputs:
    """The outputs, from the last layer."""

    def project(name: str) -> Tensor:
        return wide(y @ weights[name].to(y.dtype))

    belief = project("belief.weight") + weights["belief.bias"]
    origin = project("policy.from") + weights["policy.from_bias"]
    target = project("policy.to") + weights["policy.to_bias"]
    pair = origin @ target.transpose(1, 2) / 8 + weights["policy.pair_bias"]
    promotion = project("policy.promotion") + weights["policy.promotion_bias"]
    # The mean of the products is the product of the mean, which is 64 times cheaper.
    g = functional.relu(wide(y).mean(1) @ weights["pool.weight"] + weights["pool.bias"])
    any_logit = (g * weights["policy.any"]).sum(-1) + weights["policy.any_bias"]
    value = g @ weights["value.weight"] + weights["value.bias"]
    material = (g * weights["material.weight"]).sum(-1) + weights["material.bias"]
    return Outputs(belief, pair, promotion, any_logit, value, material)
