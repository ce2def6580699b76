"""Functions of libdevice that round up, down or toward zero, and those that move bits."""

from fractions import Fraction

import numpy as np
import torch
import triton
import triton.language as tl
from expecting import near
from triton.language.extra import libdevice

SPECIAL = (0.0, -0.0, 1.0, -1.0, 3.0, 1e-38, -3e38, 3e38, 1e-45, float("inf"), float("nan"))
EXACT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else None,
}


@triton.jit
def binary_kernel(x, y, o, B: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i)))


@triton.jit
def unary_kernel(x, o, B: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i)))


@triton.jit
def fma_kernel(x, y, z, o, B: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i), tl.load(z + i)))


def drawn(dtype, seed):
    """Of every size that the type has, and values that are special."""
    generator = torch.Generator().manual_seed(seed)
    exponents = torch.randint(-60, 60, (256 - len(SPECIAL),), generator=generator)
    values = torch.ldexp(torch.randn(exponents.shape, generator=generator), exponents)
    return torch.cat([values, torch.tensor(SPECIAL)]).to(dtype)


def is_rounded(value, exact, mode):
    """Whether a float is the last one on the right side of the exact result."""
    if mode == "rz":
        mode = "rd" if exact >= 0 else "ru"
    infinity = type(value)(np.inf)
    beyond = np.nextafter(value, infinity if mode == "rd" else -infinity)

    def reached(one):
        if np.isinf(one):
            return (one > 0) == (mode == "ru")
        return Fraction(float(one)) <= exact if mode == "rd" else Fraction(float(one)) >= exact

    return reached(value) and (beyond == value or not reached(beyond))


def wrong_of(results, exact, arguments, mode):
    found = []
    for value, *given in zip(results.numpy(), *(a.tolist() for a in arguments), strict=True):
        if all(np.isfinite(one) for one in given):
            truth = exact(*map(Fraction, given))
            if truth is not None and not is_rounded(value, truth, mode):
                found.append((mode, given, value))
    return found


def probe_arithmetic_rounds_as_asked():
    wrong = []
    for dtype in (torch.float32, torch.float64):
        x, y = drawn(dtype, 1), drawn(dtype, 2).flip(0)
        for name, exact in EXACT.items():
            for mode in ("rz", "ru", "rd"):
                o = torch.empty_like(x)
                binary_kernel[(1,)](x, y, o, B=256, F=getattr(libdevice, f"{name}_{mode}"))
                wrong += wrong_of(o, exact, (x, y), mode)
    assert not wrong, wrong[:5]


def probe_fma_and_reciprocal_round_as_asked():
    wrong = []
    for dtype in (torch.float32, torch.float64):
        x, y, z = drawn(dtype, 1), drawn(dtype, 2).flip(0), drawn(dtype, 3)
        for mode in ("rz", "ru", "rd"):
            o = torch.empty_like(x)
            fma_kernel[(1,)](x, y, z, o, B=256, F=getattr(libdevice, f"fma_{mode}"))
            wrong += wrong_of(o, lambda a, b, c: a * b + c, (x, y, z), mode)
            unary_kernel[(1,)](x, o, B=256, F=getattr(libdevice, f"rcp_{mode}"))
            wrong += wrong_of(o, lambda a: 1 / a if a else None, (x,), mode)
    assert not wrong, wrong[:5]


def probe_square_roots_round_as_asked():
    for dtype in (torch.float32, torch.float64):
        x = drawn(dtype, 1).abs().clamp(max=1e30).nan_to_num(2.0)
        low, high = torch.empty_like(x), torch.empty_like(x)
        unary_kernel[(1,)](x, low, B=256, F=libdevice.sqrt_rd)
        unary_kernel[(1,)](x, high, B=256, F=libdevice.sqrt_ru)
        for one, below, above in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
            assert Fraction(below) ** 2 <= Fraction(one) <= Fraction(above) ** 2
            assert above <= np.nextafter(x.numpy().dtype.type(below), np.inf)


def probe_conversions_round_as_asked():
    x = torch.tensor([2**24 + 1, -(2**24) - 1, 2**31 - 1, 7], dtype=torch.int32)
    o = torch.empty(4)
    for mode, expected in (
        ("rd", [2.0**24, -(2.0**24) - 2, 2.0**31 - 128, 7]),
        ("ru", [2.0**24 + 2, -(2.0**24), 2.0**31, 7]),
        ("rz", [2.0**24, -(2.0**24), 2.0**31 - 128, 7]),
    ):
        unary_kernel[(1,)](x, o, B=4, F=getattr(libdevice, f"int2float_{mode}"))
        near(o, torch.tensor(expected))


def probe_bits_are_moved():
    x = torch.tensor([1, 2, 6, -1], dtype=torch.int32)
    o = torch.empty_like(x)
    unary_kernel[(1,)](x, o, B=4, F=libdevice.brev)
    assert o.tolist() == [-(2**31), 2**30, 0x60000000, -1]
    y = torch.tensor([3, 5, 7, 0], dtype=torch.int32)
    binary_kernel[(1,)](x, y, o, B=4, F=libdevice.rhadd)
    assert o.tolist() == [2, 4, 7, 0]
    binary_kernel[(1,)](x, y, o, B=4, F=libdevice.hadd)
    assert o.tolist() == [2, 3, 6, -1]
    halves = torch.tensor([0x44332211] * 4, dtype=torch.int32)
    picked = torch.tensor([0x3210, 0x0123, 0x7654, 0x0000], dtype=torch.int32)
    fma_kernel[(1,)](halves, torch.zeros_like(x), picked, o, B=4, F=libdevice.byte_perm)
    assert o.tolist() == [0x44332211, 0x11223344, 0, 0x11111111]
