"""A name that torch or Triton lacks is no forbidden one: the kernel breaks where it is read."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kernelbenchx.checks.existing_names import existing_names, is_missing
from kernelbenchx.checks.rule import Report

SCRIPT = Path(__file__).parents[2] / "scripts" / "write_existing_names.py"


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("torch", "is_integer_dtype"),
        ("triton", "zeros_like"),
        ("torch.nn.functional", "swish"),
        ("torch.linalg", "trace"),
    ],
)
def test_a_missing_name_is_not_off_limits(
    around: Callable[..., Report], module: str, name: str
) -> None:
    assert is_missing(module, name)
    report = around(f"def f(x, y):\n    {module}.{name}(x)\n    return launch(x)\n")
    assert report.fatal == ()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("torch", "backends"),
        ("torch", "onnx"),
        ("torch", "library"),
        ("torch", "_C"),
        ("torch.cuda", "memory"),
        ("triton", "runtime"),
        ("triton", "compile"),
    ],
)
def test_an_existing_name_is_off_limits(
    around: Callable[..., Report], module: str, name: str
) -> None:
    assert not is_missing(module, name)
    report = around(f"def f(x, y):\n    {module}.{name}(x)\n    return launch(x)\n")
    assert report.fatal


def test_of_other_modules_nothing_is_known() -> None:
    assert "os" not in existing_names()
    assert not is_missing("os", "no_such_name")


def test_every_name_of_the_installed_versions_is_known() -> None:
    checked = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
