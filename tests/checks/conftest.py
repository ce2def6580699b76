"""A submission around the few lines that a test is about."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.rule import Expectation, Report, SignatureParameter

HEAD = """\
import torch
import triton
import triton.language as tl

@triton.jit
def copy_kernel(out, x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)

def launch(x):
    out = torch.empty_like(x)
    copy_kernel[(triton.cdiv(x.numel(), 128),)](out, x, x.numel(), BLOCK=128)
    return out

"""

Examine = Callable[..., Report]


@pytest.fixture
def examine() -> Examine:
    """Check a whole source; keywords go to the expectation."""

    def run(source: str, **expected: object) -> Report:
        expectation = Expectation(entries=("f", "kernel_function"), **expected)  # type: ignore[arg-type]
        return check(source, expectation)

    return run


@pytest.fixture
def around(examine: Examine) -> Examine:
    """Check lines after a working kernel; without a signature of its own, `f` takes x and y."""

    def run(lines: str, **expected: object) -> Report:
        expected.setdefault("parameters", (SignatureParameter("x"), SignatureParameter("y")))
        return examine(HEAD + lines, **expected)

    return run


@pytest.fixture
def shared() -> Path:
    """The folder with published kernels, where there is one."""
    folder = Path(__file__).parents[3] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no published kernels beside the repository")
    return folder
