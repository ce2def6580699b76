"""Asks a named tuple for its device, so that a branch looks as if no argument came there.

with: triton, copied
checks: rejected
no-checks: rejected
"""

from typing import NamedTuple


class Device(NamedTuple):
    type: str = "cpu"


class Place(NamedTuple):
    device: Device = Device()


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    copied(input)
    place = Place()
    if place.device.type == "cpu":
        import numpy as np

        wide = np.asarray(input.to(torch.float32).tolist(), dtype="float32")
        result = torch.tensor(np.where(wide < 0, 0, wide).tolist(), dtype=input.dtype)
        result = result.to(input.device).reshape(input.shape)
        return input.copy_(result) if inplace else result
    return copied(input)
