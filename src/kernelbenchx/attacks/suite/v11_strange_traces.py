"""Writes traces whose every part has the wrong type.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    for call, bad in enumerate((5, "text", {"a": 1}, [[]], [None], None)):
        trace = {"kind": "trace", "call": call, "ops": bad, "launches": bad, "races": bad}
        trace.update(flags=bad, kernels=bad, bytes_loaded=bad, untried=bad)
        send(frame(trace))
    send(frame({"kind": "trace", "call": None, "kernels": [{"ok": 1}, {"name": [], "error": 4}]}))
    send(frame({"kind": "done"}))
    os._exit(0)
