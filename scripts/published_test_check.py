"""Whether a recorded program does what its test does: the test itself runs beside it on the CPU."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import torch
from published_test_files import TestFile

from kernelbenchx.worker.published_program import run_program, seed_all

Calls = list[tuple[Any, ...]]


def fill_empty_memory() -> None:
    """What `empty` gives is the same in both."""
    torch.use_deterministic_algorithms(True, warn_only=True)


def difference(test: TestFile, program: dict[str, Any]) -> str:
    """In words; nothing where all arguments of all calls and all results are equal."""
    theirs, their_results = _run_test(test)
    ours: Calls = []
    seed_all()
    published = test.published()
    try:
        results = run_program(program, _spied(published[test.entry], ours), "cpu")
    except Exception as error:  # noqa: BLE001 - it is what the caller asks for
        return f"the program raises {type(error).__name__}: {error}"
    if len(ours) != len(theirs):
        return f"{len(ours)} calls, not {len(theirs)}"
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        if not same(mine, other):
            return f"call {number} has other arguments"
    if list(results) != list(their_results):
        return f"results {list(results)}, not {list(their_results)}"
    unlike = [key for key, value in their_results.items() if not same(results[key], value)]
    return f"other results: {unlike}" if unlike else ""


def _run_test(test: TestFile) -> tuple[Calls, dict[str, Any]]:
    helpers = ModuleType("data_utils")
    exec(compile(test.helpers, "data_utils", "exec"), vars(helpers))
    sys.modules["data_utils"] = helpers
    calls: Calls = []
    seed_all()
    module = test.published()
    module["__file__"] = str(test.path)
    module[test.entry] = _spied(module[test.entry], calls)
    exec(compile(test.test, str(test.path), "exec"), module)
    return calls, module["test_results"]


def _spied(function: Callable[..., Any], calls: Calls) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        calls.append((_copied(args), _copied(kwargs)))
        return function(*args, **kwargs)

    return call


def _copied(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, torch.Generator):
        return value.get_state()
    if isinstance(value, torch.Size):
        return value
    if isinstance(value, tuple | list):
        return type(value)(map(_copied, value))
    if isinstance(value, dict):
        return {name: _copied(one) for name, one in value.items()}
    return value


def same(mine: Any, other: Any) -> bool:
    """Bit for bit, strides included."""
    if type(mine) is not type(other):
        return False
    if isinstance(mine, torch.Tensor):
        facts = [(one.shape, one.dtype, one.stride(), one.requires_grad) for one in (mine, other)]
        return facts[0] == facts[1] and _bytes(mine) == _bytes(other)
    if isinstance(mine, np.ndarray):
        return bool(mine.dtype == other.dtype and mine.tobytes() == other.tobytes())
    if isinstance(mine, tuple | list):
        return len(mine) == len(other) and all(map(same, mine, other))
    if isinstance(mine, dict):
        return list(mine) == list(other) and all(same(mine[key], other[key]) for key in mine)
    return repr(mine) == repr(other)


def _bytes(tensor: torch.Tensor) -> bytes:
    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    return dense.reshape(-1).view(torch.uint8).numpy().tobytes() if dense.numel() else b""
