import pytest

from asked_samples import asked
from attempts_made import made
from kernelbenchx.analysis.attempt_filter import ALL, AttemptFilter
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
        (AttemptFilter(categories=("math",)), ["math/add"]),
        (AttemptFilter(categories=("LinearAlgebra",)), ["linear_algebra/svd"]),
        (AttemptFilter(categories=("linear_algebra", "Math")), ["math/add", "linear_algebra/svd"]),
        (AttemptFilter(tasks=("svd",)), ["linear_algebra/svd"]),
        (AttemptFilter(tasks=("fusion/*",)), ["fusion/fused_add_mean"]),
        (AttemptFilter(tasks=("fused_*", "add")), ["math/add", "fusion/fused_add_mean"]),
        (AttemptFilter(models=("b",)), ["linear_algebra/svd", "fusion/fused_add_mean"]),
        (AttemptFilter(methods=("refine",)), ["linear_algebra/svd", "fusion/fused_add_mean"]),
        (AttemptFilter(methods=("refine profile=false",)), ["fusion/fused_add_mean"]),
        (AttemptFilter(methods=("refine",), categories=("Fusion",)), ["fusion/fused_add_mean"]),
    ],
)
def test_words_of_one_kind_add_up_and_kinds_narrow(wanted: AttemptFilter, tasks: list[str]) -> None:
    assert [one.task for one in wanted.pick(GIVEN)] == tasks
    folders = [one for one in GIVEN if wanted.names(one.task, one.method, one.model)]
    assert [one.task for one in folders] == tasks
    requests = [asked("s", task=one.task, method=one.method, model=one.model) for one in GIVEN]
    assert [one.task for one in requests if wanted.includes_request(one)] == tasks


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (AttemptFilter(categories=("Maths",)), "the category 'Maths'; there are Math"),
        (AttemptFilter(tasks=("sdv",)), "the task 'sdv'; there are svd"),
        (AttemptFilter(models=("c",)), "the model 'c'; there are a, b"),
        (AttemptFilter(methods=("gaek",)), "the method 'gaek'; there are geak"),
        (
            AttemptFilter(methods=("geak",), models=("b",)),
            "all that was asked for: model b, method geak",
        ),
    ],
)
def test_a_word_that_matches_nothing_is_an_error(wanted: AttemptFilter, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        wanted.pick(GIVEN)


def test_nothing_to_choose_from_is_no_error() -> None:
    assert AttemptFilter(tasks=("x",)).pick([]) == []
    assert not ALL and AttemptFilter(tasks=("x",))
