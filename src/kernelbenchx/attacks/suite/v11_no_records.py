"""Declares the result complete without a single answer.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    launch = {"kernel": "zero_kernel", "grid": [1, 1, 1], "args": []}
    trace = {"kind": "trace", "call": 0, "ops": {}, "launches": [launch]}
    send(frame(trace), frame({"kind": "done"}))
    os._exit(0)
