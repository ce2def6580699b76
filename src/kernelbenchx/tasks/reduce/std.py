"""Standard deviation over one, several or all dimensions.

sqrt(sum((x - mean)**2) / max(0, n - correction)), where n elements are reduced to one and mean is
their mean. Where n <= correction the division by 0 gives NaN if all deviations are 0, else inf.
The result has the input's dtype (float32, float16 or bfloat16); 16-bit inputs are computed in
float32 and rounded once. The mean is subtracted before squaring (or an equally accurate method is
used): the difference of mean(x**2) and mean**2 loses all digits where the mean is large. NaN or an
infinity among the elements gives NaN.
"""

import math
from collections.abc import Mapping

import torch

from kernelbenchx.spec import Close, Mutant, Normal, argument, case, reduction
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import trivial
from kernelbenchx.spec.families.dimensions import ONE, SEVERAL

Dim = int | tuple[int, ...] | None


def std(
    input: torch.Tensor,
    dim: Dim = None,
    correction: int = 1,
    keepdim: bool = False,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    if _reduced_to_one(input, dim) > correction and input.numel():
        return torch.std(input, dim, correction=correction, keepdim=keepdim, out=out)
    # The same where nothing is left to divide by, without the warning that torch.std gives.
    squares = (input - input.mean(dim, keepdim=True)).square().sum(dim, keepdim)
    return torch.sqrt(squares / 0.0, out=out)


def _reduced_to_one(x: torch.Tensor, dim: Dim) -> int:
    """How many elements are reduced to one result."""
    every = list(range(x.dim()))
    asked = every if dim is None else (dim,) if isinstance(dim, int) else dim
    # A generator would not be compiled.
    return math.prod([x.shape[d] for d in every if d in asked or d - x.dim() in asked])


def local(
    input: torch.Tensor,
    dim: Dim = None,
    correction: int = 1,
    keepdim: bool = False,
    out: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Rounding the mean moves a deviation by the size of x; n squares drift by sqrt(n) at most."""
    del out
    size = torch.sqrt(input.square().mean(dim, keepdim))
    drift = math.sqrt(input.numel() / max(size.numel(), 1)) / 4
    scale = size + drift * std(input, dim, correction, keepdim)
    return scale, scale


def _one_pass(x, dim=None, correction=1, keepdim=False, out=None):
    """mean(x**2) - mean**2, in float32."""
    n, wide = _reduced_to_one(x, dim), x.float()
    spread = wide.square().mean(dim, keepdim) - wide.mean(dim, keepdim).square()
    scaled = spread.clamp(min=0) * n / (n - correction) if n > correction else spread / 0.0
    result = torch.sqrt(scaled)
    return result.to(x.dtype) if out is None else out.copy_(result)


def _some_freedom(x, dim=None, correction=1, keepdim=False, out=None):
    return std(x, dim, min(correction, _reduced_to_one(x, dim) - 1), keepdim, out)


def _of_everything(x, dim=None, correction=1, keepdim=False, out=None):
    return mistakes.store_result(std(x, None, correction, keepdim), out)


def _variance(x, dim=None, correction=1, keepdim=False, out=None):
    return torch.square(std(x, dim, correction, keepdim), out=out)


def _is_defined(chosen: Mapping[str, str]) -> bool:
    """Whether deviations of equal elements, all 0 but for rounding, are not divided by 0."""
    return chosen["layout"] != "expanded" or chosen["correction"] in ("not given", "zero")


TASK = reduction(
    std,
    ordinary=Normal(),
    others={
        "small": Normal(size=1e-3),
        "large": Normal(size=100.0),
        # In the middle between two numbers of float16, and far from any of bfloat16.
        "mean of 1000": Normal(mean=1002.25),
        "special": Normal(planted=(math.nan, math.inf, -math.inf)),
    },
    dims=(*ONE, *SEVERAL, "none", "not given"),
    arguments=(
        trivial(argument("correction", not_given=None, zero=0, five=5, many=1200), "five", "many"),
    ),
    valid=_is_defined,
    corners=(
        {"dtype": "float16", "values": "mean of 1000"},
        {"dtype": "bfloat16", "values": "mean of 1000"},
        {"values": "special"},
    ),
    flops=4,
    contract=Close(scale=local),
    timings=case(shape=(1 << 26,), dtype=torch.float32)
    + case(shape=(8192, 4096), dtype=torch.float32, dim=0, values="mean of 1000")
    + case(shape=(4099, 8191), dtype=torch.bfloat16, dim=1),
    mutants=(
        Mutant("all dimensions", _of_everything, ("dim",)),
        mistakes.ignore_argument(std, "correction"),
        Mutant("at least one degree of freedom", _some_freedom, ("correction",)),
        Mutant("one pass", _one_pass),
        Mutant("variance", _variance),
        mistakes.fresh_beside_out(std),
    ),
    difficulty=2,
)
