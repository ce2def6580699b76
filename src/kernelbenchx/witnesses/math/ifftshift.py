import math

import torch
import triton
import triton.language as tl


@triton.jit
def _moved(i, n, shift):
    """Where element i of a dimension comes from."""
    return tl.where(i + shift >= n, i + shift - n, i + shift)


@triton.jit
def _row(r, n0, n1, n2, s0, s1, s2):
    """The row of the input that becomes row r; rows are numbered through three dimensions."""
    outer = r // n2
    i = _moved(outer // n1, n0, s0)
    return (i * n1 + _moved(outer % n1, n1, s1)) * n2 + _moved(r % n2, n2, s2)


@triton.jit
def _long_rows(y, x, n0, n1, n2, n3, s0, s1, s2, s3, BLOCK: tl.constexpr):
    """A program for each block of a row."""
    across = tl.cdiv(n3, BLOCK)
    pid = tl.program_id(0)
    row, first = (pid // across).to(tl.int64), (pid % across).to(tl.int64) * BLOCK
    to = y + row * n3
    source = x + _row(row, n0, n1, n2, s0, s1, s2) * n3
    at = first + tl.arange(0, BLOCK)
    if (first + BLOCK <= n3) & ((first + BLOCK + s3 <= n3) | (first + s3 >= n3)):
        # Nothing wraps around inside the block: vectors
        start = _moved(first, n3, s3)
        tl.store(to + at, tl.load(source + start + tl.arange(0, BLOCK)))
    else:
        v = tl.load(source + _moved(at, n3, s3), mask=at < n3)
        tl.store(to + at, v, mask=at < n3)


@triton.jit
def _short_rows(
    y, x, rows, n0, n1, n2, n3, s0, s1, s2, s3, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    """A program for several whole rows."""
    r = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    c = tl.arange(0, BLOCK)[None, :]
    mask = (r < rows) & (c < n3)
    source = x + _row(r, n0, n1, n2, s0, s1, s2) * n3 + _moved(c, n3, s3)
    tl.store(y + r * n3 + c, tl.load(source, mask=mask), mask=mask)


def _dimensions(shape: tuple[int, ...], dims: list[int]) -> tuple[list[int], list[int]]:
    """Sizes and shifts; neighbours that stay where they are count as one dimension."""
    sizes: list[int] = []
    shifts: list[int] = []
    for d, n in enumerate(shape):
        shift = n // 2 if d in dims else 0
        if sizes and not shift and not shifts[-1]:
            sizes[-1] *= n
        else:
            sizes.append(n)
            shifts.append(shift)
    return [1] * (4 - len(sizes)) + sizes, [0] * (4 - len(sizes)) + shifts


def _shifted(x: torch.Tensor, dims: list[int]) -> torch.Tensor:
    sizes, shifts = _dimensions(tuple(x.shape), dims)
    if len(sizes) > 4:
        return _shifted(_shifted(x, dims[:1]), dims[1:])
    y, n3, rows = torch.empty_like(x), sizes[3], math.prod(sizes[:3])
    if n3 >= 512:
        block = 2048 if x.itemsize <= 2 else 1024
        _long_rows[(rows * triton.cdiv(n3, block),)](y, x, *sizes, *shifts, BLOCK=block)
    elif rows * n3:
        block = triton.next_power_of_2(n3)
        many = 1024 // block
        grid = (triton.cdiv(rows, many),)
        _short_rows[grid](y, x, rows, *sizes, *shifts, ROWS=many, BLOCK=block)
    return y


def ifftshift(input: torch.Tensor, dim: int | tuple[int, ...] | None = None) -> torch.Tensor:
    named = tuple(range(input.dim())) if dim is None else (dim,) if isinstance(dim, int) else dim
    x = input.contiguous()
    dims = [d % input.dim() for d in named]
    if x.dtype == torch.complex128:
        return torch.view_as_complex(_shifted(torch.view_as_real(x), dims))
    bits = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.itemsize]
    return _shifted(x.view(bits), dims).view(x.dtype)
