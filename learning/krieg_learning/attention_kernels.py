"""Triton kernels of the attention over 64 squares, forward and backward.

The 64 by 64 scores of a head fit into registers. So only queries, keys, values and results move
through memory, and nothing but the inputs is kept for the backward pass. A program handles several
positions of one head in turn, so that it loads the bias once.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

FORWARD_POSITIONS = 8
BACKWARD_POSITIONS = 32


@triton.jit
def softmax_scores(q, k, bias, scale):
    """The weights [64, 64] of one head."""
    scores = tl.dot(q, tl.trans(k)) * scale + bias
    weights = tl.exp(scores - tl.max(scores, 1)[:, None])
    return weights / tl.sum(weights, 1)[:, None]


@triton.jit
def forward_kernel(
    qkv, bias, out, batch, scale,
    HEADS: tl.constexpr, COLUMNS: tl.constexpr, POSITIONS: tl.constexpr,
):  # fmt: skip
    WIDTH: tl.constexpr = HEADS * COLUMNS
    head = tl.program_id(1)
    first = tl.program_id(0).to(tl.int64) * POSITIONS
    squares = tl.arange(0, 64)
    columns = head * COLUMNS + tl.arange(0, COLUMNS)
    pairs = squares[:, None] * 64 + squares[None, :]
    inputs = squares[:, None] * (3 * WIDTH) + columns[None, :]
    outputs = squares[:, None] * WIDTH + columns[None, :]
    pair_bias = tl.load(bias + head * 4096 + pairs)
    for i in range(POSITIONS):
        position = first + i
        valid = position < batch
        source = qkv + position * (64 * 3 * WIDTH) + inputs
        q = tl.load(source, mask=valid, other=0.0)
        k = tl.load(source + WIDTH, mask=valid, other=0.0)
        v = tl.load(source + 2 * WIDTH, mask=valid, other=0.0)
        weights = softmax_scores(q, k, pair_bias, scale)
        o = tl.dot(weights.to(v.dtype), v)
        tl.store(out + position * (64 * WIDTH) + outputs, o.to(v.dtype), mask=valid)


@triton.jit
def backward_kernel(
    qkv, bias, grad, grad_qkv, grad_bias, batch, scale,
    HEADS: tl.constexpr, COLUMNS: tl.constexpr, POSITIONS: tl.constexpr,
):  # fmt: skip
    """The gradient of the bias is a sum over the positions of this program; others add up later."""
    WIDTH: tl.constexpr = HEADS * COLUMNS
    head = tl.program_id(1)
    first = tl.program_id(0).to(tl.int64) * POSITIONS
    squares = tl.arange(0, 64)
    columns = head * COLUMNS + tl.arange(0, COLUMNS)
    pairs = squares[:, None] * 64 + squares[None, :]
    inputs = squares[:, None] * (3 * WIDTH) + columns[None, :]
    outputs = squares[:, None] * WIDTH + columns[None, :]
    pair_bias = tl.load(bias + head * 4096 + pairs)
    total = tl.zeros((64, 64), dtype=tl.float32)
    for i in range(POSITIONS):
        position = first + i
        valid = position < batch
        source = qkv + position * (64 * 3 * WIDTH) + inputs
        target = grad_qkv + position * (64 * 3 * WIDTH) + inputs
        q = tl.load(source, mask=valid, other=0.0)
        k = tl.load(source + WIDTH, mask=valid, other=0.0)
        v = tl.load(source + 2 * WIDTH, mask=valid, other=0.0)
        # Zero outside the batch, so that the sum over positions stays right.
        g = tl.load(grad + position * (64 * WIDTH) + outputs, mask=valid, other=0.0)
        weights = softmax_scores(q, k, pair_bias, scale)
        grad_weights = tl.dot(g, tl.trans(v))
        mean = tl.sum(weights * grad_weights, 1)
        grad_scores = weights * (grad_weights - mean[:, None])
        total += grad_scores
        low = grad_scores.to(q.dtype)
        grad_q = tl.dot(low, k) * scale
        grad_k = tl.dot(tl.trans(low), q) * scale
        grad_v = tl.dot(tl.trans(weights.to(g.dtype)), g)
        tl.store(target, grad_q.to(q.dtype), mask=valid)
        tl.store(target + WIDTH, grad_k.to(q.dtype), mask=valid)
        tl.store(target + 2 * WIDTH, grad_v.to(q.dtype), mask=valid)
    place = (tl.program_id(0) * HEADS + head).to(tl.int64) * 4096
    tl.store(grad_bias + place + pairs, total)


def sizes(qkv: Tensor, bias: Tensor) -> tuple[int, int, float]:
    """The number of heads, the columns of a head, and the scale of the scores."""
    heads = bias.shape[0]
    columns = qkv.shape[2] // 3 // heads
    return heads, columns, columns**-0.5


@torch.library.custom_op("krieg::attention", mutates_args=())
def attention_by_kernels(qkv: Tensor, bias: Tensor) -> Tensor:
    """From queries, keys and values [B, 64, 3 d] and the bias [H, 64, 64] to [B, 64, d]."""
    heads, columns, scale = sizes(qkv, bias)
    qkv, bias = qkv.contiguous(), bias.contiguous()
    batch = qkv.shape[0]
    out = qkv.new_empty(batch, 64, heads * columns)
    grid = (triton.cdiv(batch, FORWARD_POSITIONS), heads)
    forward_kernel[grid](qkv, bias, out, batch, scale, heads, columns, FORWARD_POSITIONS)
    return out


@torch.library.custom_op("krieg::attention_backward", mutates_args=())
def attention_backward(qkv: Tensor, bias: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of the inputs of `attention_by_kernels`."""
    heads, columns, scale = sizes(qkv, bias)
    qkv, bias, grad = qkv.contiguous(), bias.contiguous(), grad.contiguous()
    batch = qkv.shape[0]
    blocks = triton.cdiv(batch, BACKWARD_POSITIONS)
    grad_qkv = torch.empty_like(qkv)
    grad_bias = torch.empty(blocks, heads, 64, 64, device=qkv.device)
    backward_kernel[(blocks, heads)](
        qkv, bias, grad, grad_qkv, grad_bias, batch, scale, heads, columns, BACKWARD_POSITIONS
    )
    return grad_qkv, grad_bias.sum(0)


@attention_by_kernels.register_fake
def _(qkv: Tensor, bias: Tensor) -> Tensor:
    return qkv.new_empty(qkv.shape[0], 64, qkv.shape[2] // 3)


@attention_backward.register_fake
def _(qkv: Tensor, bias: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
    return torch.empty_like(qkv), torch.empty_like(bias)


def keep_inputs(ctx, inputs: tuple, output: Tensor) -> None:
    ctx.save_for_backward(*inputs)


def gradients(ctx, grad: Tensor) -> tuple[Tensor, Tensor]:
    return attention_backward(*ctx.saved_tensors, grad)


attention_by_kernels.register_autograd(gradients, setup_context=keep_inputs)
