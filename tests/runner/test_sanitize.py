from typing import Any

import pytest

from kernelbenchx.runner import sanitize
from kernelbenchx.worker.frames import Malformed


def test_ordinary_text_stays_as_it_is() -> None:
    assert sanitize.text("größer als 0\n\tin Zeile 3") == "größer als 0\n\tin Zeile 3"


@pytest.mark.parametrize("text", ["\x1b[2Jcorrect", "a\rb", "\x07", "\x9b32m", "\ud800", "\x00"])
def test_what_steers_a_terminal_or_breaks_an_encoding_becomes_visible(text: str) -> None:
    shown = sanitize.text(text)
    shown.encode()
    assert shown.isprintable()
    assert "\\" in shown


def test_text_is_cut_and_must_be_text() -> None:
    assert sanitize.text("x" * 10_000, 10) == "x" * 10
    with pytest.raises(Malformed):
        sanitize.text(5)


def test_whole_numbers_pass() -> None:
    assert sanitize.number(-1) == -1


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1.0, True, "1", None, 10**30])
def test_other_numbers_are_refused(value: Any) -> None:
    with pytest.raises(Malformed):
        sanitize.number(value)


def test_a_trace_keeps_what_somebody_reads() -> None:
    header = {
        "kind": "trace",
        "ops": {"aten.mm": 2},
        "launches": [{"kernel": "k", "grid": [1, 1, 1]}],
        "kernels": [{"name": "k", "ok": True, "registers": 32, "error": None}],
        "secret": "not kept",
    }
    trace = sanitize.trace(header)
    assert trace["ops"] == {"aten.mm": 2}
    assert trace["launches"][0]["kernel"] == "k"
    assert trace["kernels"][0]["registers"] == 32
    assert trace["failures"] == [] and "secret" not in trace


@pytest.mark.parametrize(
    "part", ["ops", "launches", "races", "failures", "flags", "kernels", "state"]
)
@pytest.mark.parametrize("value", [5, "text", None, [None], [[]], [5], {"a": "b"}])
def test_a_trace_of_wrong_types_is_refused(part: str, value: Any) -> None:
    with pytest.raises(Malformed):
        sanitize.trace({part: value})


@pytest.mark.parametrize(
    "kernel",
    [
        {"name": "k", "registers": float("inf")},
        {"name": "k", "refused": 4},
        {"name": "k", "refused": ["1"]},
        {"name": "k", "error": 4},
        {"name": "k", "error": {"message": 5}},
        {"name": "k", "error": {"message": "", "line": "1"}},
    ],
)
def test_a_kernel_of_wrong_types_is_refused(kernel: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        sanitize.trace({"kernels": [kernel]})


def test_a_bottomless_trace_is_refused() -> None:
    nested: Any = []
    for _ in range(100):
        nested = [nested]
    with pytest.raises(Malformed):
        sanitize.trace({"launches": [{"kernel": "k", "args": nested}]})
