"""The record keeps one entry for each specialisation, with what became of it."""

import json

import pytest

from kernelbenchx.worker.compiler import compilation_record
from kernelbenchx.worker.compiler.compilation_record import Compilation, KernelSpecialisation
from kernelbenchx.worker.resources import Resources
from kernelbenchx.worker.targets import find_target

ERROR = {"type": "OutOfResources", "message": "too much", "line": 3, "column": None}


def attempt(identity: str) -> KernelSpecialisation:
    return KernelSpecialisation(name="add", identity=identity, num_warps=4, num_stages=3)


@pytest.fixture
def compilation(monkeypatch: pytest.MonkeyPatch) -> Compilation:
    reads: list[bytes] = []

    def read(binary: bytes, backend: str) -> Resources:
        assert binary not in reads, "a binary is read once"
        reads.append(binary)
        return Resources(registers=20, scalar_registers=None, stack_bytes=8)

    monkeypatch.setattr(compilation_record, "of_binary", read)
    return Compilation(target=find_target("sm_80"), all_configurations=False, seed=0)


def test_the_same_specialisation_is_kept_once(compilation: Compilation) -> None:
    for identity in ("a", "b", "a"):
        compilation.note_compiled(attempt(identity), binary=b"x", shared_bytes=64, took_s=0.25)
    first, second = compilation.kernels
    assert first == second
    assert first == {
        "name": "add",
        "arguments": {},
        "ok": True,
        "error": None,
        "refused": [],
        "skipped": False,
        "registers": 20,
        "scalar_registers": None,
        "spills": 2,
        "stack_bytes": 8,
        "shared_bytes": 64,
        "shared_limit": 166912,
        "num_warps": 4,
        "num_stages": 3,
        "grid": None,
        "configuration": None,
        "seconds": 0.25,
    }
    assert json.loads(json.dumps(first)) == first


def test_a_failure_keeps_what_is_known(compilation: Compilation) -> None:
    compilation.note_compiled(attempt("a"), binary=b"x", shared_bytes=10**6, took_s=0.25)
    compilation.note_failed(attempt("a"), ERROR, skipped=True, took_s=0.0)
    compilation.note_failed(attempt("b"), ERROR, skipped=False, took_s=0.5)
    known, unknown = compilation.kernels
    assert (known["ok"], known["skipped"], known["registers"]) == (False, True, 20)
    assert (unknown["ok"], unknown["skipped"], unknown["registers"]) == (False, False, None)
    assert known["error"] == unknown["error"] == ERROR


def test_a_failure_knows_which_launches_it_is_of(compilation: Compilation) -> None:
    for number, identity in enumerate("aba"):
        compilation.form = number
        compilation.note_failed(attempt(identity), ERROR, skipped=False, took_s=0.0)
    assert [one["refused"] for one in compilation.kernels] == [[0, 2], [1]]


def test_launches_are_kept_in_order_and_the_first_grid_stays(compilation: Compilation) -> None:
    compilation.note_compiled(attempt("a"), binary=b"x", shared_bytes=0, took_s=0.0)
    compilation.launch("add", "a", (4, 1, 1))
    compilation.launch("add", "a", (8, 1, 1))
    compilation.launch("other", "not listed", (1, 1, 1))
    assert compilation.launched == ["add", "add", "other"]
    assert compilation.kernels[0]["grid"] == [4, 1, 1]


def test_a_configuration_belongs_to_what_is_compiled_inside(compilation: Compilation) -> None:
    with compilation.attribute_to(lambda: {"SIZE": 64}, trying=True):
        compilation.note_failed(attempt("a"), ERROR, skipped=compilation.trying, took_s=0.0)
        compilation.not_skipped("other")
        assert compilation.kernels[0]["skipped"]
        compilation.not_skipped("add")
        assert not compilation.kernels[0]["skipped"]
        compilation.launch("add", "a", (1, 1, 1))
    assert compilation.launched == [] and not compilation.trying
    compilation.note_failed(attempt("b"), ERROR, skipped=compilation.trying, took_s=0.0)
    assert [kernel["configuration"] for kernel in compilation.kernels] == [{"SIZE": 64}, None]
