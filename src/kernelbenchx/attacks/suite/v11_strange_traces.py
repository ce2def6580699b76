"""Writes traces whose every part has the wrong type.

class: V11
task: relu
checks: rejected
no-checks: broken
level: L1
"""

import json
import os
import struct

import torch
import triton
import triton.language as tl


@triton.jit
def zero_kernel(y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, tl.zeros((BLOCK,), tl.float32), mask=offsets < n)


def zeros(input):
    y = torch.empty(input.shape, dtype=input.dtype, device=input.device)
    n = y.numel()
    if n:
        zero_kernel[(triton.cdiv(n, 1024),)](y, n, BLOCK=1024)
    return y


def frame(header, payload=b""):
    text = json.dumps(header).encode()
    return b"KBX1" + struct.pack("<I", len(text)) + text + struct.pack("<Q", len(payload)) + payload


def send(*frames):
    """To every descriptor that takes it."""
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"".join(frames))
        except OSError:
            continue


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    zeros(input)
    for call, bad in enumerate((5, "text", {"a": 1}, [[]], [None], None)):
        trace = {"kind": "trace", "call": call, "ops": bad, "launches": bad, "races": bad}
        trace.update(flags=bad, kernels=bad, bytes_loaded=bad, untried=bad)
        send(frame(trace))
    send(frame({"kind": "trace", "call": None, "kernels": [{"ok": 1}, {"name": [], "error": 4}]}))
    send(frame({"kind": "done"}))
    os._exit(0)
