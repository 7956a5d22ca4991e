"""The ways of attention compute the same, gradients included.

Triton's interpreter runs the kernels without a card. It must be chosen before Triton is loaded, so
that this test starts a Python of its own.
"""

import os
import subprocess
import sys
import unittest

import torch

from krieg_learning.attention import HAS_TRITON, kernels_fit, trial

CPU = torch.device("cpu")


def compare_kernels() -> None:
    """Runs in the interpreter. The batch fills no program exactly."""
    exact = trial("products", torch.float32, 32, 2, CPU)
    kernels = trial("kernels", torch.float16, 32, 2, CPU)
    for right, got in zip(exact, kernels, strict=True):
        error = float((right - got).norm() / right.norm())
        assert error < 5e-3, f"the relative error is {error}"
    qkv = torch.randn(3, 64, 96).half()
    bias = torch.randn(2, 64, 64)
    torch.library.opcheck(
        torch.ops.krieg.attention.default,
        (qkv.requires_grad_(), bias.requires_grad_()),
        test_utils=("test_schema", "test_faketensor", "test_autograd_registration"),
    )


class AttentionTest(unittest.TestCase):
    def test_both_ways_of_pytorch_agree(self) -> None:
        ways = [trial(way, torch.float32, 32, 2, CPU) for way in ("products", "torch")]
        for one, other in zip(*ways, strict=True):
            self.assertTrue(torch.allclose(one, other, atol=1e-4))

    @unittest.skipUnless(HAS_TRITON, "Triton is not installed")
    def test_kernels_agree(self) -> None:
        environment = os.environ | {"TRITON_INTERPRET": "1"}
        program = "from tests import test_attention as t; t.compare_kernels()"
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(HAS_TRITON, "Triton is not installed")
    def test_kernels_need_a_power_of_two(self) -> None:
        self.assertTrue(kernels_fit(128, 4))
        self.assertFalse(kernels_fit(192, 4))
        self.assertFalse(kernels_fit(32, 4))


if __name__ == "__main__":
    unittest.main()
