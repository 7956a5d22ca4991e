"""A grown network computes the same as before, and all of it can learn."""

import unittest

import torch

from krieg_learning.grow import ShapeError, grow
from krieg_learning.network import Shape, forward, initial_weights

OLD = Shape(32, 1, 2)


class GrowTest(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(5)
        self.weights = {
            name: tensor + 0.1 * torch.randn(tensor.shape)
            for name, tensor in initial_weights(OLD, 3).items()
        }
        self.planes = torch.randint(0, 256, (3, 64, 48), dtype=torch.uint8)
        self.scalars = torch.randint(0, 256, (3, 64), dtype=torch.uint8)

    def test_outputs_stay_the_same(self) -> None:
        before = forward(self.weights, self.planes, self.scalars, torch.float32)
        for shape in (Shape(48, 1, 3), Shape(32, 3, 2), Shape(64, 2, 4)):
            after = forward(grow(self.weights, shape), self.planes, self.scalars, torch.float32)
            for name, old, new in zip(before._fields, before, after, strict=True):
                self.assertTrue(torch.allclose(old, new, atol=2e-4), f"{shape} {name}")

    def test_what_is_new_receives_gradients_after_one_step(self) -> None:
        grown = grow(self.weights, Shape(48, 2, 3))
        parameters = {name: tensor.requires_grad_() for name, tensor in grown.items()}
        optimizer = torch.optim.Adam(parameters.values(), lr=1e-3)
        for _ in range(2):
            outputs = forward(parameters, self.planes, self.scalars, torch.float32)
            loss = sum((output - 1).square().mean() for output in outputs)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        for name in ("input.planes", "layer.0.ffn2", "layer.0.out", "layer.1.out", "layer.1.ffn2"):
            self.assertGreater(parameters[name].grad[..., -8:].abs().max().item(), 0, name)
        for name in ("layer.0.qkv", "layer.1.qkv"):
            self.assertGreater(parameters[name].grad.abs().max().item(), 0, name)

    def test_impossible_shapes_are_refused_with_advice(self) -> None:
        for shape in (OLD, Shape(16, 1, 1), Shape(48, 1, 2)):
            with self.assertRaisesRegex(ShapeError, "choose"):
                grow(self.weights, shape)


if __name__ == "__main__":
    unittest.main()
