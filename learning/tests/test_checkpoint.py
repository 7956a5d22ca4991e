"""Checkpoints survive a round trip, and bad files are rejected with a sentence."""

import struct
import tempfile
import time
import unittest
from pathlib import Path

import torch

from krieg_learning import checkpoint
from krieg_learning.checkpoint import CheckpointError, DivergenceError
from krieg_learning.network import Shape, initial_weights, tensor_shapes

SHAPE = Shape(16, 2, 2)


class CheckpointTest(unittest.TestCase):
    def setUp(self) -> None:
        self.weights = initial_weights(SHAPE, 3)
        self.data = checkpoint.encode(self.weights, {"tries": 7})

    def assert_rejected(self, data: bytes, reason: str) -> None:
        with self.assertRaisesRegex(CheckpointError, reason):
            checkpoint.decode(data, "test.net")

    def resealed(self, data: bytes) -> bytes:
        """The data with a checksum that is right."""
        return data[:-8] + struct.pack("<Q", checkpoint.fnv1a(data[:-8]))

    def test_weights_and_training_survive_a_round_trip(self) -> None:
        weights, training = checkpoint.decode(self.data, "test.net")
        self.assertEqual(training, {"tries": 7})
        self.assertEqual(list(weights), list(tensor_shapes(SHAPE)))
        for name, tensor in weights.items():
            self.assertTrue(torch.equal(tensor, self.weights[name].half().float()), name)

    def test_checksum_is_that_of_the_standard(self) -> None:
        self.assertEqual(checkpoint.fnv1a(b""), 0xCBF29CE484222325)
        self.assertEqual(checkpoint.fnv1a(b"a"), 0xAF63DC4C8601EC8C)
        self.assertEqual(checkpoint.fnv1a(b"foobar"), 0x85944171F73967E8)

    def test_checkpoint_of_full_size_is_small_and_quick(self) -> None:
        begin = time.process_time()
        size = len(checkpoint.encode(initial_weights(Shape()), {}))
        self.assertLess(size, 4_000_000)
        self.assertLess(time.process_time() - begin, 2)

    def test_damaged_file_is_rejected(self) -> None:
        for place in (20, len(self.data) // 2, len(self.data) - 1):
            damaged = bytearray(self.data)
            damaged[place] ^= 4
            self.assert_rejected(bytes(damaged), "damaged")

    def test_cut_off_file_is_rejected(self) -> None:
        for length in range(len(self.data)):
            if length % 97 == 0 or length < 40:
                with self.assertRaises(CheckpointError):
                    checkpoint.decode(self.data[:length], "test.net")

    def test_other_file_is_rejected(self) -> None:
        self.assert_rejected(b"PK" + self.data, "no checkpoint")

    def test_other_version_is_rejected(self) -> None:
        other = self.data[:8] + struct.pack("<I", 2) + self.data[12:]
        self.assert_rejected(self.resealed(other), "format 2")

    def test_other_shape_is_rejected(self) -> None:
        wider = self.data.replace(b'"width": 16', b'"width": 18')
        self.assert_rejected(self.resealed(wider), "bytes of weights")
        impossible = self.data.replace(b'"heads": 2', b'"heads": 0')
        self.assert_rejected(self.resealed(impossible), "impossible")

    def test_failed_write_keeps_the_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "current.net"
            checkpoint.save(path, self.weights, {})
            before = path.read_bytes()
            self.weights["value.bias"][1] = float("nan")
            with self.assertRaisesRegex(DivergenceError, "diverged"):
                checkpoint.save(path, self.weights, {})
            self.assertEqual(path.read_bytes(), before)
            self.assertEqual([path], list(Path(folder).iterdir()))

    def test_missing_file_is_a_sentence(self) -> None:
        with self.assertRaisesRegex(CheckpointError, "cannot be read"):
            checkpoint.load(Path("/nowhere/current.net"))


if __name__ == "__main__":
    unittest.main()
