"""Makes a larger network that computes the same as a smaller one, to train it further.

    PYTHONPATH=learning python3 -m krieg_learning.grow A.net B.net --width 192 --heads 6

The new channels of a token start at zero: everything that writes to them has weight zero, and what
reads them is random, so that they can learn. New heads, hidden units and layers are random inside,
and what they add starts at zero. The size of a head stays the same.
"""

import argparse
import math
import sys
from pathlib import Path

import torch
from torch import Tensor

from krieg_learning import checkpoint
from krieg_learning.network import Shape, Weights, initial_weights, shape_of

# Tensors that read the tokens after the last layer; their new rows keep their initial values.
READERS = ("belief.weight", "policy.from", "policy.to", "policy.promotion", "pool.weight")
# Tensors that read the pooled units; their new rows are zero.
POOL_READERS = ("policy.any", "value.weight", "material.weight")


class ShapeError(Exception):
    """A network cannot grow to this shape; the message says what to choose."""


def check(old: Shape, new: Shape) -> None:
    """Whether `old` can grow to `new`."""
    if new.width < old.width or new.layers < old.layers or new == old:
        raise ShapeError(f"choose a shape larger than {old}")
    if new.heads * old.width != old.heads * new.width:
        raise ShapeError(
            f"the size of a head must stay {old.width // old.heads}: "
            f"choose {new.width * old.heads // old.width} heads for the width {new.width}"
        )


def put(target: Tensor, source: Tensor) -> None:
    """Writes a tensor into the corner of a larger one."""
    target[tuple(slice(0, size) for size in source.shape)] = source


def grow(weights: Weights, new: Shape, seed: int = 0) -> Weights:
    """The weights of a network of the shape `new` that computes the same."""
    old = shape_of(weights)
    check(old, new)
    grown = initial_weights(new, seed)
    # The mean square of a token is over more channels now, and the new ones are zero.
    gain = math.sqrt(old.width / new.width)
    for name, target in grown.items():
        tensor = name.removeprefix("layer.").partition(".")[2] if "layer." in name else name
        source = weights.get(name)
        if source is None:
            # A new layer adds nothing at first.
            if tensor in ("out", "ffn2"):
                target.zero_()
        elif ".norm" in name or tensor.startswith("norm"):
            target.fill_(source.mean() * gain)
            put(target, source * gain)
        elif tensor == "qkv":
            put(target.view(new.width, 3, new.width), source.view(old.width, 3, old.width))
        elif tensor == "qkv_bias":
            put(target.view(3, new.width), source.view(3, old.width))
        elif tensor in ("ffn1", "pair_bias") or name in READERS:
            put(target, source)
        else:
            # Whatever writes to tokens, reads new pooled units, or does not change its size.
            target.zero_()
            put(target, source)
    return grown


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python3 -m krieg_learning.grow", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("source", type=Path, help="the checkpoint to grow")
    parser.add_argument("result", type=Path, help="where to write the larger one")
    parser.add_argument("--width", type=int, help="by default that of the checkpoint")
    parser.add_argument("--heads", type=int, help="by default so that a head keeps its size")
    parser.add_argument("--layers", type=int, help="by default as many as in the checkpoint")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        weights, training = checkpoint.load(arguments.source)
        old = shape_of(weights)
        width = arguments.width or old.width
        heads = arguments.heads or width * old.heads // old.width
        new = Shape(width, arguments.layers or old.layers, heads)
        with torch.no_grad():
            grown = grow(weights, new, arguments.seed)
        checkpoint.save(arguments.result, grown, training)
    except (checkpoint.CheckpointError, ShapeError) as error:
        sys.exit(f"grow: {error}")
    size = arguments.result.stat().st_size
    print(f"{arguments.result}: {new}, {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
