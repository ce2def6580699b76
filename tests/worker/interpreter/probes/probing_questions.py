"""What a kernel asks Python for, it is told as by the compiler."""

import torch
import triton
import triton.language as tl

CURED = (
    "probe_counters_are_tensors",
    "probe_numbers_become_tensors",
    "probe_helpers_return_tensors_where_they_return_several_numbers",
    "probe_choices_by_a_value_are_tensors",
)


@triton.jit
def counter_kernel(o):
    for i in range(-3, -2):
        tl.store(o, i // 2)
        tl.store(o + 1, isinstance(i, tl.tensor) and not isinstance(i, int))
        tl.store(o + 2, i * 1073741824)
    for i in tl.static_range(1):
        tl.store(o + 3, isinstance(i, int))


def probe_counters_are_tensors():
    o = torch.zeros(4, dtype=torch.int32)
    counter_kernel[(1,)](o)
    assert o.tolist() == [-1, 1, 1073741824, 1]


@triton.jit
def wide_counter_kernel(o, n):
    for i in range(n, n + 1):
        tl.store(o, i * 2)


def probe_a_counter_is_as_wide_as_its_bounds():
    o = torch.zeros(1, dtype=torch.int64)
    wide_counter_kernel[(1,)](o, 1 << 40)
    assert o.tolist() == [1 << 41]


@triton.jit
def assigned_kernel(o, BLOCK: tl.constexpr):
    a, b = -7, 2
    tl.store(o, a // b)
    c: int = -7
    tl.store(o + 1, c // 2)
    fixed: tl.constexpr = -7
    tl.store(o + 2, fixed // 2)
    BLOCK += 1
    tl.store(o + 3, isinstance(BLOCK, int))


def probe_numbers_become_tensors():
    o = torch.zeros(4, dtype=torch.int32)
    assigned_kernel[(1,)](o, BLOCK=16)
    assert o.tolist() == [-3, -3, -4, 0]


@triton.jit
def of_two(n):
    if n > 0:
        return -7
    return -9


@triton.jit
def of_one(n):
    return -7


@triton.jit
def returning_kernel(o, n):
    tl.store(o, of_two(n) // 2)
    tl.store(o + 1, of_one(n) // 2)


def probe_helpers_return_tensors_where_they_return_several_numbers():
    o = torch.zeros(2, dtype=torch.int32)
    returning_kernel[(1,)](o, 5)
    assert o.tolist() == [-3, -4]


@triton.jit
def choosing_kernel(o, n, MODE: tl.constexpr):
    tl.store(o, (-7 if n > 0 else -9) // 2)
    tl.store(o + 1, (-7 if MODE else -9) // 2)
    tl.store(o + 2, isinstance(min(n, 3), tl.tensor))
    tl.store(o + 3, isinstance(min(MODE, 3), int))


def probe_choices_by_a_value_are_tensors():
    o = torch.zeros(4, dtype=torch.int32)
    choosing_kernel[(1,)](o, 5, MODE=1)
    assert o.tolist() == [-3, -4, 1, 1]
