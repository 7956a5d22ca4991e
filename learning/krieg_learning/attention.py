"""Attention over the 64 squares, with a bias for each head and pair of squares.

Three ways compute the same: two matrix products with a softmax between them; PyTorch's fused
attention; and the kernels of `attention_kernels.py`, which are the fastest on a card.
"""

import importlib.util
import math

import torch
from torch import Tensor
from torch.nn import functional

WAYS = ("products", "torch", "kernels")
# Largest relative error of a result or gradient in bf16.
TOLERANCE = 0.03
HAS_TRITON = importlib.util.find_spec("triton") is not None

if HAS_TRITON:
    from krieg_learning.attention_kernels import attention_by_kernels


def attention(qkv: Tensor, bias: Tensor, way: str) -> Tensor:
    """From queries, keys and values [B, 64, 3 d] and the bias [H, 64, 64] to [B, 64, d]."""
    batch, squares, heads = qkv.shape[0], qkv.shape[1], bias.shape[0]
    width = qkv.shape[2] // 3
    if way == "kernels":
        return attention_by_kernels(qkv, bias)
    q, k, v = qkv.view(batch, squares, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    if way == "torch":
        mask = bias.to(q.dtype).expand(batch, -1, -1, -1)
        o = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        # The bias is in single or double precision, and so are the scores.
        scores = (q @ k.transpose(-1, -2)).to(bias.dtype) / math.sqrt(q.shape[-1]) + bias
        o = torch.softmax(scores, -1).to(v.dtype) @ v
    return o.transpose(1, 2).reshape(batch, squares, width)


def kernels_fit(width: int, heads: int) -> bool:
    """Whether the kernels exist for this size: the columns of a head are a power of two."""
    columns = width // heads
    return HAS_TRITON and columns >= 16 and columns & (columns - 1) == 0


def kernels_work(width: int, heads: int, device: torch.device) -> bool:
    """Whether the kernels compute the same as the products on this card, gradients included."""
    if device.type != "cuda" or not kernels_fit(width, heads):
        return False
    exact = trial("products", torch.float32, width, heads, device)
    try:
        kernels = trial("kernels", torch.bfloat16, width, heads, device)
    except Exception as error:  # Triton has no common class of its failures.
        print(f"attention: the kernels do not work here ({type(error).__name__}: {error})")
        return False
    pairs = zip(exact, kernels, strict=True)
    return all(float((right - got).norm() / right.norm()) < TOLERANCE for right, got in pairs)


def trial(
    way: str, dtype: torch.dtype, width: int, heads: int, device: torch.device, batch: int = 37
) -> list[Tensor]:
    """The result and the gradients of the inputs, in single precision, for fixed random numbers."""
    generator = torch.Generator().manual_seed(1)

    def draw(*size: int) -> Tensor:
        return torch.randn(*size, generator=generator).to(device)

    qkv = draw(batch, 64, 3 * width).to(dtype).requires_grad_()
    bias = draw(heads, 64, 64).requires_grad_()
    out = attention(qkv, bias, way)
    gradients = torch.autograd.grad(out, (qkv, bias), draw(batch, 64, width).to(dtype))
    return [tensor.detach().float() for tensor in (out, *gradients)]
