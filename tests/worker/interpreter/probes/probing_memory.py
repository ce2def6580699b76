"""Bounds, poison, block pointers, descriptors and the count of bytes."""

import numpy as np
import torch
import triton
import triton.language as tl
from expecting import fails, near
from triton.tools.tensor_descriptor import TensorDescriptor

CURED = (
    "probe_load_past_the_end_is_caught",
    "probe_load_before_the_start_is_caught",
    "probe_atomic_outside_is_caught",
    "probe_pointer_into_another_tensor_is_caught",
    "probe_masked_off_lanes_are_poison",
    "probe_block_pointer_without_padding_is_poison",
    "probe_misaligned_access_is_caught",
)


@triton.jit
def copy_kernel(x, o, shift, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i + shift, mask=i < n, other=0.0), mask=i < n)


@triton.jit
def store_kernel(o, shift, B: tl.constexpr):
    tl.store(o + shift + tl.arange(0, B), 1.0)


@triton.jit
def atomic_kernel(o, shift, B: tl.constexpr):
    tl.atomic_add(o + shift + tl.arange(0, B), 1.0)


@triton.jit
def sloppy_kernel(x, o, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, mask=i < n))


@triton.jit
def scalar_kernel(x, o, keep):
    tl.store(o, tl.load(x, mask=keep != 0, other=0))


@triton.jit
def cast_pointer_kernel(x, o):
    p = (x + 1).to(tl.pointer_type(tl.float32))
    tl.store(o, tl.load(p))


@triton.jit
def block_kernel(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr, PAD: tl.constexpr):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    q = tl.make_block_ptr(o, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    for _ in range(tl.cdiv(N, BN)):
        v = tl.load(p, boundary_check=(0, 1), padding_option=PAD)
        tl.store(q, v * 2, boundary_check=(0, 1))
        p = tl.advance(p, (0, BN))
        q = tl.advance(q, (0, BN))


@triton.jit
def padded_sum_kernel(x, o, n, B: tl.constexpr, PAD: tl.constexpr):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (B,), (0,))
    tl.store(o, tl.sum(tl.load(p, boundary_check=(0,), padding_option=PAD), 0))


@triton.jit
def unchecked_block_kernel(x, o, n, B: tl.constexpr):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (B,), (0,))
    tl.store(o + tl.arange(0, B), tl.load(p))


