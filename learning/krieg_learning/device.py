"""The device that trains: a CUDA card or the processor, and the simulator built for it."""

import subprocess
import sys
from pathlib import Path

import torch

from krieg_learning import checkpoint
from krieg_learning.network import Weights
from krieg_learning.play import Execution
from krieg_learning.simulator import Simulator

LEARNING = Path(__file__).resolve().parent.parent
BUILD_FOLDER = LEARNING.parent / "target" / "learning"


class DeviceError(Exception):
    """The machine lacks something; the message says what to do."""


def execution(
    name: str, compiled: bool = True, graph: bool = True, attention: str = "products"
) -> Execution:
    """How to compute on the named device: "cuda", "cpu", or "auto" for a card if there is one."""
    has_card = torch.cuda.is_available()
    if name == "cuda" and not has_card:
        raise DeviceError("no CUDA card was found: use a machine with one, or add --device cpu")
    if name == "cpu" or not has_card:
        return Execution(torch.device("cpu"))
    # The products of the heads, which are in single precision, may use the TF32 units.
    torch.set_float32_matmul_precision("high")
    return Execution(torch.device("cuda"), torch.bfloat16, compiled, graph, attention)


def build_simulator(device: torch.device, folder: Path = BUILD_FOLDER) -> Path:
    """Builds the simulator for the device and returns the library."""
    kind = "gpu" if device.type == "cuda" else "cpu"
    folder = folder / kind
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(LEARNING / "simulator" / "build"), kind, str(folder)]
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode != 0:
        reason = (done.stderr or done.stdout).strip().splitlines()
        raise DeviceError("the simulator was not built: " + (reason[-1] if reason else "no reason"))
    return folder


def load_compiled(path: Path) -> None:
    """Uses what an earlier leg compiled, if the file exists and fits this version of PyTorch."""
    if not path.exists():
        return
    try:
        torch.compiler.load_cache_artifacts(path.read_bytes())
    except Exception as error:  # A cache that cannot be read only costs time.
        print(f"leg: {path} is not used ({type(error).__name__}: {error})", file=sys.stderr)


def save_compiled(path: Path) -> None:
    """Keeps what was compiled so far, for the next leg on such a card."""
    artifacts = torch.compiler.save_cache_artifacts()
    if artifacts is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(artifacts[0])


def load_weights(path: Path, device: torch.device) -> Weights:
    """The weights of a checkpoint on the device."""
    weights, _ = checkpoint.load(path)
    return {name: tensor.to(device) for name, tensor in weights.items()}


def simulator(library: Path, device: torch.device, **settings) -> Simulator:
    """A simulator whose games have begun."""
    return Simulator(library, device, **settings)
