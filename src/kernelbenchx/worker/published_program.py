"""Runs the test that the KernelBench-X paper published for a task, given as data: draws and calls.

A program is plain JSON. Its steps run in order, since draws and calls share one generator:

    ["x", "randn", [[64, 32]], {"dtype": "torch.float16"}]   name, operation, arguments, keywords
    ["y", "call", ["$x"], {"dim": 1}]                         the submission's function
    {"result": "test_case_1", "is": "$y"}
    {"try": [...], "except": "RuntimeError", "then": [...]}   `$error` is the exception's text

Text that starts with `$` is a value of an earlier step, text that starts with `torch.` a dtype.
What JSON lacks is written as a dict of one key: `tuple`, `size`, `complex`, `float`, `range` (whole
numbers), `slice` and `ellipsis`.
"""

import builtins
import operator
import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from .values import DTYPES

Entry = Callable[..., Any]
Begin = Callable[[str], None]
SEED = 0
ARRAY = "ndarray"
"""Key of the dict that stands for a numpy array in plain results."""
_NAMED, _DTYPE, _DEVICE = "$", "torch.", "device"

DRAWS = {
    name: getattr(torch, name)
    for name in (
        "arange", "empty", "eye", "full", "linspace", "ones", "rand", "randint", "randn", "tensor",
        "zeros",
    )
}  # fmt: skip
"""They take a device."""
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(torch, name)
        for name in (
            "argsort", "empty_like", "index_select", "isnan", "log_softmax", "nan_to_num",
            "sigmoid", "softmax", "triu",
        )
    },
    "linalg.cholesky": torch.linalg.cholesky,
    **{
        name: getattr(operator, name)
        for name in (
            "add", "eq", "ge", "getitem", "gt", "iadd", "invert", "le", "lt", "matmul", "mod",
            "mul", "ne", "neg", "setitem", "sub", "truediv",
        )
    },
}  # fmt: skip
METHODS = frozenset({
    "abs", "clamp", "clamp_max", "clamp_min", "clone", "conj", "contiguous", "cpu", "expand",
    "float", "item", "log_softmax", "numpy", "permute", "sign", "sum", "t", "tanh", "to",
    "transpose", "view",
})  # fmt: skip
"""Written with a dot in front."""
ATTRIBUTES = frozenset({"T", "defaults", "mT"})
"""Likewise, behind a dot and without arguments."""
EXCEPTIONS = {one.__name__: one for one in (Exception, RuntimeError, ValueError)}


class BadProgram(ValueError):
    """An invalid step: the data is at fault, not the submission."""


def seed_all(seed: int = SEED) -> None:
    """As published: before a submission's file is loaded, and again before the reference runs."""
    random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def published_entry(module: Mapping[str, Any], name: str, needs: Collection[str] = ()) -> Entry:
    """The function that the test finds under that name; a builtin where the submission has none.

    Raises NameError where there is neither, or where the module lacks another name it `needs`.
    """
    for wanted in (*needs, name):
        if wanted not in module and not hasattr(builtins, wanted):
            raise NameError(f"name {wanted!r} is not defined")
    return module[name] if name in module else getattr(builtins, name)  # type: ignore[no-any-return]


def run_program(
    program: Mapping[str, Any], entry: Entry, device: str, begin: Begin = lambda _: None
) -> dict[str, Any]:
    """Run a program and return its dictionary of results; `begin` is called before each call.

    `begin` gets the key of the result that the call is for. Raises what the entry raises, unless
    the test itself catches that.
    """
    steps = program["steps"]
    running = _Running(entry, device, begin, _results_of_names(steps))
    running.run(steps)
    return running.results


def as_plain(value: Any) -> Any:
    """Results without numpy: an array becomes a dict that names it, a scalar a number."""
    if isinstance(value, np.ndarray):
        return {ARRAY: torch.from_numpy(np.ascontiguousarray(value).reshape(value.shape))}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: as_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list) and not isinstance(value, torch.Size):
        return (
            tuple(map(as_plain, value)) if isinstance(value, tuple) else list(map(as_plain, value))
        )
    return value


