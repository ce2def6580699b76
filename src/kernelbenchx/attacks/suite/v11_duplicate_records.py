"""Reports the same call twice, so that one of them might count.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    said = {"kind": "call", "call": 0, "run": "first", "result": {"t": "none"}, "aliases": []}
    said.update(devices=[], layouts=[], after={}, storages=[])
    send(frame(said), frame(said))
    return input
