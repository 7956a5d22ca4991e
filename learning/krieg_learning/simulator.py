"""The simulator of many games at once: the binding of `learning/simulator/simulator.h`."""

import contextlib
import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

ENDINGS = (
    "none", "checkmate", "stalemate", "insufficient material", "quiet limit", "threefold",
    "max plies",
)
RULESETS = ("icc", "cincinnati", "berkeley", "berkeley-any", "english", "rand", "dutch")
"""The rulesets in the order of their indices and weights."""
SCRIPTED_KINDS = ("unchanged", "random", "semi-random", "greedy")
"""The kinds of scripted players in the order of their numbers."""

EVENTS = ("accepted", "done", "result", "ending", "captured", "mover")


class Settings(ctypes.Structure):
    """`SimSettings` of the C interface."""

    _fields_ = [
        ("games", ctypes.c_uint32),
        ("seed", ctypes.c_uint64),
        ("ruleset_weights", ctypes.c_float * 7),
        ("start_weights", ctypes.c_float * 3),
        ("quiet_limit", ctypes.c_int32),
        ("max_plies", ctypes.c_int32),
    ]


class EventPointers(ctypes.Structure):
    """`SimEvents` of the C interface."""

    _fields_ = [(name, ctypes.c_void_p) for name in EVENTS]


class EventBuffers(Protocol):
    """Where `Simulator.step` writes what happened: tensors of bytes, one per game, or None."""

    accepted: Tensor | None
    done: Tensor | None
    result: Tensor | None
    ending: Tensor | None
    captured: Tensor | None
    mover: Tensor | None


class SimulatorError(Exception):
    """The simulator cannot do this; the message says what to do."""


def load_library(path: Path) -> ctypes.CDLL:
    """Loads `libsimulator.so`, given as a file or as the folder that it was built in."""
    path = path / "libsimulator.so" if path.is_dir() else path
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise SimulatorError(f"build the simulator: {path} cannot be loaded: {error}") from error
    pointer, number = ctypes.c_void_p, ctypes.c_int32
    arguments = {
        "sim_error": [],
        "sim_is_gpu": [],
        "sim_create": [ctypes.POINTER(Settings)],
        "sim_destroy": [pointer],
        "sim_set_starts": [pointer, pointer, pointer, number, number, pointer],
        "sim_reset": [pointer] * 2,
        "sim_observe": [pointer] * 7,
        "sim_contents": [pointer] * 3,
        "sim_info": [pointer] * 5,
        "sim_step": [pointer, pointer, EventPointers, pointer],
        "sim_scripted": [pointer] * 5,
    }
    for name, types in arguments.items():
        getattr(library, name).argtypes = types
    library.sim_error.restype = ctypes.c_char_p
    library.sim_create.restype = pointer
    library.sim_destroy.restype = None
    return library


class Simulator:
    """Many games of Kriegspiel that go on together, on a GPU or on the CPU.

    Every call works on the tensors in place, on the current stream of the device. The first
    dimension of every tensor is the number of games.
    """

    def __init__(
        self,
        library: Path,
        device: torch.device,
        *,
        games: int,
        seed: int,
        ruleset_weights: Sequence[float],
        start_weights: Sequence[float],
        quiet_limit: int,
        max_plies: int,
    ) -> None:
        """Begins all games. `library` is the folder with `libsimulator.so`."""
        self._handle = None
        self._library = load_library(Path(library))
        self.device = torch.device(device)
        self.games = games
        if bool(self._library.sim_is_gpu()) != (self.device.type == "cuda"):
            raise SimulatorError(f"build the simulator for the device {self.device}")
        weights = (ctypes.c_float * 7)(*ruleset_weights)
        starts = (ctypes.c_float * 3)(*start_weights)
        seed &= 2**64 - 1
        settings = Settings(games, seed, weights, starts, quiet_limit, max_plies)
        with self._on_device():
            self._handle = self._library.sim_create(ctypes.byref(settings))
            if not self._handle:
                raise SimulatorError(self._library.sim_error().decode())
            if self.device.type == "cuda":
                torch.cuda.synchronize(self.device)
        self.reset()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.sim_destroy(self._handle)
            self._handle = None

    def _on_device(self) -> contextlib.AbstractContextManager:
        """Makes the simulator's card the current one."""
        is_card = self.device.type == "cuda"
        return torch.cuda.device(self.device) if is_card else contextlib.nullcontext()

    def _call(self, function: str, *arguments: object) -> None:
        with self._on_device():
            is_card = self.device.type == "cuda"
            stream = torch.cuda.current_stream(self.device).cuda_stream if is_card else None
            code = getattr(self._library, function)(self._handle, *arguments, stream)
        if code != 0:
            raise SimulatorError(self._library.sim_error().decode())

    def _pointer(self, tensor: Tensor | None, row_bytes: int) -> int | None:
        """The address of a tensor whose rows have this many bytes."""
        if tensor is None:
            return None
        size = tensor.numel() * tensor.element_size()
        if size != self.games * row_bytes or not tensor.is_contiguous():
            raise SimulatorError(
                f"pass a contiguous tensor of {self.games} × {row_bytes} bytes, not {size} bytes"
            )
        if tensor.device.type != self.device.type:
            raise SimulatorError(f"pass a tensor on {self.device}, not on {tensor.device}")
        return tensor.data_ptr()

    def set_starts(
        self,
        ruleset_weights: Sequence[float],
        start_weights: Sequence[float],
        quiet_limit: int,
        max_plies: int,
    ) -> None:
        """Changes what later games begin with, and the limits of all games."""
        weights = (ctypes.c_float * 7)(*ruleset_weights)
        starts = (ctypes.c_float * 3)(*start_weights)
        self._call("sim_set_starts", weights, starts, quiet_limit, max_plies)

    def reset(self) -> None:
        """Begins all games anew."""
        self._call("sim_reset")

    def observe(
        self,
        planes: Tensor | None = None,
        scalars: Tensor | None = None,
        masks: Tensor | None = None,
        target: Tensor | None = None,
        mover: Tensor | None = None,
    ) -> None:
        """Writes the observations of the players to move: bytes, and masks of 64-bit words."""
        self._call(
            "sim_observe",
            self._pointer(planes, 64 * 48),
            self._pointer(scalars, 64),
            self._pointer(masks, 65 * 8),
            self._pointer(target, 64),
            self._pointer(mover, 1),
        )

    def contents(self, contents: Tensor) -> None:
        """Writes, for both players, what the opponent has on each square: [games, 2, 64]."""
        self._call("sim_contents", self._pointer(contents, 128))

    def info(
        self,
        ruleset: Tensor | None = None,
        ply: Tensor | None = None,
        material: Tensor | None = None,
    ) -> None:
        """Writes the ruleset, the number of moves (16 bits), and White's lead in material."""
        pointers = self._pointer(ruleset, 1), self._pointer(ply, 2), self._pointer(material, 1)
        self._call("sim_info", *pointers)

    def step(self, tries: Tensor, events: EventBuffers) -> None:
        """Judges one try in each game: codes of 16 bits. A game that ends is replaced."""
        pointers = [self._pointer(getattr(events, name), 1) for name in EVENTS]
        self._call("sim_step", self._pointer(tries, 2), EventPointers(*pointers))

    def scripted(self, kinds: Tensor, temper: Tensor, tries: Tensor) -> None:
        """Replaces the tries of games in which a scripted player moves (`SCRIPTED_KINDS`)."""
        self._call(
            "sim_scripted",
            self._pointer(kinds, 1),
            self._pointer(temper, 4),
            self._pointer(tries, 2),
        )
