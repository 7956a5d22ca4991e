"""The network against a plain NumPy version of `learning/NETWORK.md`, and its sampling."""

import unittest

import numpy
import torch

from krieg_learning import policy
from krieg_learning.geometry import relations
from krieg_learning.network import Outputs, Shape, Weights, forward, initial_weights
from krieg_learning.policy import ANY, Style, log_probabilities, sample

SHAPE = Shape(24, 2, 3)


def random_weights(seed: int) -> Weights:
    """Weights none of which is zero."""
    generator = torch.Generator().manual_seed(seed)
    weights = initial_weights(SHAPE, seed)
    return {
        name: tensor + 0.1 * torch.randn(tensor.shape, generator=generator)
        for name, tensor in weights.items()
    }


def random_inputs(count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*size: int) -> torch.Tensor:
        return torch.randint(0, 256, (count, *size), generator=generator).to(torch.uint8)

    return draw(64, 48), draw(64)


def numpy_forward(weights: dict[str, numpy.ndarray], planes, scalars) -> dict:
    """One position, line by line as on the page."""
    w = weights
    d, heads = SHAPE.width, SHAPE.heads

    def norm(x):
        return x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)

    x = planes / 255 @ w["input.planes"] + w["input.bias"]
    x = x + scalars / 255 @ w["input.scalars"] + w["input.position"]
    for layer in range(SHAPE.layers):
        t = {name.split(".")[2]: v for name, v in w.items() if name.startswith(f"layer.{layer}.")}
        h = norm(x) * t["norm1"]
        q, k, v = numpy.split(h @ t["qkv"] + t["qkv_bias"], 3, axis=1)
        o = numpy.zeros_like(x)
        for head in range(heads):
            part = slice(head * d // heads, (head + 1) * d // heads)
            logits = q[:, part] @ k[:, part].T / numpy.sqrt(d / heads) + t["pair_bias"][head]
            a = numpy.exp(logits - logits.max(1, keepdims=True))
            o[:, part] = a / a.sum(1, keepdims=True) @ v[:, part]
        x = x + o @ t["out"] + t["out_bias"]
        h = norm(x) * t["norm2"]
        hidden = numpy.maximum(h @ t["ffn1"] + t["ffn1_bias"], 0) ** 2
        x = x + hidden @ t["ffn2"] + t["ffn2_bias"]
    y = norm(x) * w["final.norm"]
    origin = y @ w["policy.from"] + w["policy.from_bias"]
    target = y @ w["policy.to"] + w["policy.to_bias"]
    g = numpy.maximum((y @ w["pool.weight"]).mean(0) + w["pool.bias"], 0)
    return {
        "belief": y @ w["belief.weight"] + w["belief.bias"],
        "pair": origin @ target.T / 8 + w["policy.pair_bias"],
        "promotion": y @ w["policy.promotion"] + w["policy.promotion_bias"],
        "any": g @ w["policy.any"] + w["policy.any_bias"][0],
        "value": g @ w["value.weight"] + w["value.bias"],
        "material": g @ w["material.weight"] + w["material.bias"][0],
    }


def no_style(count: int, temperature: float = 1.0) -> Style:
    zeros = torch.zeros(count)
    pieces, squares = torch.zeros(count, 6), torch.zeros(count, 64)
    return Style(torch.full((count,), temperature), zeros, zeros, zeros, pieces, squares)


def random_masks(count: int, seed: int) -> torch.Tensor:
    """Masks with a few sensible tries each, in half of which "any?" may be asked."""
    generator = numpy.random.default_rng(seed)
    masks = numpy.zeros((count, 65), dtype=numpy.uint64)
    for row in masks:
        for origin in generator.integers(0, 64, 5):
            row[origin] |= numpy.uint64(1) << numpy.uint64(generator.integers(0, 64))
        row[64] = generator.integers(0, 2)
    return torch.from_numpy(masks.view(numpy.int64))


class NetworkTest(unittest.TestCase):
    def test_pass_equals_that_of_the_page(self) -> None:
        weights = random_weights(1)
        planes, scalars = random_inputs(3, 2)
        plain = {name: tensor.double().numpy() for name, tensor in weights.items()}
        for way in ("products", "torch"):
            outputs = forward(weights, planes, scalars, torch.float32, way)
            for index in range(3):
                expected = numpy_forward(plain, planes[index].numpy(), scalars[index].numpy())
                for name, right in expected.items():
                    got = getattr(outputs, name)[index].numpy()
                    self.assertTrue(numpy.allclose(got, right, rtol=1e-3, atol=1e-3), name)

    def test_double_precision_is_exact(self) -> None:
        weights = {name: tensor.double() for name, tensor in random_weights(1).items()}
        planes, scalars = random_inputs(1, 2)
        outputs = forward(weights, planes, scalars, torch.float64)
        plain = {name: tensor.numpy() for name, tensor in weights.items()}
        expected = numpy_forward(plain, planes[0].numpy(), scalars[0].numpy())
        for name, right in expected.items():
            got = getattr(outputs, name)[0].numpy()
            self.assertTrue(numpy.allclose(got, right, rtol=1e-11, atol=1e-11), name)

    def test_half_precision_is_near(self) -> None:
        weights = random_weights(1)
        planes, scalars = random_inputs(4, 2)
        exact = forward(weights, planes, scalars, torch.float32).pair
        near = forward(weights, planes, scalars, torch.bfloat16).pair
        self.assertLess(float((near - exact).norm() / exact.norm()), 0.05)

    def test_relations_are_those_of_chess(self) -> None:
        rook, bishop, knight, king, ahead, behind, queen = relations()
        a1, e4 = 0, 28
        self.assertEqual([int(table[a1].sum()) for table in (rook, bishop, knight)], [14, 7, 2])
        self.assertEqual([int(table[e4].sum()) for table in (knight, king, queen)], [8, 8, 27])
        self.assertEqual(ahead[e4].nonzero()[:, 0].tolist(), [35, 36, 37])
        self.assertEqual(behind[e4].nonzero()[:, 0].tolist(), [19, 20, 21])


class SamplingTest(unittest.TestCase):
    def outputs(self, count: int) -> Outputs:
        planes, scalars = random_inputs(count, 4)
        return forward(random_weights(3), planes, scalars, torch.float32)

    def test_only_sensible_tries_are_drawn(self) -> None:
        torch.manual_seed(0)
        count = 400
        outputs, masks = self.outputs(count), random_masks(count, 5)
        planes, _ = random_inputs(count, 6)
        planes[:, :, 0] = 255
        codes = sample(outputs, planes, masks, no_style(count, 3.0)).tries.long() & 0xFFFF
        asked = promoted = 0
        for code, mask in zip(codes.tolist(), masks.tolist(), strict=True):
            if code == ANY:
                asked += 1
                self.assertEqual(mask[64], 1)
                continue
            origin, target, promotion = code & 63, code >> 6 & 63, code >> 12
            self.assertEqual(mask[origin] >> target & 1, 1)
            is_promotion = origin >> 3 == 6 and target >> 3 == 7
            promoted += is_promotion
            self.assertIn(promotion, (1, 2, 3, 4) if is_promotion else (0,))
        self.assertGreater(asked, 0)
        self.assertGreater(promoted, 0)

    def test_probabilities_sum_to_one(self) -> None:
        count = 20
        outputs, masks = self.outputs(count), random_masks(count, 7)
        total = torch.zeros(count)
        for index in range(count):
            row = Outputs(*(tensor[index : index + 1] for tensor in outputs))
            mask = masks[index : index + 1]
            words = mask[0].tolist()
            pairs = [(i, j) for i in range(64) for j in range(64) if words[i] >> j & 1]
            codes = [i | j << 6 for i, j in pairs] + [ANY - 0x10000] * words[64]
            for code in codes:
                tries = torch.tensor([code], dtype=torch.int16)
                total[index] += log_probabilities(row, mask, tries)[0].exp()[0]
        self.assertTrue(torch.allclose(total, torch.ones(count), atol=1e-4))

    def test_promotion_multiplies_the_probability(self) -> None:
        outputs = self.outputs(1)
        masks = torch.zeros(1, 65, dtype=torch.int64)
        masks[0, 48] = 1 << 56
        probabilities = [
            log_probabilities(outputs, masks, torch.tensor([48 | 56 << 6 | n << 12]))[0].exp()
            for n in (1, 2, 3, 4)
        ]
        right = torch.softmax(outputs.promotion[0, 56], 0)
        self.assertTrue(torch.allclose(torch.cat(probabilities), right, atol=1e-5))

    def test_draws_follow_the_probabilities(self) -> None:
        torch.manual_seed(1)
        count = 4000
        one = self.outputs(1)
        outputs = Outputs(*(tensor.expand(count, *tensor.shape[1:]) for tensor in one))
        masks = random_masks(1, 8).expand(count, 65)
        planes = torch.zeros(count, 64, 48, dtype=torch.uint8)
        choice = sample(outputs, planes, masks, no_style(count))
        for code in set(choice.tries.tolist()):
            drawn = choice.tries == code
            expected = float(choice.log_probability[drawn][0].exp())
            self.assertAlmostEqual(float(drawn.float().mean()), expected, delta=0.04)

    def test_memory_is_rounded_and_empty_on_own_squares(self) -> None:
        belief = torch.zeros(1, 64, 7)
        belief[0, 3, 5] = 100.0
        planes = torch.zeros(1, 64, 48, dtype=torch.uint8)
        planes[0, 9, 2] = 255
        memory = policy.memory_of(belief, planes)
        self.assertEqual(memory[0, 3].tolist(), [0, 0, 0, 0, 255, 0])
        self.assertEqual(memory[0, 4].tolist(), [36] * 6)
        self.assertEqual(memory[0, 9].tolist(), [0] * 6)

    def test_styles_change_the_choice(self) -> None:
        planes = torch.zeros(1, 64, 48, dtype=torch.uint8)
        planes[0, 20, policy.LOST_FAST] = 255
        planes[0, 8, policy.OWN_PAWN] = 255
        ones = torch.ones(1)
        planes[0, 2, 3] = 255
        pieces, squares = torch.zeros(1, 6), torch.zeros(1, 64)
        pieces[0, 3] = 5
        squares[0, 22] = 7
        style = Style(ones, 10 * ones, 2 * ones, -3 * ones, pieces, squares)
        bias = policy.style_bias(style, planes)[0]
        self.assertEqual(float(bias[1, 20]), 10)
        self.assertEqual(float(bias[8, 21]), 2)
        self.assertEqual(float(bias[1, 40]), -3)
        self.assertEqual(float(bias[1, 21]), 0)
        self.assertEqual(float(bias[2, 21]), 5)
        self.assertEqual(float(bias[2, 22]), 12)


if __name__ == "__main__":
    unittest.main()
