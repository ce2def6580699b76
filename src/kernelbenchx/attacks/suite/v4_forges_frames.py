"""Finds the result's descriptor and writes a complete, made-up result before it leaves.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken|wrong|rejected
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    launch = {"kernel": "zero_kernel", "grid": [1, 1, 1], "args": []}
    plain = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": [3001]}
    frames = []
    for call in range(64):
        frames.append(frame({"kind": "trace", "call": call, "ops": {}, "launches": [launch]}))
        said = {"kind": "call", "call": call, "run": "first", "result": plain, "aliases": [-1]}
        said.update(devices=["cpu"], layouts=["torch.strided"], after={}, storages=[[0, 12004]])
        frames.append(frame(said, bytes(12004)))
    send(*frames, frame({"kind": "done"}))
    os._exit(0)
