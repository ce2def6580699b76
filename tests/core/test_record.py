import math

import msgspec
import pytest

from kernelbenchx.core.outcome import Correct, Finding, Outcome, Reason, Rejected, Worst, Wrong
from kernelbenchx.core.record import from_json, to_json, to_plain


@pytest.mark.parametrize(
    "outcome",
    [
        Correct(cases=3, worst=0.25),
        Correct(cases=1, worst=math.inf),
        Rejected(findings=(Finding(rule="imports", line=3, why="os"),)),
        Wrong(
            case="n=3",
            reason=Reason.BAD_VALUES,
            detail="far off",
            worst=Worst(
                output="out", index=(1, 2), expected="1", got="2", error=9.0, bad=1, total=6
            ),
        ),
    ],
)
def test_an_outcome_survives_the_way_to_disk_and_back(outcome: Outcome) -> None:
    assert from_json(to_json(outcome), Outcome) == outcome  # type: ignore[arg-type]


def test_infinity_is_spelled_since_json_has_no_word_for_it() -> None:
    assert to_plain(Correct(cases=1, worst=math.inf))["worst"] == "inf"
    assert b"Infinity" not in to_json(Correct(cases=1, worst=math.inf))


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        from_json(b'{"kind":"correct","cases":1,"worst":0.0,"passed":true}', Correct)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        from_json(b'{"kind":"perfect","cases":1}', Outcome)  # type: ignore[arg-type]


def test_records_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Correct(cases=1, worst=0.0).cases = 2  # type: ignore[misc]
