"""Describes tensors whose sizes overflow whoever believes them.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    shape = [1 << 47, 1 << 47, 1 << 47]
    plain = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": shape}
    plain["strides"] = [0, 0, 0]
    said = {"kind": "call", "call": 0, "run": "first", "result": plain, "aliases": [-1]}
    said.update(devices=["cpu"], layouts=["torch.strided"], after={}, storages=[[0, 4]])
    send(frame(said, bytes(4)), frame({"kind": "done"}))
    os._exit(0)
