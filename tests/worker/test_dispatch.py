"""Dispatch modes work, and torch's compiler is not loaded for them."""

import subprocess
import sys

import pytest
import torch

from kernelbenchx.worker.dispatch import Mode, use_once

PROGRAM = """
import sys, torch
{mode}
class Seeing(Base):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print(func)
        return func(*args, **(kwargs or {{}}))
with Seeing():
    torch.zeros(2) + 1
print("torch._dynamo" in sys.modules)
"""
OURS = "from kernelbenchx.worker.dispatch import Mode as Base"
PLAIN = "from torch.utils._python_dispatch import TorchDispatchMode as Base"


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "loaded"), [(OURS, "False"), (PLAIN, "True")])
def test_a_mode_sees_operators_without_torch_s_compiler(mode: str, loaded: str) -> None:
    program = [sys.executable, "-c", PROGRAM.format(mode=mode)]
    said = subprocess.run(program, capture_output=True, text=True, check=True).stdout.split()
    assert said == ["aten.zeros.default", "aten.add.Tensor", loaded]


def test_modes_of_both_kinds_can_be_nested() -> None:
    seen: list[str] = []

    class Outer(Mode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    with Outer():  # type: ignore[no-untyped-call]
        use_once()
    assert seen == ["aten.zeros.default"]
    assert torch.zeros(1).item() == 0.0