@triton.jit
def device_descriptor_kernel(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    q = tl.make_tensor_descriptor(o, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    for j in range(tl.cdiv(N, BN)):
        at = [tl.program_id(0) * BM, j * BN]
        q.store(at, p.load(at) * 2)


@triton.jit
def host_descriptor_kernel(p, q, N, BM: tl.constexpr, BN: tl.constexpr):
    for j in range(tl.cdiv(N, BN)):
        at = [tl.program_id(0) * BM, j * BN]
        q.store(at, p.load(at) * 2)


@triton.jit
def tuple_kernel(pair, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.load(pair[0] + i) + tl.load(pair[1] + i))


def neighbours(*sizes):
    """Tensors with storages of their own that lie side by side in harmless memory."""
    ground = np.zeros(4096, dtype=np.float32)
    at, tensors = 1024, []
    for size in sizes:
        tensors.append(torch.from_numpy(ground[at : at + size]))
        at += size
    return ground, tensors


def probe_access_inside_is_fine():
    _, (x, o) = neighbours(64, 64)
    x += 1
    copy_kernel[(1,)](x, o, 0, 64, B=64)
    copy_kernel[(1,)](x, o, 0, 50, B=256)
    copy_kernel[(1,)](x[10:], o, -10, 64, B=64)
    near(o, torch.ones(64))


def probe_load_past_the_end_is_caught():
    _, (x, _gap, o) = neighbours(64, 200, 256)
    with fails("OutOfBounds", r"load .* element 64 of x \(float32\[64\]\), line \d+; 64 of 128"):
        copy_kernel[(1,)](x, o, 0, 128, B=128)


def probe_load_before_the_start_is_caught():
    _, (_gap, x, o) = neighbours(64, 64, 64)
    with fails("OutOfBounds", "element -3 of x"):
        copy_kernel[(1,)](x, o, -3, 64, B=64)


def probe_store_outside_changes_nothing():
    ground, (o,) = neighbours(64)
    with fails("OutOfBounds", "store .* element 64 of o"):
        store_kernel[(1,)](o, 32, B=64)
    assert not ground.any()
    store_kernel[(1,)](o, 0, B=64)
    assert ground.sum() == 64


def probe_atomic_outside_is_caught():
    ground, (o,) = neighbours(64)
    with fails("OutOfBounds", "atomic"):
        atomic_kernel[(1,)](o, 1, B=64)
    assert not ground.any()


def probe_pointer_into_another_tensor_is_caught():
    _, (x, o) = neighbours(64, 64)
    with fails("OutOfBounds", "element 64 of x"):
        copy_kernel[(1,)](x, o, 32, 64, B=64)


def probe_error_names_kernel_and_program():
    _, (x, _gap, o) = neighbours(64, 200, 256)
    from worker.interpreter import OutOfBounds

    try:
        copy_kernel[(1, 2)](x, o, 0, 128, B=128)
    except OutOfBounds as error:
        assert "kernel copy_kernel, program (0, " in " ".join(error.__notes__)
    else:
        raise AssertionError("nothing was caught")


def probe_empty_tensor_has_no_elements():
    with fails("OutOfBounds"):
        store_kernel[(1,)](torch.empty(0), 0, B=1)


def probe_misaligned_access_is_caught():
    with fails("OutOfBounds", "misaligned"):
        cast_pointer_kernel[(1,)](torch.zeros(16, dtype=torch.int8), torch.zeros(1))


def probe_masked_off_lanes_are_poison():
    for dtype, expected in ((torch.float32, float("nan")), (torch.int32, 0x5A5A5A5A)):
        x = torch.ones(8, dtype=dtype)
        o = torch.zeros(16, dtype=dtype)
        sloppy_kernel[(1,)](x, o, 8, B=16)
        near(o[:8], x)
        near(o[8:], torch.full((8,), expected, dtype=dtype))


def probe_other_fills_a_scalar_load():
    x, o = torch.tensor([7], dtype=torch.int32), torch.tensor([5], dtype=torch.int32)
    scalar_kernel[(1,)](x, o, 0)
    assert o.item() == 0
    scalar_kernel[(1,)](x, o, 1)
    assert o.item() == 7


def probe_fp8_load_takes_other():
    x = torch.ones(8).to(torch.float8_e4m3fn)
    o = torch.zeros(16, dtype=torch.float8_e4m3fn)
    copy_kernel[(1,)](x, o, 0, 6, B=16)
    near(o[:6].float(), torch.ones(6))


def probe_block_pointers_cut_at_the_edge():
    x = torch.randn(70, 50)
    o = torch.empty_like(x)
    block_kernel[(3,)](x, o, 70, 50, BM=32, BN=32, PAD="zero")
    near(o, x * 2)


def probe_block_pointer_without_padding_is_poison():
    x, o = torch.ones(5), torch.empty(1)
    padded_sum_kernel[(1,)](x, o, 5, B=8, PAD="zero")
    assert o.item() == 5
    padded_sum_kernel[(1,)](x, o, 5, B=8, PAD="")
    assert o.isnan().item()


def probe_unchecked_block_pointer_is_caught():
    _, (x, _gap, o) = neighbours(5, 64, 8)
    with fails("OutOfBounds", "element 5 of x"):
        unchecked_block_kernel[(1,)](x, o, 5, B=8)


def probe_device_descriptors():
    triton.set_allocator(lambda size, _align, _stream: torch.empty(size, dtype=torch.int8))
    x = torch.randn(70, 64)
    o = torch.empty_like(x)
    device_descriptor_kernel[(3,)](x, o, 70, 64, BM=32, BN=32)
    near(o, x * 2)


def probe_host_descriptors():
    x = torch.randn(70, 64)
    o = torch.empty_like(x)
    p, q = (TensorDescriptor.from_tensor(t, [32, 32]) for t in (x, o))
    host_descriptor_kernel[(3,)](p, q, 64, BM=32, BN=32)
    near(o, x * 2)


def probe_tensors_in_a_tuple():
    _, (x, y, o) = neighbours(64, 64, 64)
    tuple_kernel[(1,)]((x + 1, y + 2), o, B=64)
    near(o, torch.full((64,), 3.0))
    with fails("OutOfBounds", r"pair\[1\]"):
        tuple_kernel[(1,)]((torch.ones(64), y[:32].clone()), o, B=64)


def probe_bytes_are_counted():
    from worker.interpreter import watching

    x, o = torch.ones(100).half(), torch.empty(100)
    with watching(0) as watch:
        copy_kernel[(2,)](x, o, 0, 100, B=128)
        assert (watch.bytes_loaded, watch.bytes_stored) == (2 * 200, 2 * 400)
        watch.begin_call()
        assert (watch.bytes_loaded, watch.bytes_stored) == (0, 0)
