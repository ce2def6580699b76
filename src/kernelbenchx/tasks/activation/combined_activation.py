"""A matrix product and two activations: tanh(sigmoid(input @ weight1)) * weight2 + bias.

input is (..., N, K) with any number of leading dimensions and weight1 is (K, P); the product and
the result are (..., N, P). sigmoid(z) = 1 / (1 + exp(-z)) comes first, then tanh. weight2 and bias
are tensors that broadcast to the shape of the result, each in its own way, and never enlarge it.
Where sigmoid(z) is tiny, its tanh is as accurate as anywhere. NaN and infinities follow IEEE
arithmetic: a product of +inf gives tanh(1), one of -inf gives 0.

The published reference takes a 2-D input only; here every leading index is multiplied, too.
"""

import torch

from kernelbenchx.spec import case
from kernelbenchx.spec.families.gated_product import apply_gate, gated_product, wide_product


def combined_activation(
    input: torch.Tensor,
    weight1: torch.Tensor,
    weight2: torch.Tensor,
    bias: torch.Tensor,
    *,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    return apply_gate(_gate, wide_product(input, weight1), weight2, bias, input.dtype, out)


def _gate(z: torch.Tensor) -> torch.Tensor:
    return torch.tanh(torch.sigmoid(z))


def _slope(z: torch.Tensor) -> torch.Tensor:
    one = torch.sigmoid(z)
    return one * (1 - one) * (1 - torch.tanh(one).square())


def _from_one(z: torch.Tensor) -> torch.Tensor:
    """Loses what is tiny beside 1."""
    return 1 - 2 / (1 + torch.exp(2 * torch.sigmoid(z)))


TASK = gated_product(
    combined_activation,
    gate=_gate,
    slope=_slope,
    wrong_gates={
        "tanh before sigmoid": lambda z: torch.sigmoid(torch.tanh(z)),
        "tanh left out": torch.sigmoid,
        "sigmoid left out": torch.tanh,
        "tanh as a difference from 1": _from_one,
        "NaN cleaned away": lambda z: _gate(z).nan_to_num(0.0),
    },
    flops=12,
    timings=case(sizes=(512, 512, 512), dtype=torch.float32)
    + case(sizes=(2048, 2048, 2048), dtype=torch.float32)
    + case(sizes=(1024, 2048, 4096), batch=(8,), dtype=torch.bfloat16)
    + case(sizes=(4001, 2011, 3989), dtype=torch.float16, bias="full"),
    difficulty=3,
)
