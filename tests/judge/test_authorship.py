import pytest

from kernelbenchx.core.outcome import Composition
from kernelbenchx.judge.authorship import composition_of, torch_compute, when_timed, worse
from kernelbenchx.worker.data_flow import (
    COUNTED,
    DRAWN,
    FILLED,
    MOVED,
    NEGATED,
    READ,
    ROUNDED,
    SCALARS,
)

LAUNCH = {"kernel": "k"}


@pytest.mark.parametrize(
    ("traces", "composition"),
    [
        ([{"ops": {"aten.empty_like.default": 1}, "launches": [LAUNCH]}], Composition.PURE),
        ([{"ops": {"aten.mm.default": 1}, "launches": [LAUNCH]}], Composition.MIXED),
        ([{"ops": {"aten.mm.default": 1}, "launches": []}], Composition.NOT_A_KERNEL),
        ([{"ops": {}, "launches": []}, {"ops": {}, "launches": [LAUNCH]}], Composition.PURE),
        ([], Composition.NOT_A_KERNEL),
    ],
)
def test_traces_tell_who_did_the_work(traces: list[dict[str, object]], composition: str) -> None:
    assert composition_of(traces)[0] == composition


def test_operators_of_other_libraries_count_as_compute() -> None:
    assert torch_compute(["mylib.matmul.default"]) == ("mylib.matmul.default",)
    assert torch_compute(["aten.view.default", "aten.copy_.default"]) == ()


def test_the_less_flattering_finding_counts() -> None:
    assert worse(Composition.PURE, Composition.MIXED) is Composition.MIXED
    assert worse(Composition.NOT_A_KERNEL, Composition.PURE) is Composition.NOT_A_KERNEL
    assert worse(Composition.PURE, Composition.PURE) is Composition.PURE


@pytest.mark.parametrize("name", [COUNTED, DRAWN, FILLED, NEGATED, READ, ROUNDED, SCALARS])
def test_what_crosses_to_the_host_or_changes_values_makes_it_mixed(name: str) -> None:
    found, why = composition_of([{"ops": {name: 4096}, "launches": [LAUNCH]}])
    assert found is Composition.MIXED
    assert ["4096" in one.why and not one.fatal for one in why] == [True]


def test_moving_piece_by_piece_computes_where_moving_is_the_work() -> None:
    traces = [{"ops": {MOVED: 4096, "aten.copy_.default": 99}, "launches": [LAUNCH]}]
    assert composition_of(traces) == (Composition.PURE, ())
    assert composition_of(traces, data_movement=True)[0] is Composition.MIXED


def test_questions_and_views_do_not_compute_and_comparisons_do() -> None:
    assert torch_compute(["aten.promote_types.default", "aten.can_cast.default"]) == ()
    assert torch_compute(["aten.diagonal.default", "aten.as_strided.default"]) == ()
    assert torch_compute(["aten.equal.default"]) == ("equal",)


def test_a_branch_of_torch_counts_where_timed_calls_were_not_seen() -> None:
    mixed, pure = Composition.MIXED, Composition.PURE
    assert when_timed(mixed, pure, replayed=True) is pure
    assert when_timed(mixed, pure, replayed=False) is mixed
    assert when_timed(pure, mixed, replayed=True) is mixed
