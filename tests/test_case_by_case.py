"""The table of failing cases that scripts/case_by_case.py prints."""

import json
from pathlib import Path

import msgspec
import pytest

from kernelbenchx.core.outcome import CaseResult, CaseState
from samples import evaluation
from script_files import script

ROWS = script("case_by_case")
CASES = (
    CaseResult("a", CaseState.PASSED),
    CaseResult("b", CaseState.WRONG, detail="bad_values: 4 of 480 elements"),
    CaseResult("c", CaseState.WRONG, detail="bad_values: 1 of 8 elements"),
    CaseResult("d", CaseState.BROKEN, detail="runtime_error: TypeError: int | None"),
    CaseResult("e", CaseState.NOT_REACHED),
)


def test_there_is_a_row_for_each_kind_of_failure() -> None:
    one = msgspec.structs.replace(evaluation("r1"), cases=CASES)
    head = f"r1 | {one.task.rpartition('/')[2]} | 1 of 5"
    assert list(ROWS.rows(one)) == [
        f"{head} | wrong: bad_values | `b`; `c`",
        f"{head} | broken: runtime_error: TypeError: int \\| None | `d`",
        f"{head} | not_reached | `e`",
    ]
    passing = msgspec.structs.replace(one, cases=CASES[:1] * 5)
    assert list(ROWS.rows(passing)) == [f"{head.replace('1 of', '5 of')} |  | "]


def test_only_some_cases_are_named_and_the_others_counted() -> None:
    one = msgspec.structs.replace(evaluation("r1"), cases=CASES[1:2] * 5)
    (row,) = ROWS.rows(one)
    assert row.endswith("| `b`; `b`; `b`; and 2 more")


@pytest.mark.usefixtures("warm_workers")
def test_the_wanted_kernels_of_a_data_set_are_evaluated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "import os\n\ndef relu(input, inplace=False):\n    raise ValueError('never')\n"
    rows = [{"id": name, "file": "activation/relu.py", "predict": source} for name in ("r1", "r2")]
    file = tmp_path / "kernels.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ROWS.main(str(file), {"r2"})
    _, _, *said = capsys.readouterr().out.splitlines()
    assert said and all(line.startswith("| r2 | relu | 0 of ") for line in said)
    assert "broken: runtime_error: ValueError: never" in said[0], "and not rejected for `os`"
