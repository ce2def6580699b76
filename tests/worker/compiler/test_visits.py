"""What the interpreter ran is compared with what the compiler's front end visited."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.worker.interpreter import install

Compile = Callable[..., Any]
SOURCE = Path(install.__code__.co_filename).parents[2]

KERNELS = """
ASKED = tl.constexpr(hasattr(tl.multiple_of, "func"))


@triton.jit
def weigh(value, n):
    if n > 4:
        return value * 2
    return value


@triton.jit
def kernel(x, n, MODE: tl.constexpr):
    at = tl.arange(0, 16)
    value = tl.load(x + at, mask=at < n, other=0.0)
    tl.static_assert(MODE < 9, f"{MODE} is no mode")
    if MODE == 1:
        value = weigh(value, n)
    elif MODE == 2:
        value = tl.where(hasattr(tl.multiple_of, "func"), value, 0.0)
    elif MODE == 3:
        for _ in tl.range(0 if hasattr(tl.multiple_of, "func") else 1):
            value += 1.0
    elif MODE == 4:
        value = value * ASKED
    elif MODE == 5:
        if n > 0 and isinstance(n, tl.tensor):
            value += MODE if value.dtype == tl.float32 else 0
        while n > 99:
            n -= 1
    tl.store(x + at, value, mask=at < n)


def main():
    pass
"""

INTERPRET = """
import json, sys
sys.path.insert(0, sys.argv[1])
from worker.interpreter import install, watching
install()
import importlib.util, torch
spec = importlib.util.spec_from_file_location("submission", sys.argv[2])
module = importlib.util.module_from_spec(spec)
sys.modules["submission"] = module
spec.loader.exec_module(module)
with watching(seed=1) as watch:
    for mode in range(6):
        module.kernel[(2,)](torch.zeros(16), 7, MODE=mode)
    print(json.dumps(watch.launches))
"""


@pytest.fixture
def launches(tmp_path: Path, compiled: Compile) -> list[dict[str, Any]]:
    """One of each mode, with what ran, in a file that the compiler reads next."""
    compiled(KERNELS)
    done = subprocess.run(
        [sys.executable, "-c", INTERPRET, str(SOURCE), str(tmp_path / "submission.py")],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_a_difference_is_told_with_its_line_and_sameness_is_not(
    compiled: Compile, launches: list[dict[str, Any]], line_of: Callable[[str, str], int]
) -> None:
    replies = [compiled(KERNELS, launches=[one])["differences"] for one in launches]
    answer = "is True in the interpreter and False in the compiled kernel"
    expected = {
        2: ("value = tl.where(hasattr", answer),
        3: ("for _ in tl.range(0 if", answer),
        4: ("value * ASKED", answer),
    }
    for mode, differences in enumerate(replies):
        told = {(one["line"], one["why"]) for one in differences}
        place, why = expected.get(mode, ("", ""))
        assert told == ({(line_of(KERNELS, place), why)} if place else set()), mode


def test_statements_and_functions_that_only_ran_are_told(
    compiled: Compile, launches: list[dict[str, Any]]
) -> None:
    launch = launches[1]
    (kernel,) = (name for name in launch["ran"] if name.startswith("kernel"))
    launch["ran"][kernel].append([9999, "", 40])
    launch["ran"]["gone:50"] = [[0, "a digest", 50]]
    told = compiled(KERNELS, launches=[launch])["differences"]
    assert [one["line"] for one in told] == [40, 50]
    assert {one["why"] for one in told} == {
        "runs in the interpreter and not in the compiled kernel"
    }
    assert {one["kernel"] for one in told} == {"kernel"}
