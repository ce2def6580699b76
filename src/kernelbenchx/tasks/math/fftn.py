"""Discrete Fourier transform over several dimensions, full complex spectrum.

X[k] = sum over n of x[n] * exp(-2 * pi * i * sum over d of k_d * n_d / s_d), for the dimensions
`dim`. Without `dim` these are all dimensions, or the last len(s) where `s` is given. `s` gives
the transformed size of each of them in order: a longer dimension is cut at its end, a shorter one
padded there with zeros, and -1 keeps it. norm None or 'backward': no factor; 'ortho': 1 /
sqrt(product of the s_d); 'forward': 1 / product of the s_d. Negative dimensions count from the
end; other dimensions are a batch and may have size 0. A 0-d input is its own transform. The input
is finite, of any strides; float32 and complex64 give complex64, computed in float32 (twiddle
factors to float32 accuracy too), float64 and complex128 give complex128, computed in float64.
With `out` (of the result's shape and dtype, any strides) the result is written there and `out` is
returned.

The published reference ignores `out` and compares bits; here `out` is filled and the error is
judged against the exact transform.
"""

import math

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Mutant, Patch, Task, call, case, grid

DTYPES = (torch.float32, torch.complex64, torch.float64, torch.complex128)
SINGLE = (torch.float32,)
Ints = tuple[int, ...]


