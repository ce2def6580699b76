import math
from typing import Any

import msgspec
import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import (
    Settings,
    SettingsOptions,
    apply_options,
    parse_stage,
    require_positive,
    resolve_for,
)


def test_options_are_the_fields_of_settings() -> None:
    assert tuple(SettingsOptions.__annotations__) == Settings.__struct_fields__


def test_options_replace_fields() -> None:
    found = apply_options(Settings(jobs=3), {"stage": "perf", "baselines": ["eager", "compile"]})
    assert found == Settings(jobs=3, stage=Stage.PERF, baselines=("eager", "compile"))
    assert apply_options(found, {}) == found


def test_a_name_that_is_no_field_is_a_type_error() -> None:
    options: Any = {"divice": "cuda"}
    with pytest.raises(TypeError, match="unknown setting 'divice'; choose one of device, stage"):
        apply_options(Settings(), options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"device": "gpu"}, "device is auto, cuda or interpreter, not 'gpu'"),
        ({"stage": "all"}, "stage is check, call, exe or perf, not 'all'"),
        ({"baselines": ["numpy"]}, "baselines are eager or compile"),
        ({"isolation": "L7"}, "isolation is auto, L1, L2 or L3, not 'L7'"),
        ({"sizes": "small"}, "sizes is ours or published, not 'small'"),
        ({"sizes": "published", "baselines": ["eager", "compile"]}, "compared with eager alone"),
        ({"jobs": 0}, "jobs is a number above 0, not 0"),
        ({"jobs": 1.5}, "jobs is a whole number, not 1.5"),
        ({"time_limit_s": -1.0}, "time_limit_s is auto or a number above 0, not -1.0"),
        ({"time_limit_s": "60"}, "time_limit_s is auto or a number above 0, not '60'"),
        ({"seed": -1}, "seed is a whole number from 0 on"),
    ],
)
def test_a_value_that_cannot_be_used_is_said_in_one_line(options: Any, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        apply_options(Settings(), options)
    assert said in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("number", [0, -1, math.nan, math.inf, True, "1", None])
def test_only_finite_numbers_above_zero_are_positive(number: object) -> None:
    with pytest.raises(BadInput, match="deadline_s is a number above 0"):
        require_positive("deadline_s", number)
    require_positive("deadline_s", 0.5)


def test_each_call_has_a_limit_by_the_rule_auto_and_in_the_interpreter_alone() -> None:
    found = resolve_for(Settings(), "interpreter")
    assert found.limits_calls and found.wall_s == 60.0
    assert not resolve_for(Settings(), "cuda").limits_calls
    fixed = resolve_for(Settings(time_limit_s=60.0), "interpreter")
    assert not fixed.limits_calls and fixed.wall_s == 60.0
    assert not msgspec.structs.replace(found, wall_s=4.0).limits_calls, "mutants have their own"


def test_a_stage_is_found_by_its_name() -> None:
    assert parse_stage("exe") is Stage.EXE and parse_stage(Stage.CHECK) is Stage.CHECK
