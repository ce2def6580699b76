"""Launches five kernels, on a card or on the driver without one, and prints what each needs.

python resources.py card
python resources.py sm_90
"""

import json
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + place, mask=place < columns, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * columns + place, values / tl.sum(values, axis=0), mask=place < columns)


@triton.jit
def product(a, b, c, n, SIZE: tl.constexpr, DEPTH: tl.constexpr):
    row = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    column = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    depth = tl.arange(0, DEPTH)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for start in range(0, n, DEPTH):
        left = tl.load(a + row[:, None] * n + start + depth[None, :])
        right = tl.load(b + (start + depth)[:, None] * n + column[None, :])
        total += tl.dot(left, right)
    tl.store(c + row[:, None] * n + column[None, :], total)


@triton.jit
def crowded(x, y, n, SIZE: tl.constexpr):
    # More values in flight than one warp has registers for.
    place = tl.arange(0, SIZE)
    total = tl.zeros((SIZE,), tl.float32)
    first = tl.load(x + place)
    second = tl.load(x + SIZE + place)
    for step in range(n):
        first, second = tl.sin(first * second), tl.cos(first + second) + step
        total += first * tl.exp(second)
    tl.store(y + place, total + first + second)


@triton.jit
def turned(x, y, SIZE: tl.constexpr):
    row = tl.arange(0, SIZE)
    block = tl.load(x + row[:, None] * SIZE + row[None, :])
    tl.store(y + row[:, None] * SIZE + row[None, :], tl.cumsum(tl.trans(block), axis=0))


@triton.jit(noinline=True)
def polynomial(x):
    return x * x * x + tl.sqrt(tl.abs(x)) * 3.0 + 1.0


@triton.jit
def called(x, y, SIZE: tl.constexpr):
    place = tl.arange(0, SIZE)
    factor = polynomial(tl.load(x))
    tl.store(y + place, tl.load(x + place) * polynomial(factor) + factor)


def launch_all(device):
    """Each kernel under its name, with what Triton returned for its launch."""
    x = torch.zeros(256, 256, device=device)
    y = torch.zeros(256, 256, device=device)
    half = torch.zeros(256, 256, device=device, dtype=torch.float16)
    return {
        "softmax": softmax[(256,)](x, y, 256, BLOCK=256),
        "product": product[(2, 2)](half, half, y, 256, SIZE=128, DEPTH=64, num_stages=3),
        "crowded": crowded[(1,)](x, y, 3, SIZE=4096, num_warps=1),
        "turned": turned[(1,)](x, y, SIZE=128, num_warps=8),
        "called": called[(1,)](x, y, SIZE=1024),
    }


def main(where):
    if where == "card":
        loaded = launch_all("cuda")
        torch.cuda.synchronize()
        needs = {
            name: [kernel.n_regs, kernel.n_spills, kernel.metadata.shared]
            for name, kernel in loaded.items()
        }
    else:
        from worker.cross_compile import install

        compilation = install(where, all_configurations=False, seed=0)
        loaded = launch_all("cpu")
        needs = {
            kernel["name"]: [kernel["registers"], kernel["spills"], kernel["shared_bytes"]]
            for kernel in compilation.kernels
        }
    facts = triton.runtime.driver.active.utils.get_device_properties(0)
    threads = {name: kernel.n_max_threads for name, kernel in loaded.items()}
    sys.stdout.write(json.dumps({"needs": needs, "facts": facts, "threads": threads}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
