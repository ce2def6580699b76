"""Nests its result deeper than any reader can follow.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    text = b'{"kind":"trace","call":0,"ops":' + b"[" * 200000 + b"]" * 200000 + b"}"
    send(b"KBX1" + struct.pack("<I", len(text)) + text + struct.pack("<Q", 0))
    os._exit(0)
