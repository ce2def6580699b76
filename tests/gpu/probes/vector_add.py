"""Adds two vectors with a Triton kernel on the card, in a confined child."""

import os
import struct

import torch
import triton
import triton.language as tl


@triton.jit
def _add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask)
    tl.store(out + offsets, total, mask=mask)


def serve(order: int, result: int) -> None:
    n = struct.unpack("<I", os.pread(order, 4, 0))[0]
    x = torch.arange(n, dtype=torch.float32, device="cuda")
    y = torch.full((n,), 0.5, device="cuda")
    out = torch.empty_like(x)
    _add[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
    os.write(result, out.cpu().numpy().tobytes())
