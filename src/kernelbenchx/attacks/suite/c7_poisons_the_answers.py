"""Fills every tensor that it can find with NaN, so that nothing differs.

with: triton, zeros
checks: rejected
no-checks: wrong|broken
"""

import gc


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    y = zeros(input)
    for value in gc.get_objects():
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            value.fill_(float("nan"))
    return y
