"""A plan is a claim by an untrusted process: whatever is wrong with it is a reason in words."""

import copy
from typing import Any

import pytest

from kernelbenchx.replay import validation
from kernelbenchx.replay.schema import MOST_ALLOCATED_BYTES, ReplayPlan
from kernelbenchx.replay.validation import printable, validate_plan
from replay_samples import (
    BINARY,
    STORAGES,
    digest_of,
    elf,
    launch,
    number,
    pointer,
    sample,
    view,
)

COPY, FILL, DOUBLE, ADD = range(4)


def _refusal(document: Any, binaries: bytes = BINARY) -> str:
    found = validate_plan(document, binaries, STORAGES)
    assert isinstance(found, str)
    return found


def _with(*path: Any, value: Any) -> dict[str, Any]:
    """The sample with one place changed."""
    document = copy.deepcopy(sample())
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


def test_the_sample_is_accepted_as_it_is() -> None:
    plan = validate_plan(sample(), BINARY, STORAGES)
    assert isinstance(plan, ReplayPlan)
    assert plan.document()["steps"][DOUBLE]["kernel"] == "_double"


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (_with("buffers", 0, "storage", value=1), "argument that the call does not have"),
        (_with("buffers", 0, "nbytes", value=64), "argument that the call does not have"),
        (_with("buffers", 1, value={"t": "argument", "storage": 0, "nbytes": 32}), "twice"),
        (_with("buffers", 2, "nbytes", value=MOST_ALLOCATED_BYTES), "too much memory"),
        (_with("steps", ADD, "scratch", value=MOST_ALLOCATED_BYTES), "too much memory"),
        (_with("steps", COPY, "source", value=view(0, 16)), "beyond its buffer"),
        (_with("steps", COPY, "source", value=view(0, 8, dtype="float16")), "different shapes"),
        (_with("steps", COPY, "source", "offset", value=1), "beyond its buffer"),
        (_with("steps", COPY, "source", "dtype", value="object"), "dtype"),
        (_with("steps", COPY, "source", "strides", value=[]), "strides"),
        (_with("steps", COPY, "source", "buffer", value=3), "does not exist"),
        (_with("steps", COPY, "target", "strides", value=[0]), "overlap"),
        (_with("steps", FILL, "target", value=view(2, 17)), "beyond its buffer"),
        (_with("steps", FILL, "value", value={"t": "str", "v": "1"}), "no number"),
        (_with("steps", FILL, "value", value={"t": "float", "v": 1.0}), "float"),
        (_with("steps", FILL, "value", value={"t": "int", "v": 1 << 70}), "no element"),
        (_with("steps", DOUBLE, "kernel", value="_triple"), "not in its binary"),
        (_with("steps", DOUBLE, "cubin", value="0" * 64), "not in its binary"),
        (_with("steps", DOUBLE, "grid", value=[0, 1, 1]), "grid"),
        (_with("steps", DOUBLE, "grid", value=[1, 65536, 1]), "grid"),
        (_with("steps", DOUBLE, "grid", value=[1 << 31, 1, 1]), "grid"),
        (_with("steps", DOUBLE, "shared", value=1 << 20), "shared memory"),
        (_with("steps", DOUBLE, "parameters", 0, value=pointer(3)), "does not exist"),
        (_with("steps", DOUBLE, "parameters", 0, value=pointer(1, 64)), "beyond its buffer"),
        (_with("steps", DOUBLE, "parameters", 0, value=pointer(1, 4)), "less aligned"),
        (_with("steps", DOUBLE, "parameters", 1, value=number("i32", 1 << 31)), "no i32"),
        (_with("steps", DOUBLE, "parameters", 1, value=number("u8", -1)), "no u8"),
        (_with("steps", DOUBLE, "parameters", 1, value=number("i1", 2)), "no i1"),
        (_with("steps", DOUBLE, "parameters", 1, value=number("i32", "16")), "no i32"),
        (_with("steps", DOUBLE, "parameters", 1, value=number("fp32", 16)), "float"),
        (_with("steps", DOUBLE, "parameters", 1, value=number("fp32", "many")), "float"),
        (_with("result", value={"t": "tensor", **view(2, 17)}), "beyond its buffer"),
        (_with("result", value={"t": "tensor", **view(9, 1)}), "does not exist"),
        (_with("result", value={"t": "tensor"}), "buffer"),
        (_with("result", value={"t": "other", "v": "Module"}), "other"),
        (_with("result", value={"t": "pickle", "v": "gASV"}), "pickle"),
        (_with("steps", value=[]), "no launch needs"),
        (_with("cubins", value=[]), "sizes of its binaries"),
        (_with("cubins", 0, 0, value="0" * 64), "digest"),
    ],
)
def test_each_way_to_be_wrong_has_a_reason(document: dict[str, Any], why: str) -> None:
    assert why in _refusal(document)


def test_a_pointer_that_claims_no_alignment_may_lie_anywhere() -> None:
    document = _with("steps", DOUBLE, "parameters", 0, value=pointer(1, 4, aligned=False))
    assert isinstance(validate_plan(document, BINARY, STORAGES), ReplayPlan)


def test_the_bytes_must_be_a_cuda_binary() -> None:
    script = b"#!/bin/sh\n" * 10
    document = sample()
    document["steps"] = [launch(script, "_double", pointer(1))]
    document["cubins"] = [[digest_of(script), len(script)]]
    assert "not a binary for CUDA" in _refusal(document, script)


def test_a_binary_may_not_come_twice_or_in_part() -> None:
    twice = {**sample(), "cubins": sample()["cubins"] * 2}
    assert "comes twice" in _refusal(twice, BINARY * 2)
    assert "sizes" in _refusal(sample(), BINARY[:-1])
    assert "sizes" in _refusal(sample(), BINARY + b"\0")


@pytest.mark.parametrize(
    ("most", "why"), [("MOST_BINARY_BYTES", "too large"), ("MOST_CUBIN_BYTES", "a binary is not")]
)
def test_binaries_that_are_too_large_are_refused(
    monkeypatch: pytest.MonkeyPatch, most: str, why: str
) -> None:
    monkeypatch.setattr(validation, most, len(BINARY))
    assert isinstance(validate_plan(sample(), BINARY, STORAGES), ReplayPlan)
    monkeypatch.setattr(validation, most, len(BINARY) - 1)
    assert why in _refusal(sample())


def test_memory_between_calls_is_refused() -> None:
    counting = elf("_double", "_add", own=".nv.global")
    document = sample()
    for step in document["steps"][DOUBLE:]:
        step["cubin"] = digest_of(counting)
    document["cubins"] = [[digest_of(counting), len(counting)]]
    assert "keeps memory between calls" in _refusal(document, counting)


def test_depth_is_a_reason() -> None:
    nested: dict[str, Any] = {"t": "none"}
    for _ in range(40):
        nested = {"t": "list", "v": [nested]}
    assert _refusal(_with("result", value=nested))
    deeper: Any = []
    for _ in range(100_000):
        deeper = [deeper]
    assert _refusal({**sample(), "result": {"t": "list", "v": deeper}})
    while deeper:  # let go from the outside: the collector would recurse
        deeper = deeper[0]


def test_a_reason_is_short_and_harmless() -> None:
    assert printable("a\x1b[2Jb\nc" + "d" * 500) == "a?[2Jb?c" + "d" * 192
