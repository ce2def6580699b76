from typing import Any

import pytest

from kernelbenchx.core.arguments import describe_type, require_type
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings


def test_a_value_of_another_type_is_refused_by_name() -> None:
    require_type("out", "runs/mine", (str, bytes), "a path")
    with pytest.raises(TypeError) as refused:
        require_type("out", 5, (str, bytes), "a path")
    assert str(refused.value) == "out takes a path, not an int"


@pytest.mark.parametrize(("value", "words"), [(None, "None"), ("x", "a str"), (5, "an int")])
def test_a_type_has_its_article(value: object, words: str) -> None:
    assert describe_type(value) == words


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"stage": "fast"}, BadInput, "stage is check, call, exe or perf, not 'fast'"),
        ({"gpus": 0}, TypeError, "gpus takes a tuple of indices, not an int"),
        ({"gpus": (-1,)}, BadInput, "gpus are indices from 0 on, not (-1,)"),
        ({"gpus": ("0",)}, BadInput, "gpus are indices from 0 on, not ('0',)"),
        ({"baselines": "eager"}, TypeError, "baselines takes a tuple of names, not a str"),
        ({"checks": "no"}, TypeError, "checks takes True or False, not a str"),
        ({"target": 90}, TypeError, "target takes the name of a GPU architecture, not an int"),
    ],
)
def test_settings_of_the_wrong_type_are_refused_in_one_line(
    options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as refused:
        Settings(**options)
    assert str(refused.value) == words


def test_settings_take_a_stage_by_its_name_and_lists() -> None:
    given: dict[str, Any] = {"stage": "check", "gpus": [1], "baselines": ["eager", "compile"]}
    wanted = Settings(stage=Stage.CHECK, gpus=(1,), baselines=("eager", "compile"))
    assert Settings(**given) == wanted
