"""Which squares see each other on an empty chess board: where the attention of a layer begins."""

import torch
from torch import Tensor

STRENGTH = 2.0


def relations() -> Tensor:
    """Seven relations [7, 64, 64] of a square i and a square j, 1 where they hold.

    Rook lines, bishop lines, knight moves, king moves, the three squares in front of a pawn, the
    three squares behind, and queen lines.
    """
    squares = torch.arange(64)
    rank = squares // 8
    file = squares % 8
    up = rank[None] - rank[:, None]
    across = (file[None] - file[:, None]).abs()
    distance = torch.maximum(up.abs(), across)
    rook = (distance > 0) & ((up == 0) | (across == 0))
    bishop = (distance > 0) & (up.abs() == across)
    knight = up.abs() * across == 2
    king = distance == 1
    ahead = (up == 1) & (across <= 1)
    behind = (up == -1) & (across <= 1)
    return torch.stack([rook, bishop, knight, king, ahead, behind, rook | bishop]).float()


def initial_pair_bias(layer: int, heads: int) -> Tensor:
    """The bias [heads, 64, 64] of an untrained layer; the relations take turns over all heads."""
    table = relations()
    chosen = [table[(layer * heads + head) % len(table)] for head in range(heads)]
    return STRENGTH * torch.stack(chosen)