@dataclass
class _Running:
    """One run: what its steps named, and its results so far."""

    entry: Entry
    device: str
    begin: Begin
    wanted: dict[str, str]
    """Name of a value → the result that it becomes or is needed for."""
    named: dict[str, Any] = field(default_factory=dict)
    results: dict[str, Any] = field(default_factory=dict)

    def run(self, steps: list[Any]) -> None:
        for step in steps:
            if isinstance(step, list):
                name, operation, *rest = step
                if operation == "call":
                    self.begin(self.wanted.get(name) or name)
                self.named[name] = self._run_operation(operation, *rest)
            elif "result" in step:
                self.results[step["result"]] = self.value(step["is"])
            else:
                self._run_guarded(step)

    def _run_guarded(self, step: dict[str, Any]) -> None:
        try:
            self.run(step["try"])
        except EXCEPTIONS[step["except"]] as error:
            self.named["error"] = str(error)
            self.run(step["then"])

    def _run_operation(
        self, operation: str, given: list[Any], keywords: dict[str, Any] | None = None
    ) -> Any:
        args = [self.value(one) for one in given]
        kwargs = {name: self.value(one) for name, one in (keywords or {}).items()}
        if operation == "call":
            return self.entry(*args, **kwargs)
        if operation in DRAWS:
            return DRAWS[operation](*args, **{_DEVICE: self.device, **kwargs})
        if operation in FUNCTIONS:
            return FUNCTIONS[operation](*args, **kwargs)
        if operation.startswith("."):
            return self._of_object(operation[1:], args[0], args[1:], kwargs)
        return self._special(operation, args, kwargs)

    def _of_object(self, name: str, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if name in METHODS:
            return getattr(owner, name)(*args, **kwargs)
        if name in ATTRIBUTES:
            return getattr(owner, name)
        raise BadProgram(f"no known method or attribute: {name}")

    def _special(self, operation: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if operation in _DRAWN_WITH:
            return _DRAWN_WITH[operation](*args, device=self.device, **kwargs)
        if operation == "to_device":
            return args[0].to(self.device)
        if operation == "generator":
            return torch.Generator(self.device).manual_seed(args[0])
        if operation == "seed":
            return torch.manual_seed(args[0])
        if operation == "unpack":
            return _unpack_exactly(*args)
        raise BadProgram(f"no known operation: {operation}")

    def value(self, given: Any) -> Any:
        if isinstance(given, str):
            return self._text(given)
        if isinstance(given, list):
            return [self.value(one) for one in given]
        if isinstance(given, dict):
            ((kind, body),) = given.items()
            return self._odd(kind, body)
        return given

    def _text(self, text: str) -> Any:
        if text == _NAMED + _DEVICE:
            return self.device
        if text.startswith(_NAMED):
            return self.named[text[1:]]
        if text.startswith(_DTYPE):
            return DTYPES[text.removeprefix(_DTYPE)]
        return text

    def _odd(self, kind: str, body: Any) -> Any:
        if kind == "tuple":
            return tuple(self.value(one) for one in body)
        if kind == "dict":
            return {name: self.value(one) for name, one in body.items()}
        return _ODD[kind](body)


_ODD: dict[str, Callable[[Any], Any]] = {
    "size": torch.Size,
    "complex": lambda body: complex(*body),
    "float": float,
    "range": lambda body: list(range(*body)),
    "slice": lambda body: slice(*body),
    "ellipsis": lambda _: ...,
}


def draw_outliers(
    shape: list[int],
    probability: float,
    scale: float,
    *,
    device: str,
    dtype: torch.dtype = torch.float32,
) -> torch.Tensor:
    """Normal numbers, then where they are replaced, then as many normal numbers times `scale`."""
    drawn = torch.randn(shape, dtype=dtype, device=device)
    replaced = torch.rand(shape, device=device) < probability
    count = int(replaced.sum())
    if count:
        drawn[replaced] = torch.randn(count, dtype=dtype, device=device) * scale
    return drawn


def draw_uniform(
    shape: list[int], low: float, high: float, *, device: str, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """Uniform numbers between two ends."""
    return (high - low) * torch.rand(shape, dtype=dtype, device=device) + low


_DRAWN_WITH: dict[str, Callable[..., torch.Tensor]] = {
    "outlier": draw_outliers,
    "uniform": draw_uniform,
}


def _results_of_names(steps: list[Any]) -> dict[str, str]:
    """`y3`: `test_random_standard[0]`. An earlier result goes before a later one."""
    wanted: dict[str, str] = {}
    for step in reversed(steps):
        if isinstance(step, list):
            if step[0] in wanted:
                for name in _names_in(step[2:], ""):
                    wanted[name] = wanted[step[0]]
        elif "result" in step:
            wanted.update(_names_in(step["is"], step["result"]))
        else:
            wanted.update(_results_of_names(step["try"]))
    return wanted


def _names_in(value: Any, path: str) -> dict[str, str]:
    """Names that a value refers to, with the place where it does."""
    if isinstance(value, str) and value.startswith(_NAMED):
        return {value[1:]: path}
    found: dict[str, str] = {}
    if isinstance(value, dict):
        for body in value.values():
            found.update(_names_in(body, path))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            found.update(_names_in(item, f"{path}[{number}]"))
    return found


def _unpack_exactly(value: Any, count: int) -> list[Any]:
    """As an assignment to so many names does it."""
    items = list(value)
    if len(items) != count:
        raise ValueError(f"expected {count} values to unpack, got {len(items)}")
    return items
