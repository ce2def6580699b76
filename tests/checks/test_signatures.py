"""Signatures as they are written."""

import pytest

from kernelbenchx.checks.rule import ParameterKind, SignatureParameter
from kernelbenchx.checks.signatures import incompatibilities, parse_signature


def test_a_signature_is_read_with_its_kinds_and_defaults() -> None:
    name, found = parse_signature("f(a, /, b=None, *rest, c=-1.0, d, **more)")
    assert name == "f"
    assert found == (
        SignatureParameter("a", ParameterKind.POSITIONAL_ONLY),
        SignatureParameter("b", ParameterKind.POSITIONAL_OR_KEYWORD, True, "None"),
        SignatureParameter("rest", ParameterKind.VAR_POSITIONAL),
        SignatureParameter("c", ParameterKind.KEYWORD_ONLY, True, "-1.0"),
        SignatureParameter("d", ParameterKind.KEYWORD_ONLY),
        SignatureParameter("more", ParameterKind.VAR_KEYWORD),
    )


def _parameters(signature: str) -> tuple[SignatureParameter, ...]:
    return parse_signature(f"f({signature})")[1]


WANTED = "x, y, alpha=1.0, *, out=None"


@pytest.mark.parametrize(
    "given",
    [
        "x, y, alpha=1.0, *, out=None",
        "x, y, alpha=2, out=None",
        "x, y=None, alpha=1.0, *, out=None, BLOCK=64",
        "x, y, alpha=1.0, BLOCK=64, *, out=None",
        "x, y, alpha=1.0, **rest",
        "*args, **kwargs",
        "x, *args, **kwargs",
        "x, y, *rest, out=None, alpha=1, **more",
    ],
)
def test_compatible_signatures_take_calls_as_they_are(given: str) -> None:
    assert list(incompatibilities(_parameters(WANTED), _parameters(given))) == []


@pytest.mark.parametrize(
    "given",
    [
        "x, alpha=1.0, *, out=None",
        "y, x, alpha=1.0, *, out=None",
        "a, y, alpha=1.0, *, out=None",
        "x, y, /, alpha=1.0, *, out=None",
        "x, y, *, alpha=1.0, out=None",
        "x, y, alpha, *, out=None",
        "x, y, alpha=1.0",
        "x, y, alpha=1.0, *, out",
        "x, y, alpha=1.0, *, out=None, BLOCK",
        "x, y, extra, alpha=1.0, *, out=None",
        "*args",
        "**kwargs",
    ],
)
def test_a_documented_call_that_fails_is_named(given: str) -> None:
    assert list(incompatibilities(_parameters(WANTED), _parameters(given)))


def test_variable_and_positional_only_parameters_of_the_task() -> None:
    wanted = _parameters("a, /, *tensors, **options")
    assert not list(incompatibilities(wanted, _parameters("b, *t, **o")))
    assert list(incompatibilities(wanted, _parameters("b, t=None, **o")))
    assert list(incompatibilities(wanted, _parameters("b, *t")))
