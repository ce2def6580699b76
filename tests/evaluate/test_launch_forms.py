"""Every form that was launched is compiled; of too many a sample, and the rest is counted."""

from typing import Any

from kernelbenchx.evaluate import launch_forms
from kernelbenchx.evaluate.launch_forms import make_form_test, pick_distinct


def launch(kernel: str = "k", *, n: int = 5, size: int = 64, **more: Any) -> dict[str, Any]:
    return {
        "kernel": kernel,
        "line": 3,
        "grid": [1, 1, 1],
        "options": {},
        "args": [
            {"name": "x", "kind": "pointer", "dtype": "fp32", "aligned": True},
            {"name": "n", "kind": "int", "value": n, "dtype": "i32" if n < 1 << 31 else "i64"},
            {"name": "scale", "kind": "float", "value": n / 7},
            {"name": "SIZE", "kind": "constexpr", "value": size},
        ],
        **more,
    }


def cheap(found: launch_forms.LaunchForms) -> list[bool]:
    return [bool(one.get("front_end_only")) for one in found.launches]


def test_launches_that_differ_in_values_alone_are_one_form() -> None:
    found = pick_distinct([launch(n=n) for n in range(2, 40)], seed=1)
    assert len(found.launches) == 1 and found.left_out == 0


def test_constants_types_options_and_kernels_make_forms_with_machine_code() -> None:
    others = [
        launch(size=128),
        launch(n=1 << 40),
        launch("other"),
        launch(line=9),
        launch(captured={"factor": 2}),
        launch(options={"num_warps": 8}),
    ]
    found = pick_distinct([launch(), *others, launch()], seed=1)
    assert len(found.launches) == 7 and not any(cheap(found))


def test_an_integer_of_one_is_another_form_for_the_front_end_alone() -> None:
    found = pick_distinct([launch(n=1), launch(n=7)], seed=1)
    assert sorted(cheap(found)) == [False, True]
    assert len(pick_distinct([launch(n=7), launch(n=9)], seed=1).launches) == 1


def test_the_launch_that_promises_most_stands_for_its_form() -> None:
    for order in ([17, 32, 33], [33, 17, 32]):
        (chosen,) = pick_distinct([launch(n=n) for n in order], seed=1).launches
        assert chosen["args"][1]["value"] == 32


def test_what_ran_in_any_launch_of_a_form_counts_for_it() -> None:
    ran: list[dict[str, Any]] = [{"k:3": [[1, "", 4]]}, {"k:3": [[1, "", 4], [2, "", 5]]}, {}]
    for order in (ran, ran[::-1]):
        launches = [launch(n=n, ran=one) for n, one in zip((32, 7, 5), order, strict=True)]
        (chosen,) = pick_distinct(launches, seed=1).launches
        assert sorted(chosen["ran"]["k:3"]) == [[1, "", 4], [2, "", 5]]
    apart = pick_distinct([launch(ran=ran[0]), launch(size=128, ran=ran[1])], seed=1)
    assert sorted(len(one["ran"]["k:3"]) for one in apart.launches) == [1, 2]


def test_of_very_many_forms_a_sample_is_taken_and_the_rest_is_counted() -> None:
    many = [launch(size=size, n=n) for size in range(300) for n in (1, 2)]
    found = pick_distinct(many, seed=1)
    assert len(found.launches) == launch_forms.MOST_FORMS
    assert cheap(found).count(False) == launch_forms.MOST_COMBINATIONS
    assert found.left_out == 600 - launch_forms.MOST_FORMS
    assert pick_distinct(many, seed=1) == found
    assert pick_distinct(many, seed=2).launches != found.launches, "nobody can foresee which"


def test_a_record_that_makes_no_sense_is_a_form_like_others() -> None:
    odd: list[Any] = [
        {"kernel": "k"},
        {"kernel": "k", "args": 5, "grid": "x"},
        {"kernel": "k", "args": [3, {"kind": "tuple", "items": 4}, {"kind": "int"}]},
    ]
    assert len(pick_distinct([*odd, launch()], seed=1).launches) == 3


def test_a_launch_is_known_by_its_form() -> None:
    known = make_form_test([launch(n=5, front_end_only=True)])
    assert launch(n=7) in known
    assert launch(n=1) not in known and launch(size=128) not in known
    assert launch("other") not in known and launch() not in make_form_test([])
