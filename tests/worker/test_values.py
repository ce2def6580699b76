import math
from typing import Any

import pytest
import torch

from kernelbenchx.worker.values import (
    BadValue,
    Decoder,
    Geometry,
    PackedStorages,
    encode,
    owned_bytes,
    storage_bytes,
)


def _no_tensor(described: dict[str, Any]) -> Any:
    raise AssertionError(described)


PLAIN = Decoder(tensor=_no_tensor, stand_in=lambda tag, body: (tag, body))


def _no_write(tensor: torch.Tensor) -> dict[str, Any]:
    raise AssertionError(tensor)


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, 0, -7, 2**40, 0.1, -0.0, math.inf, -math.inf, "text", 1 + 2j,
        torch.float16, torch.Size([2, 3]), [1, (2.5, None)], (), {"a": 1},
    ],
)  # fmt: skip
def test_plain_values_come_back_as_they_went(value: Any) -> None:
    back = PLAIN.decode(encode(value, _no_write))
    assert back == value
    assert type(back) is type(value)


def test_nan_comes_back_as_nan() -> None:
    assert math.isnan(PLAIN.decode(encode(math.nan, _no_write)))


@pytest.mark.parametrize(
    "value",
    [
        {"t": "int", "v": 1.5},
        {"t": "int", "v": True},
        {"t": "bool", "v": 1},
        {"t": "float", "v": 0.1},
        {"t": "float", "v": "a lot"},
        {"t": "dtype", "v": "float13"},
        {"t": "shape", "v": [1, "2"]},
        {"t": "pickle", "v": "gASV"},
        {"t": "complex", "v": ["0x1p0"]},
        "bare",
        None,
    ],
)
def test_ill_formed_values_are_refused(value: Any) -> None:
    with pytest.raises(BadValue):
        PLAIN.decode(value)


def test_deep_nesting_is_refused() -> None:
    value: dict[str, Any] = {"t": "none"}
    for _ in range(100):
        value = {"t": "list", "v": [value]}
    with pytest.raises(BadValue):
        PLAIN.decode(value)


def test_tensors_that_share_memory_share_a_storage() -> None:
    base = torch.arange(12.0)
    storages = PackedStorages()
    first, second = storages.add(base[2:]), storages.add(base.view(3, 4).t())
    assert first == second
    assert storages.add(torch.arange(12.0)) != first
    assert all(offset % 64 == 0 for offset, _ in storages.spans)


def test_a_strided_tensor_is_rebuilt_over_its_storage() -> None:
    base = torch.arange(12.0).view(3, 4).t()[1:, ::2]
    described = {
        "dtype": "float32",
        "shape": list(base.shape),
        "strides": list(base.stride()),
        "offset": base.storage_offset(),
    }
    back = Geometry.of(described).over(owned_bytes(storage_bytes(base)))
    assert torch.equal(back, base)
    assert back.stride() == base.stride()


@pytest.mark.parametrize(
    "change",
    [
        {"shape": [100]},
        {"offset": 10},
        {"strides": [1000]},
        {"shape": [-1]},
        {"shape": [1 << 50]},
        {"strides": [1, 1]},
        {"dtype": "object"},
    ],
)
def test_a_tensor_that_does_not_fit_its_storage_is_refused(change: dict[str, Any]) -> None:
    described = {"dtype": "float32", "shape": [4], "strides": [1], "offset": 0}
    Geometry.of(described).over(owned_bytes(bytes(16)))
    with pytest.raises(BadValue):
        Geometry.of(described | change).over(owned_bytes(bytes(16)))
