"""Announces a header and a payload far larger than what follows.

with: triton, zeros, forged_frames
checks: rejected
no-checks: broken
"""

import json
import os
import struct


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    send(b"KBX1" + struct.pack("<I", 0xFFFFFFFF) + b"{}", struct.pack("<Q", 1 << 60))
    os._exit(0)
