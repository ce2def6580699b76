"""The allow-list, held against the torch, triton and standard library that are installed."""

import importlib
import types
from collections.abc import Iterator

import pytest

from kernelbenchx.checks import torch_operators
from kernelbenchx.checks.allowed import (
    HIDDEN,
    MODULES,
    NameKind,
    allowed_imports,
    is_hidden,
    kind_of,
)

DRIVER = "triton.runtime.driver"


@pytest.mark.parametrize(
    "path",
    [
        *("math.sqrt", "itertools.chain.from_iterable", "triton.cdiv", "torch.float32.itemsize"),
        *("torch.nn.functional.softmax", "triton.language.load", "triton.testing.do_bench"),
        *("triton.language.a_name_that_triton_lacks", "torch.Tensor.view", "torch.nn.Linear"),
    ],
)
def test_parts_that_are_values(path: str) -> None:
    assert kind_of(path) is NameKind.VALUE


@pytest.mark.parametrize("path", ["torch", "torch.nn.functional", "triton.language.math", "math"])
def test_parts_that_are_modules(path: str) -> None:
    assert kind_of(path) is NameKind.MODULE


@pytest.mark.parametrize(
    "path",
    [
        *("os", "numpy", "torch.os", "torch.utils", "torch.nn.functional.np", "torch.ops.aten.mm"),
        *("triton.testing.np", "triton.testing.os", "triton.language.core.knobs", "triton.knobs"),
        *("triton.language.math.core", "typing.sys", "math.__loader__", "torch.get_device_module"),
        *("torch.Tensor.storage", "torch.float32.__class__", "torch._C", "dataclasses.sys"),
        *("typing.get_type_hints", "triton.runtime.driver.active.utils.load_binary"),
    ],
)
def test_whatever_is_not_listed_is_forbidden(path: str) -> None:
    assert kind_of(path) is NameKind.FORBIDDEN


def _installed() -> Iterator[tuple[str, object]]:
    for path in sorted(MODULES):
        if path.startswith(DRIVER):
            continue  # an object that needs a GPU
        try:
            yield path, importlib.import_module(path)
        except ImportError:
            assert path.startswith(("triton", "typing_extensions"))


INSTALLED = dict(_installed())


@pytest.mark.parametrize("path", INSTALLED)
def test_no_value_of_the_list_is_a_module_or_hands_one_out(path: str) -> None:
    """Through two public attributes: more than that nobody has to look for."""
    for name in dir(INSTALLED[path]):
        if kind_of(f"{path}.{name}") is not NameKind.VALUE:
            continue
        value = getattr(INSTALLED[path], name)
        assert not isinstance(value, types.ModuleType), f"{path}.{name}"
        for trail, part in _public(value, 2):
            assert not isinstance(part, types.ModuleType), f"{path}.{name}.{trail}"


def _public(value: object, depth: int) -> Iterator[tuple[str, object]]:
    for name in dir(value) if depth else ():
        if not is_hidden(name):
            try:
                part = getattr(value, name)
            except Exception:  # noqa: BLE001 - whatever a property raises, it hands out nothing
                continue
            yield name, part
            yield from ((f"{name}.{rest}", inner) for rest, inner in _public(part, depth - 1))


def test_no_object_that_a_submission_can_get_hands_out_a_module() -> None:
    import torch
    import triton

    def numbers() -> Iterator[int]:
        yield 1

    objects = [torch.zeros(2), torch.zeros(2).shape, torch.device("cpu"), torch.float32, numbers()]
    objects += [triton.Config({}), torch.nn.Linear(2, 2), torch.Generator(), numbers, "", 1, [], {}]
    objects += [triton.jit(numbers), torch.finfo(torch.float32), torch.nn.Parameter(torch.ones(1))]
    for one in objects:
        for trail, part in _public(one, 2):
            assert not isinstance(part, types.ModuleType), f"{type(one).__name__}.{trail}"


def test_an_exception_hands_out_the_module_that_raised_it_only_by_a_hidden_name() -> None:
    import torch

    with pytest.raises(AttributeError) as raised:
        torch.no_such_name  # type: ignore[attr-defined] # noqa: B018
    assert raised.value.obj is torch
    assert "obj" in HIDDEN


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("torch", torch_operators.FUNCTIONS),
        ("torch.nn.functional", torch_operators.FUNCTIONAL),
        ("torch.linalg", torch_operators.LINALG),
        ("torch.fft", torch_operators.FFT),
        ("torch.special", torch_operators.SPECIAL),
    ],
)
def test_the_listed_functions_are_functions_of_torch(module: str, names: frozenset[str]) -> None:
    found = importlib.import_module(module)
    here = [name for name in names if hasattr(found, name)]
    assert len(here) > 0.9 * len(names)  # other versions of torch have a few more or less
    assert all(callable(getattr(found, name)) for name in here)


def test_the_packages_that_may_be_imported_are_modules_of_the_list() -> None:
    assert {"torch", "triton", "math"} < set(allowed_imports())
    assert all(kind_of(name) is NameKind.MODULE for name in allowed_imports())
