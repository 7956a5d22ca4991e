"""Checkpoints: files `*.net` as `learning/NETWORK.md` describes them."""

import json
import math
import os
import struct
from pathlib import Path

import numpy
import torch

from krieg_learning.network import Shape, Weights, shape_of, tensor_shapes

MAGIC = b"KRIEGNET"
VERSION = 1
MAX_FINITE = 65504.0


class CheckpointError(Exception):
    """A file that cannot be used; the message says what to do."""


class DivergenceError(Exception):
    """Weights that are not finite cannot be saved."""


def fnv1a(data: bytes) -> int:
    """The 64-bit FNV-1a hash. A network of 2 MB takes about 0.3 s."""
    state = 0xCBF29CE484222325
    for byte in data:
        state = ((state ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return state


def encode(weights: Weights, training: dict) -> bytes:
    """The contents of a file."""
    shape = shape_of(weights)
    header = {"width": shape.width, "layers": shape.layers, "heads": shape.heads}
    text = json.dumps(header | {"training": training}).encode()
    parts = [MAGIC, struct.pack("<II", VERSION, len(text)), text]
    for name, size in tensor_shapes(shape).items():
        tensor = weights[name].detach().float().cpu()
        if tuple(tensor.shape) != size:
            raise ValueError(f"{name} has the shape {tuple(tensor.shape)}, not {size}")
        if not torch.isfinite(tensor).all():
            raise DivergenceError(
                f"the training has diverged ({name} is not finite): "
                "the last good checkpoint stays, go on from it with a smaller peak_rate"
            )
        half = tensor.clamp(-MAX_FINITE, MAX_FINITE).half()
        parts.append(half.numpy().astype("<f2").tobytes())
    data = b"".join(parts)
    return data + struct.pack("<Q", fnv1a(data))


def save(path: Path, weights: Weights, training: dict) -> None:
    """Writes a file. The file that was there is replaced only when the new one is complete."""
    data = encode(weights, training)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".draft")
    with open(draft, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def load(path: Path) -> tuple[Weights, dict]:
    """The weights, in single precision, and what the trainer wrote beside them."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read ({error.strerror})") from error
    return decode(data, str(path))


def decode(data: bytes, name: str) -> tuple[Weights, dict]:
    """Reads the contents of a file; `name` is for the messages."""
    advice = "use another checkpoint"
    if data[:8] != MAGIC:
        raise CheckpointError(f"{name} is no checkpoint of a network: {advice}")
    if len(data) < 24:
        raise CheckpointError(f"{name} is cut off: {advice}")
    version, length = struct.unpack_from("<II", data, 8)
    if version != VERSION:
        raise CheckpointError(
            f"{name} has the format {version}, this trainer reads {VERSION}: {advice}"
        )
    if fnv1a(data[:-8]) != struct.unpack("<Q", data[-8:])[0]:
        raise CheckpointError(f"{name} is damaged (its checksum is wrong): {advice}")
    try:
        header = json.loads(data[16 : 16 + length])
        shape = Shape(int(header["width"]), int(header["layers"]), int(header["heads"]))
        training = dict(header["training"])
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{name} has an unreadable header: {advice}") from error
    if not valid_shape(shape):
        raise CheckpointError(f"{name} describes an impossible network, {shape}: {advice}")
    sizes = tensor_shapes(shape)
    numbers = numpy.frombuffer(data[16 + length : -8], dtype=numpy.uint8)
    expected = 2 * sum(math.prod(size) for size in sizes.values())
    if numbers.size != expected:
        raise CheckpointError(
            f"{name} has {numbers.size} bytes of weights instead of {expected}: {advice}"
        )
    values = numpy.frombuffer(numbers.tobytes(), dtype="<f2").astype(numpy.float32)
    weights, start = {}, 0
    for tensor_name, size in sizes.items():
        end = start + math.prod(size)
        weights[tensor_name] = torch.from_numpy(values[start:end].reshape(size).copy())
        start = end
    return weights, training


def valid_shape(shape: Shape) -> bool:
    """Whether a network of this size can exist, so that a header cannot ask for anything."""
    sizes_are_small = 0 < shape.width <= 4096 and 0 < shape.layers <= 64
    return sizes_are_small and 0 < shape.heads <= 64 and shape.width % shape.heads == 0
