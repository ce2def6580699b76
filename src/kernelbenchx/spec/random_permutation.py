"""Random orders of many numbers without sorting them: a GPU sorts slower than it computes."""

import torch

LARGE = 1 << 16
"""From how many drawn numbers on sorting is too slow."""
ROUNDS = 3


def can_permute(count: int, total: int) -> bool:
    """Whether orders of `count` numbers can be mixed, and `total` numbers in all are worth it."""
    return count & (count - 1) == 0 and 0 < count <= 1 << 31 and total >= LARGE


def permute_by_keys(numbers: torch.Tensor, keys: torch.Tensor, count: int) -> torch.Tensor:
    """The place of each number of [0, count) in an order that the keys choose.

    `count` is a power of two, so each step is one-to-one: a multiplication by an odd number, and
    the upper half of the bits xored onto the lower. `keys` holds `1 + ROUNDS` numbers of
    [0, count) along its first dimension; the rest of it broadcasts against `numbers`. Upper bits
    that a product has no room for are not needed.
    """
    half = max(1, (count.bit_length() - 1) // 2)
    order = numbers ^ keys[0]
    for key in keys[1:]:
        order.mul_(key | 1).bitwise_and_(count - 1)
        order.bitwise_xor_(order >> half)
    return order


def spread(parts: torch.Tensor, count: int) -> torch.Tensor:
    """A place in each of as many even parts of [0, count) as there are numbers of [0, 1)."""
    many = parts.numel()
    bounds = torch.arange(many + 1, device=parts.device) * count // many
    return bounds[:-1] + (parts.double() * bounds.diff()).long()
