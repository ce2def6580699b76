import pytest

from kernelbenchx.core.outcome import Composition
from kernelbenchx.judge.authorship import composition_of, torch_compute, worse

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
    assert composition_of(traces) == composition


def test_operators_of_other_libraries_count_as_compute() -> None:
    assert torch_compute(["mylib.matmul.default"]) == ("mylib.matmul.default",)
    assert torch_compute(["aten.view.default", "aten.copy_.default"]) == ()


def test_the_less_flattering_finding_counts() -> None:
    assert worse(Composition.PURE, Composition.MIXED) is Composition.MIXED
    assert worse(Composition.NOT_A_KERNEL, Composition.PURE) is Composition.NOT_A_KERNEL
    assert worse(Composition.PURE, Composition.PURE) is Composition.PURE
