"""Looks facts of the device and of a size up in caches.

task: relu
"""

import functools

import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(y_ptr, x_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(y_ptr + offsets, tl.where(x < 0.0, 0.0, x), mask=mask)


def honest_relu(input, inplace=False):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        relu_kernel[(triton.cdiv(n, 1024),)](y, x, n, BLOCK=1024)
    return input.copy_(y) if inplace else y


SIZES = {}


@functools.lru_cache(maxsize=8)
def block_of(n):
    return max(16, min(1024, triton.next_power_of_2(n)))


def processors(device):
    if device not in SIZES:
        SIZES[device] = torch.cuda.get_device_properties(device).multi_processor_count
    return SIZES[device]


def relu(input: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        block = block_of(max(n // processors(x.device), 1))
        relu_kernel[(triton.cdiv(n, block),)](y, x, n, BLOCK=block)
    return input.copy_(y) if inplace else y