def fftn(
    input: torch.Tensor,
    s: Ints | None = None,
    dim: Ints | None = None,
    norm: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    result = _transform(input, s, dim, norm)
    return result if out is None else out.copy_(result)


def _transform(input, s, dim, norm):
    """On the host by products, and of nothing: some FFT libraries refuse legal shapes."""
    if input.device.type != "cpu" and input.numel():
        return torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    wide, count = input.to(torch.complex128), 1
    for axis, size in zip(*_plan(tuple(input.shape), s, dim), strict=True):
        line = wide.movedim(axis, -1)[..., :size]
        line = torch.nn.functional.pad(line, (0, size - line.shape[-1]))
        step = torch.arange(size, device=input.device)
        turns = torch.outer(step, step).remainder(size).double() * (-2 * math.pi / size)
        wide = (line @ torch.polar(torch.ones_like(turns), turns)).movedim(-1, axis)
        count *= size
    wide = wide / {"ortho": math.sqrt(count), "forward": count}.get(norm, 1)
    return wide if input.dtype.to_complex() == torch.complex128 else wide.to(torch.complex64)


def inputs(
    draw: Draw,
    shape: Ints,
    dtype: torch.dtype,
    layout: str = "contiguous",
    scale: float = 1.0,
    into: Ints | None = None,
    **options: object,
) -> Call:
    """`into` is the shape of `out`, which is written with other strides than usual."""
    x = draw.planted(draw.normal(shape, dtype, scale), (100.0 * scale, -0.0))
    written = {}
    if into is not None:
        written["out"] = draw.laid_out(draw.normal(into, torch.complex64), "transposed")
    return call(draw.laid_out(x, layout), **options, **written)


def cost(
    shape: Ints, dtype: torch.dtype, s: Ints | None = None, dim: Ints | None = None, **_: object
) -> Cost:
    dims, sizes = _plan(shape, s, dim)
    result = [*shape]
    for d, size in zip(dims, sizes, strict=True):
        result[d] = size
    width = 2 * dtype.itemsize if dtype in (torch.float32, torch.float64) else dtype.itemsize
    points = math.prod(result)
    steps = math.log2(max(math.prod(sizes), 2))
    moved = math.prod(shape) * dtype.itemsize + points * width
    return Cost(flops=round(5 * points * steps), bytes=moved)


def scale_of(
    input: torch.Tensor,
    s: Ints | None = None,
    dim: Ints | None = None,
    norm: str | None = None,
    out: torch.Tensor | None = None,
) -> torch.Tensor | tuple[torch.Tensor, ...]:
    """The sum of absolute values that reach an element, grown by the stages of a fast transform."""
    dims, sizes = _plan(input.shape, s, dim)
    terms, count = input.abs(), math.prod(sizes)
    for d, size in zip(dims, sizes, strict=True):
        terms = terms.narrow(d, 0, min(size, terms.shape[d])).sum(d, keepdim=True)
    factor = {"ortho": count**-0.5, "forward": 1.0 / count}.get(norm or "", 1.0)
    terms = terms * factor * max(1.0, math.log2(count) / 2)
    return terms if out is None else (terms, terms)


def _plan(shape: Ints, s: Ints | None, dim: Ints | None) -> tuple[list[int], list[int]]:
    """Transformed dimensions and their sizes."""
    if dim is None:
        first = 0 if s is None else len(shape) - len(s)
        dims = list(range(first, len(shape)))
    else:
        dims = [d % len(shape) for d in dim]
    wanted = [-1] * len(dims) if s is None else list(s)
    return dims, [shape[d] if n == -1 else n for d, n in zip(dims, wanted, strict=True)]


def _all_dims(input, s=None, dim=None, norm=None, out=None):
    keep = s is not None or input.numel() == 0
    return fftn(input, s, dim if keep else None, norm, out)


def _first_dims(input, s=None, dim=None, norm=None, out=None):
    """Takes the first len(s) dimensions for the default."""
    first = tuple(range(len(s))) if s is not None and dim is None else dim
    return fftn(input, s, first, norm, out)


def _cut_in_front(input, s=None, dim=None, norm=None, out=None):
    """Cuts and pads at the beginning of a dimension."""
    dims, sizes = _plan(tuple(input.shape), s, dim)
    for d, size in zip(dims, sizes, strict=True):
        extra = size - input.shape[d]
        pad = [0, 0] * (input.dim() - 1 - d) + [extra, 0]
        input = torch.nn.functional.pad(input, pad)
    return fftn(input, None, dim if s is None else tuple(dims), norm, out)


def _root_only(input, s=None, dim=None, norm=None, out=None):
    return fftn(input, s, dim, "ortho" if norm == "forward" else norm, out)


def _inverse(input, s=None, dim=None, norm=None, out=None):
    """The other sign in the exponent."""
    result = _transform(input.conj(), s, dim, norm).conj().resolve_conj()
    return result if out is None else out.copy_(result)


TASK = Task(
    reference=fftn,
    inputs=inputs,
    cost=cost,
    contract=Close(scale=scale_of),
    checks=(
        grid(shape=((16, 12),), dtype=DTYPES, norm=("ortho",))
        + grid(shape=((5, 7),), dtype=DTYPES, layout=("transposed",), norm=("backward",))
        + grid(shape=((1024,), (67,)), dtype=SINGLE)  # long; prime
        + case(shape=(2, 300), dtype=torch.complex128, dim=(1,))
        + grid(shape=((4, 4),), dtype=SINGLE, s=((2, 2), (8, 8), (3, -1), (6,)), norm=("ortho",))
        + grid(shape=((3, 6, 5),), dtype=(torch.complex64,), dim=((0,), (-1,), (2, 0)))
        + case(shape=(3, 6, 5), dtype=torch.float32, dim=(1, 0), s=(4, 7), layout="strided")
        + grid(shape=((6, 9),), dtype=SINGLE, scale=(1e-3, 1e3), dim=((1,),), norm=("forward",))
        + grid(shape=((6, 9),), dtype=SINGLE, into=((6, 9),), norm=("forward",))
        + case(shape=(), dtype=torch.float32)
        + case(shape=(1, 1), dtype=torch.complex64, norm="forward")
        + case(shape=(0, 4), dtype=torch.float32, dim=(1,))
    ),
    timings=(
        grid(shape=((2**22,), (4, 2**20)), dtype=(torch.complex64,), dim=((-1,),))
        + case(shape=(2048, 2048), dtype=torch.float32)
        + case(shape=(64, 65536), dtype=torch.complex64, dim=(1,), norm="ortho")
    ),
    mutants=(
        Mutant("dim is ignored", _all_dims, ("dim", "W-ARG")),
        Mutant("s counts from the first dimension", _first_dims, ("s", "dim")),
        Mutant("cut and padded in front", _cut_in_front, ("s", "W-ARG")),
        Mutant("norm is ignored", lambda x, norm=None, **k: fftn(x, **k), ("norm", "W-ARG")),
        Mutant("'forward' is taken for 'ortho'", _root_only, ("norm",)),
        Mutant("the sign of the exponent", _inverse, ("input",)),
        Mutant("out is not written", lambda x, out=None, **k: fftn(x, **k), ("out",)),
        Patch(
            "angles are not reduced before they are rounded",
            "(4 * step - quarter * period).to(kind) * 1.5707963267948966 / period",
            "(4 * turn * r).to(kind) * 1.5707963267948966 / period - quarter * 1.5707963267948966",
            ("I-BIT",),
        ),
        Patch(
            "the last point of each sum is left out",
            "for r in range(radix)",
            "for r in range(radix - (radix > 1))",
        ),
        Patch("only the first block of frequencies", "triton.cdiv(radix, 16))", "1)"),
        Patch(
            "the padding reads the next row",
            "(c < total) & (place < limit)",
            "(c < total) & ((place < limit) | (o < 1))",
            ("s",),
        ),
    ),
    dtypes=DTYPES,
    difficulty=5,
    writes=("out",),
    audit=("I-BIT", "W-ARG"),
)
