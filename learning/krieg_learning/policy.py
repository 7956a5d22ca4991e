"""From logits to tries: masks, sampling, probabilities, and the memory that is fed back."""

from typing import NamedTuple

import torch
from torch import Tensor

from krieg_learning.network import Outputs

ANY = 0x8000
PAIRS = 4096
# Logit of a try outside the mask. Finite, so that no difference of two such logits is undefined.
EXCLUDED = -1e30
OWN_PIECES = slice(0, 6)
OWN_PAWN = 0
LOST_FAST = 26
MEMORY = slice(42, 48)


class Style(NamedTuple):
    """How each game's player departs from the network's policy. All zero, temperature 1: not."""

    temperature: Tensor  # [B] the logits are divided by it
    recapture: Tensor  # [B] added to the logits of tries to the square of the piece just lost
    pawn: Tensor  # [B] added to the logits of tries of pawns
    far: Tensor  # [B] added to the logits of tries into the opponent's half
    pieces: Tensor  # [B, 6] added to the logits of tries of each kind of piece
    squares: Tensor  # [B, 64] added to the logits of tries to each square


class Choice(NamedTuple):
    """A sampled try for each position."""

    tries: Tensor  # [B] codes, as int16 with the bits of the 16-bit code
    log_probability: Tensor  # [B] under the policy without style
    entropy: Tensor  # [B] of the choice among pairs, without style


def unpack(masks: Tensor) -> tuple[Tensor, Tensor]:
    """The sensible pairs [B, 64, 64] and whether "any?" may be asked [B], from 65 words."""
    shifts = torch.arange(64, device=masks.device)
    pairs = ((masks[:, :64, None] >> shifts) & 1) != 0
    return pairs, (masks[:, 64] & 1) != 0


def masked_logits(outputs: Outputs, masks: Tensor) -> tuple[Tensor, Tensor]:
    """The logits of the pairs [B, 4096] and of "any?" [B], with everything else excluded."""
    pairs, may_ask = unpack(masks)
    pair = torch.where(pairs, outputs.pair, EXCLUDED).view(-1, PAIRS)
    return pair, torch.where(may_ask, outputs.any, EXCLUDED)


def style_bias(style: Style, planes: Tensor) -> Tensor:
    """What a style adds to the logits [B, 64, 64] of the pairs."""
    just_lost = (planes[:, :, LOST_FAST] == 255).float()
    pieces = (planes[:, :, OWN_PIECES] != 0).float()
    far = (torch.arange(64, device=planes.device) >= 32).float()
    target = style.recapture[:, None] * just_lost + style.far[:, None] * far + style.squares
    pawns = style.pawn[:, None] * pieces[:, :, OWN_PAWN]
    origin = (pieces * style.pieces[:, None, :]).sum(2) + pawns
    return origin[:, :, None] + target[:, None, :]


def gumbel(like: Tensor) -> Tensor:
    """Noise of the Gumbel distribution: the largest noisy logit is a sample of the softmax."""
    return -torch.log(-torch.log(torch.rand_like(like).clamp_min(1e-12)))


def sample(outputs: Outputs, planes: Tensor, masks: Tensor, style: Style) -> Choice:
    """Draws a try for each position."""
    pair, any_logit = masked_logits(outputs, masks)
    sharpness = 1 / style.temperature
    biased = (pair.view(-1, 64, 64) + style_bias(style, planes)).view(-1, PAIRS)
    best, index = (biased * sharpness[:, None] + gumbel(pair)).max(1)
    asks = any_logit * sharpness + gumbel(any_logit) > best
    origin, target = index // 64, index % 64
    rows = torch.arange(len(index), device=index.device)
    is_pawn = planes[rows, origin, OWN_PAWN] != 0
    promotes = is_pawn & (origin // 8 == 6) & (target // 8 == 7)
    logits = outputs.promotion[rows, target]
    promotion = (logits * sharpness[:, None] + gumbel(logits)).argmax(1) + 1
    code = origin + target * 64 + torch.where(promotes, promotion * 4096, 0)
    tries = torch.where(asks, ANY - 0x10000, code).to(torch.int16)
    return Choice(tries, *log_probabilities(outputs, masks, tries))


def log_probabilities(outputs: Outputs, masks: Tensor, tries: Tensor) -> tuple[Tensor, Tensor]:
    """The log-probability of each given try, and the entropy of the choice among pairs [B]."""
    pair, any_logit = masked_logits(outputs, masks)
    code = tries.long() & 0xFFFF
    asks = code == ANY
    index = torch.where(asks, 0, (code & 63) * 64 + ((code >> 6) & 63))
    top = torch.maximum(pair.amax(1), any_logit).detach()
    weight = torch.exp(pair - top[:, None])
    any_weight = torch.exp(any_logit - top)
    total = weight.sum(1) + any_weight
    log_total = top + torch.log(total)
    expected = (weight * pair).sum(1) + any_weight * any_logit
    entropy = log_total - expected / total
    is_chosen = torch.arange(PAIRS, device=pair.device) == index[:, None]
    chosen = torch.where(is_chosen, pair, 0.0).sum(1)
    log_pair = torch.where(asks, any_logit, chosen) - log_total
    promotion = ((code >> 12) & 7) * ~asks
    square = torch.where(asks, 0, (code >> 6) & 63)
    rows = torch.arange(len(code), device=code.device)
    promotions = torch.log_softmax(outputs.promotion[rows, square], 1)
    chosen_promotion = promotions.gather(1, (promotion - 1).clamp_min(0)[:, None])[:, 0]
    return log_pair + torch.where(promotion > 0, chosen_promotion, 0.0), entropy


def own_squares(planes: Tensor) -> Tensor:
    """Which squares hold own pieces [B, 64]."""
    return planes[:, :, OWN_PIECES].amax(2) != 0


def memory_of(belief: Tensor, planes: Tensor) -> Tensor:
    """The belief [B, 64, 7] as bytes of the six memory planes [B, 64, 6]."""
    probability = torch.softmax(belief, 2)[:, :, 1:]
    memory = torch.floor(255 * probability + 0.5).to(torch.uint8)
    return torch.where(own_squares(planes)[:, :, None], 0, memory)


def memory_of_contents(contents: Tensor) -> Tensor:
    """Certainty as memory: the known contents [..., 64] as bytes [..., 64, 6]."""
    pieces = torch.arange(1, 7, device=contents.device, dtype=torch.uint8)
    return (contents[..., None] == pieces).to(torch.uint8) * 255


def belief_loss(belief: Tensor, planes: Tensor, target: Tensor) -> Tensor:
    """The log-loss of each belief [B] in nats: the sum over the squares without own pieces."""
    is_target = torch.arange(7, device=target.device) == target[:, :, None]
    losses = -torch.where(is_target, torch.log_softmax(belief, 2), 0.0).sum(2)
    return torch.where(own_squares(planes), 0.0, losses).sum(1)
