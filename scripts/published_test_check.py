"""Whether a recorded program does what its test does: the test itself runs beside it on the CPU."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import torch
from published_test_files import TestFile

from kernelbenchx.judge.published_reference import published_reference
from kernelbenchx.worker.published_program import as_plain, run_program, seed_all

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
        results = run_program(program, _spy_on(published[test.entry], ours), "cpu")
    except Exception as error:  # noqa: BLE001 - it is what the caller asks for
        return f"the program raises {type(error).__name__}: {error}"
    if len(ours) != len(theirs):
        return f"{len(ours)} calls, not {len(theirs)}"
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        if not same(mine, other):
            return f"call {number} has other arguments"
    if list(results) != list(their_results):
        return f"results {list(results)}, not {list(their_results)}"
    if unlike := _unlike(results, their_results):
        return f"other results: {unlike}"
    return _reference_difference(test, program, their_results)


def _unlike(results: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    return [key for key, value in expected.items() if not same(results[key], value)]


def _reference_difference(test: TestFile, program: dict[str, Any], expected: dict[str, Any]) -> str:
    """Of our function for the task, if there is one. Other strides of results are no difference."""
    reference = published_reference(test.name)
    if reference is None:
        return ""
    seed_all()
    try:
        results = as_plain(run_program(program, reference, "cpu"))
    except Exception as error:  # noqa: BLE001 - it is what the caller asks for
        return f"our reference raises {type(error).__name__}: {error}"
    unlike = [key for key in expected if _dense(results[key]) != _dense(as_plain(expected[key]))]
    return f"our reference gives other results: {unlike}" if unlike else ""


def _dense(value: Any) -> Any:
    """Something that is equal where shapes, dtypes and bytes are."""
    if isinstance(value, torch.Tensor):
        return value.shape, value.dtype, _bytes(value)
    if isinstance(value, tuple | list):
        return [_dense(one) for one in value]
    if isinstance(value, dict):
        return {name: _dense(one) for name, one in value.items()}
    return repr(value)


def _run_test(test: TestFile) -> tuple[Calls, dict[str, Any]]:
    helpers = ModuleType("data_utils")
    exec(compile(test.helpers, "data_utils", "exec"), vars(helpers))
    sys.modules["data_utils"] = helpers
    calls: Calls = []
    seed_all()
    module = test.published()
    module["__file__"] = str(test.path)
    module[test.entry] = _spy_on(module[test.entry], calls)
    exec(compile(test.test, str(test.path), "exec"), module)
    return calls, module["test_results"]


def _spy_on(function: Callable[..., Any], calls: Calls) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        calls.append((_copy(args), _copy(kwargs)))
        return function(*args, **kwargs)

    return call


def _copy(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, torch.Generator):
        return value.get_state()
    if isinstance(value, torch.Size):
        return value
    if isinstance(value, tuple | list):
        return type(value)(map(_copy, value))
    if isinstance(value, dict):
        return {name: _copy(one) for name, one in value.items()}
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
