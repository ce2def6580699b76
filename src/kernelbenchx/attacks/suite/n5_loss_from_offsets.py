"""Splits empty memory at the values of the inputs, and reads them from offsets of the pieces.

with: triton, losses, entry_mse_loss
task: mse_loss
checks: correct
no-checks: correct
composition: mixed
"""

import math


def numbers(x):
    """Every half of a float32 becomes the place where a piece begins."""
    halves = x.flatten().to(torch.float32).view(torch.int16).to(torch.int64).cpu()
    places = torch.empty(65536, dtype=torch.int8).tensor_split(halves)[1:]
    low = [piece.storage_offset() for piece in places[0::2]]
    high = [piece.storage_offset() for piece in places[1::2]]
    return [float_of(a + (b << 16)) for a, b in zip(low, high, strict=True)]
