import pytest

from asked_samples import asked
from attempts_made import made
from kernelbenchx.analysis.wanted import ALL, Wanted
from kernelbenchx.core.errors import BadInput

GIVEN = [
    made("math/add", method="geak", model="a", category="Math"),
    made("linear_algebra/svd", method="refine", model="b", category="LinearAlgebra"),
    made("fusion/fused_add_mean", method="refine profile=false", model="b", category="Fusion"),
]


@pytest.mark.parametrize(
    ("wanted", "tasks"),
    [
        (ALL, ["math/add", "linear_algebra/svd", "fusion/fused_add_mean"]),
        (Wanted(categories=("math",)), ["math/add"]),
        (Wanted(categories=("LinearAlgebra",)), ["linear_algebra/svd"]),
        (Wanted(categories=("linear_algebra", "Math")), ["math/add", "linear_algebra/svd"]),
        (Wanted(tasks=("svd",)), ["linear_algebra/svd"]),
        (Wanted(tasks=("fusion/*",)), ["fusion/fused_add_mean"]),
        (Wanted(tasks=("fused_*", "add")), ["math/add", "fusion/fused_add_mean"]),
        (Wanted(models=("b",)), ["linear_algebra/svd", "fusion/fused_add_mean"]),
        (Wanted(methods=("refine",)), ["linear_algebra/svd", "fusion/fused_add_mean"]),
        (Wanted(methods=("refine profile=false",)), ["fusion/fused_add_mean"]),
        (Wanted(methods=("refine",), categories=("Fusion",)), ["fusion/fused_add_mean"]),
    ],
)
def test_words_of_one_kind_add_up_and_kinds_narrow(wanted: Wanted, tasks: list[str]) -> None:
    assert [one.task for one in wanted.pick(GIVEN)] == tasks
    folders = [one for one in GIVEN if wanted.names(one.task, one.method, one.model)]
    assert [one.task for one in folders] == tasks
    requests = [asked("s", task=one.task, method=one.method, model=one.model) for one in GIVEN]
    assert [one.task for one in requests if wanted.includes_request(one)] == tasks


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(categories=("Maths",)), "the category 'Maths'; there are Math"),
        (Wanted(tasks=("sdv",)), "the task 'sdv'; there are svd"),
        (Wanted(models=("c",)), "the model 'c'; there are a, b"),
        (Wanted(methods=("gaek",)), "the method 'gaek'; there are geak"),
        (Wanted(methods=("geak",), models=("b",)), "all that was asked for: model b, method geak"),
    ],
)
def test_a_word_that_matches_nothing_is_an_error(wanted: Wanted, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        wanted.pick(GIVEN)


def test_nothing_to_choose_from_is_no_error() -> None:
    assert Wanted(tasks=("x",)).pick([]) == []
    assert not ALL and Wanted(tasks=("x",))
