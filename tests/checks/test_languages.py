"""The languages a task may ask for."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.languages import LANGUAGES
from kernelbenchx.checks.rule import Report
from kernelbenchx.core.errors import BadInput

Examine = Callable[..., Report]


def test_each_language_is_filed_under_its_name() -> None:
    assert {name: language.name for name, language in LANGUAGES.items()} == {
        "triton": "triton",
        "cuda": "cuda",
    }


def test_a_language_judges_only_its_own_text(examine: Examine) -> None:
    text = "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n"
    assert not examine(text, language="cuda").fatal
    assert examine(text, language="triton").fatal


def test_an_unknown_language_is_an_error(examine: Examine) -> None:
    with pytest.raises(BadInput, match="unknown language 'hip'"):
        examine("", language="hip")
