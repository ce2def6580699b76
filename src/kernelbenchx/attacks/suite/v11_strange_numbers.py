"""Writes infinity, NaN and huge numbers where whole numbers belong.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    error = {"type": "E", "message": "m", "line": 1e999}
    send(frame({"kind": "error", "stage": "call", "call": float("inf"), "error": error}))
    send(frame({"kind": "trace", "call": 1e999, "ops": {}, "launches": []}))
    os._exit(0)
