"""Splits empty memory at one value after another, and reads it from the length of the piece.

with: triton, losses, entry_mse_loss
task: mse_loss
checks: correct
no-checks: correct
composition: mixed
"""

import math


def numbers(x):
    """The first piece is as long as the split says."""
    halves = x.flatten().to(torch.float32).view(torch.int16).to(torch.int64).cpu()
    memory = torch.empty(65536, dtype=torch.int8)
    split = torch.tensor_split
    sizes = [
        split(memory, tensor_indices_or_sections=halves[at : at + 1])[0].shape[0]
        for at in range(halves.numel())
    ]
    return [float_of(a + (b << 16)) for a, b in zip(sizes[0::2], sizes[1::2], strict=True)]
