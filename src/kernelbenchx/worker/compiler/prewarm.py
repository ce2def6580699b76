"""One small kernel, compiled once by a parent so that the children it forks start warm."""

import tempfile
from typing import Any

import triton
import triton.language as tl
from triton import knobs


@triton.jit  # type: ignore[misc, untyped-decorator]
def _small(x, y, n, SIZE: tl.constexpr):  # type: ignore[no-untyped-def]  # noqa: N803
    # Loads, masks, reductions and a product: what most kernels make Triton load and hash.
    row = tl.arange(0, SIZE)
    place = row[:, None] * SIZE + row[None, :]
    values = tl.load(x + place, mask=place < n, other=0.0)
    values = tl.exp(values - tl.max(values, axis=1)[:, None])
    values = values / tl.sum(values, axis=1)[:, None]
    tl.store(y + place, tl.dot(values, values), mask=place < n)


def name_by_version() -> None:
    """Identify the compiler in Triton's caches by its version, not by a hash of its files.

    To read half a gigabyte takes longer than to compile many a kernel.
    """
    for module in (triton.compiler.compiler, triton.runtime.autotuner, triton.runtime.cache):
        if hasattr(module, "triton_key"):
            module.triton_key = _version


def _version() -> str:
    return str(triton.__version__)


def compile_small(pointer: Any) -> None:
    """Compile for the active driver, with a cache that is thrown away."""
    with tempfile.TemporaryDirectory() as folder, knobs.cache.scope():
        knobs.cache.dir = folder
        _small.warmup(pointer, pointer, 256, SIZE=16, grid=(1,))._init_handles()
    # Children may be given another folder for temporary files than this process found.
    tempfile.tempdir = None
