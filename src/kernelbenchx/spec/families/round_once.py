"""Several steps in a row that round once: wide inside, the input's dtype outside."""

import torch

from kernelbenchx.spec.families.mistakes import store_result


def widen_input(input: torch.Tensor) -> torch.Tensor:
    """The input in float32; float64 stays as it is."""
    return input.to(torch.promote_types(input.dtype, torch.float32))


def round_to_input(
    result: torch.Tensor, input: torch.Tensor, out: torch.Tensor | None = None
) -> torch.Tensor:
    """The result in the input's dtype, of integers as it is; in `out` where that is given."""
    narrow = result.to(input.dtype) if input.is_floating_point() else result
    return store_result(narrow, out)
