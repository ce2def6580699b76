"""Which argument of a task each parameter of a submission takes."""

import pytest

from kernelbenchx.checks.binding import CannotBind, bind, by_position_alone, map_names, plain_call
from kernelbenchx.checks.rule import ParameterKind
from kernelbenchx.checks.signatures import parse_signature
from kernelbenchx.core.argument_binding import ArgumentBinding

ABS = "input, out=None"
ADD = "input, other, alpha=1, out=None"
FILL = "dim, x, index, value"
RAND = "*size, generator=None, dtype=None"


def _bind(
    wanted: str, given: str, *others: dict[str, str], applied: bool = False
) -> ArgumentBinding | None:
    own = parse_signature(f"f({given})")[1]
    if applied:
        own = by_position_alone(own)
    return bind(parse_signature(f"f({wanted})")[1], own, others)


def _taken(wanted: str, given: str, *others: dict[str, str]) -> dict[str, str]:
    """By the submission's name."""
    found = _bind(wanted, given, *others)
    assert found is not None
    takers = (*found.positional, *found.keyword_only)
    names = [one.keyword or f"#{at}" for at, one in enumerate(takers)]
    taken = {name: one.argument for name, one in zip(names, takers, strict=True)}
    return taken | {f"*{one}": one for one in found.rest} | {f"**{one}": one for one in found.named}


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        (ABS, "input, out=None"),
        ("input, *, out=None", "input, BLOCK=64, *, out=None"),
        (ADD, "*args, **kwargs"),
        ("input, /, out=None", "anything, out=None"),
    ],
)
def test_a_signature_that_takes_calls_as_they_are_has_no_binding(wanted: str, given: str) -> None:
    assert _bind(wanted, given) is None


@pytest.mark.parametrize(
    ("wanted", "given", "taken"),
    [
        (ABS, "input, *, out=None", {"input": "input", "out": "out"}),
        (ADD, "input, other, *, alpha=1, out=None",
         {"input": "input", "other": "other", "alpha": "alpha", "out": "out"}),
        (ADD, "out, alpha, other, input",
         {"out": "out", "alpha": "alpha", "other": "other", "input": "input"}),
        (FILL, "x, dim, index, value",
         {"x": "x", "dim": "dim", "index": "index", "value": "value"}),
        (ADD, "a, b, /, *, out=None", {"#0": "input", "#1": "other", "out": "out"}),
    ],
)  # fmt: skip
def test_a_name_that_is_known_counts_wherever_it_stands(
    wanted: str, given: str, taken: dict[str, str]
) -> None:
    assert _taken(wanted, given) == taken


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("a, b", {"a": "input", "b": "other"}),
        ("a, b, scale=1.0, result=None",
         {"a": "input", "b": "other", "scale": "alpha", "result": "out"}),
        ("a, b, BLOCK=128, result=None",
         {"a": "input", "b": "other", "BLOCK": "", "result": "out"}),
        ("a, b, flag=True", {"a": "input", "b": "other", "flag": ""}),
        ("other, a", {"other": "other", "a": "input"}),
        ("a, b, c, d", {"a": "input", "b": "other", "c": "alpha", "d": "out"}),
        ("a, b=None, *, out=None", {"a": "input", "b": "other", "out": "out"}),
        ("a, *rest, **more",
         {"a": "input", "*other": "other", "**alpha": "alpha", "**out": "out"}),
        ("a, **more",
         {"a": "input", "**other": "other", "**alpha": "alpha", "**out": "out"}),
        ("*rest", {"*input": "input", "*other": "other", "*alpha": "alpha", "*out": "out"}),
    ],
)  # fmt: skip
def test_names_that_nobody_knows_take_what_is_left_in_order(
    given: str, taken: dict[str, str]
) -> None:
    assert _taken(ADD, given) == taken


def test_sources_count_in_their_order() -> None:
    file, torch = {"x": "other", "first": "input"}, {"x": "input", "size_average": ""}
    assert _taken(ADD, "x, first", file, torch) == {"x": "other", "first": "input"}
    assert _taken(ADD, "x, first", torch, file) == {"x": "input", "first": "other"}
    # Torch knows the name for something else: it is not taken by position.
    without = _taken("input, target, weight=None", "a, b, size_average=None", torch)
    assert without["size_average"] == ""
    assert _taken("input, target, weight=None", "a, b, size_average=None")["size_average"] == (
        "weight"
    )


def test_sizes_of_the_task_go_to_a_star_or_to_one_parameter() -> None:
    assert _bind(RAND, "*shape, **options") is None
    assert _taken(RAND, "*shape, dtype=None")["*size"] == "size"
    assert _taken(RAND, "size, generator=None, dtype=None")["size"] == "size"
    assert _taken(RAND, "shape, *, generator=None")["shape"] == "size"


@pytest.mark.parametrize(
    ("wanted", "given", "why"),
    [
        (ADD, "x", "it has no parameter for `other`"),
        (ADD, "", "it has no parameter for `input`"),
        (ADD, "x, y, a, b, extra", "it requires `extra`, which the task does not have"),
        (ADD, "x, y, *, extra", "it requires `extra`, which the task does not have"),
        (ADD, "input, *, out=None", "it has no parameter for `other`"),
    ],
)
def test_a_signature_that_no_call_fits_is_refused(wanted: str, given: str, why: str) -> None:
    with pytest.raises(CannotBind, match=why):
        _bind(wanted, given)


def test_what_is_lacking_is_known() -> None:
    lacking = _bind(ADD, "a, b, *, out=None")
    assert lacking is not None
    assert lacking.lacks == ("alpha",)
    whole = _bind(ADD, "a, b, *, alpha=1, out=None")
    assert whole is not None
    assert whole.lacks == ()
    assert whole.keyword_of("other") == "b"


def test_apply_passes_no_keywords_on() -> None:
    found = _bind(ADD, "input, other, alpha=1, out=None", applied=True)
    assert found is not None
    assert [one.keyword for one in found.positional] == [""] * 4
    with pytest.raises(CannotBind):
        _bind(ADD, "input, other, *, alpha", applied=True)


def test_names_of_another_form_are_mapped() -> None:
    def mapped(wanted: str, form: str) -> dict[str, str]:
        return map_names(parse_signature(f"f({wanted})")[1], parse_signature(form)[1])

    assert mapped(ABS, "abs(input_tensor, out_tensor=None)") == {
        "input_tensor": "input", "out_tensor": "out",
    }  # fmt: skip
    assert mapped("A, mode='reduced'", "qr(input, some=True)") == {"input": "A", "some": ""}
    # A form of something else, such as a class of optimizers, tells of shared names alone.
    assert mapped("param, grad, lr=0.1", "SGD(params, lr=0.001, maximize=False)") == {"lr": "lr"}


def test_the_call_is_spelled_as_the_statement_has_it() -> None:
    assert plain_call("add", parse_signature(f"f({ADD})")[1]) == "add(input, other)"
    assert plain_call("rand", parse_signature(f"f({RAND})")[1]) == "rand(*size)"
    assert parse_signature(f"f({RAND})")[1][0].kind is ParameterKind.VAR_POSITIONAL
