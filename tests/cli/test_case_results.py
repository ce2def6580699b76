import io

import msgspec
import pytest
from rich.console import Console

from kernelbenchx.cli.case_results import draw_error_map, print_cases
from kernelbenchx.cli.evaluation_json import result
from kernelbenchx.core.error_map import INFINITE, LEVELS, NOTHING, ErrorMap
from kernelbenchx.core.outcome import (
    CaseResult,
    CaseState,
    Correct,
    Outcome,
    Reason,
    Worst,
    Wrong,
)
from samples import evaluation

CASES = (
    CaseResult("n=3", CaseState.PASSED, 0.25),
    CaseResult("n=[5]", CaseState.WRONG, 46.1, "bad_values: one [row]"),
    CaseResult("n=7", CaseState.NOT_REACHED),
)
MAP = ErrorMap(
    shape=(2, 3), lines=(2, 3), steps=(1, 1), cells=f"0{LEVELS[9]}{LEVELS[14]}{LEVELS[30]}*-"
)
WORST = Worst(output="out", index=(1, 1), expected="1", got="2", error=46.1, bad=4, total=5)


def _printed(cases: tuple[CaseResult, ...], outcome: Outcome) -> str:
    console = Console(file=io.StringIO(), width=80, highlight=False)
    print_cases(cases, outcome, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _wrong(picture: ErrorMap | None) -> Wrong:
    return Wrong(case="n=5", reason=Reason.BAD_VALUES, detail="", worst=WORST, error_map=picture)


def test_every_case_has_a_line_with_its_error_and_how_it_failed() -> None:
    said = _printed(CASES, Correct(cases=3, worst=0.25))
    assert "case (1 passed, 1 wrong, 1 not reached)" in " ".join(said.split())
    lines = [line.split() for line in said.splitlines()]
    assert ["n=3", "passed", "0.25"] in lines
    assert ["n=[5]", "wrong", "46.1", "bad_values:", "one", "[row]"] in lines
    assert ["n=7", "not", "reached"] in lines


def test_the_name_of_a_case_breaks_between_its_parameters() -> None:
    name = "shape=(31,37),dtype=float32,layout=transposed,out=transposed,alpha=1.7"
    lines = _printed((CaseResult(name, CaseState.PASSED, 0.000191),), Correct(cases=1, worst=0.0))
    assert [line.split()[0] for line in lines.splitlines()[-2:]] == [name[:-9], "alpha=1.7"]


def test_a_wrong_output_is_drawn_darker_the_further_off_it_is() -> None:
    assert MAP.cells.endswith(INFINITE + NOTHING)
    head, first, second, key = draw_error_map(MAP, "out of n=5")
    assert head == "errors of out of n=5, as 2 x 3 cells of 1 x 1 elements"
    assert (first, second) == ("··░░▒▒", "▓▓██")
    assert all(letter in key for letter in "·░▒▓█")


@pytest.mark.parametrize(
    ("cell", "meaning"),
    [(INFINITE, "infinite"), ("0", "within the budget"), (LEVELS[30], "over 1000 times the bud")],
)
def test_a_picture_of_equal_cells_is_one_line(cell: str, meaning: str) -> None:
    alike = msgspec.structs.replace(MAP, cells=cell * 5 + NOTHING)
    (line,) = draw_error_map(alike, "out of n=5")
    assert line.startswith(f"errors of out of n=5: {meaning}") and line.endswith(" everywhere")


def test_what_all_failures_have_in_common_is_said_once() -> None:
    failed = [CaseResult(f"n={n}", CaseState.WRONG, 46.1, "too large") for n in range(3)]
    said = _printed((*failed, CASES[0]), Correct(cases=3, worst=0.25))
    assert said.count("too large") == 1 and "each of the 3: too large" in said
    assert "how" not in said
    one_more = _printed((*failed, CASES[1]), Correct(cases=3, worst=0.25))
    assert one_more.count("too large") == 3 and "how" in one_more


def test_a_title_that_is_too_long_is_wrapped_and_the_picture_is_not() -> None:
    named = msgspec.structs.replace(_wrong(MAP), case="shape=(2,1024),dtype=float32," + "x" * 80)
    lines = _printed((), named).splitlines()
    assert max(map(len, lines)) <= 80 and "".join(lines).count("x") >= 80
    assert "elements" in _printed((), named) and "··░░▒▒" in lines
    assert "█ infinite" in " ".join(lines)


def test_old_records_have_neither_and_print_nothing() -> None:
    assert _printed((), _wrong(None)) == ""
    assert _printed((), Correct(cases=1, worst=0.0)) == ""
    assert "··░░▒▒" in _printed((), _wrong(MAP))


def test_scripts_get_cases_by_the_names_of_their_fields() -> None:
    assert result(evaluation())["cases"] == []
    one = msgspec.structs.replace(evaluation(), cases=CASES)
    assert result(one)["cases"][1] == {
        "case": "n=[5]",
        "dtype": "",
        "state": "wrong",
        "error": 46.1,
        "detail": "bad_values: one [row]",
        "needs": [],
        "trivial": None,
        "corner": False,
    }
