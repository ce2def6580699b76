import subprocess
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from export.lines_of_attempts import RIGHT, ROUNDS, write_line
from kernelbenchx.analysis.steps import CHANGES, Kind
from kernelbenchx.core.errors import BadInput
from kernelbenchx.export.corpus import (
    AT_ONCE,
    LONGEST_REMARK,
    MOST_LINES,
    MOST_REMARKS,
    CorpusCounts,
    diff_sources,
    transitions,
)
from kernelbenchx.export.transition import KernelTransition
from kernelbenchx.store.attempts import read_attempts
from many_runs import write_run
from samples import timed


def _rows(run: Path) -> tuple[list[KernelTransition], CorpusCounts]:
    counts = CorpusCounts()
    return list(transitions(read_attempts([run]), counts)), counts


def test_every_change_is_a_row_and_the_rest_is_counted(line: Path) -> None:
    rows, counts = _rows(line)
    told = [(row.kind, row.before.round, row.after.round) for row in rows]
    assert told == [("fail_to_pass", 1, 2), ("faster", 2, 3), ("pass_to_fail", 5, 6)]
    assert counts.kinds == {
        Kind.STILL_FAILS: 1,
        Kind.FAIL_TO_PASS: 1,
        Kind.FASTER: 1,
        Kind.WITHIN_NOISE: 1,
        Kind.SAME_CODE: 1,
        Kind.PASS_TO_FAIL: 1,
    }
    assert counts.row_count == 3 and counts.tasks == {"activation/relu"}
    assert counts.authors.total() == 3
    assert rows[0].noise_floor == pytest.approx(0.5)  # the same code, once 2 and once 3


def test_a_kernel_that_runs_at_last_is_a_row_though_it_is_wrong(tmp_path: Path) -> None:
    broken, off = ROUNDS[1], ROUNDS[-1]
    again = (off[0], None, "sixth\n")
    rows, counts = _rows(write_line(tmp_path / "run", [broken, off, again, broken]))
    told = [(row.kind, row.before.outcome, row.after.outcome) for row in rows]
    assert told == [
        ("call_fail_to_pass", "broken", "wrong"),
        ("call_pass_to_fail", "wrong", "broken"),
    ]
    assert counts.kinds[Kind.STILL_FAILS] == 1, "wrong in both"
    assert rows[0].factor is None and rows[0].before.reason == "compile_error"


def test_speed_counts_where_noise_is_not_known_to_be_larger(line: Path) -> None:
    attempts = [one for one in read_attempts([line]) if one.round != 4]
    counts = CorpusCounts()
    rows = list(transitions(attempts, counts))
    assert [row.kind for row in rows] == ["fail_to_pass", "faster", "faster", "pass_to_fail"]
    faster = rows[1]
    assert faster.factor == pytest.approx(2.0) and faster.noise_floor is None
    assert [one.baseline for one in faster.after.speedups] == ["eager", "torch.compile"]
    over = faster.after.speedups[0]
    assert over.low and over.speedup and over.high and over.low < over.speedup < over.high
    assert counts.floors == {"NVIDIA H200": None}
    assert not rows[2].by_parent and faster.by_parent


def test_both_sources_and_their_difference(line: Path) -> None:
    row = _rows(line)[0][0]
    assert (row.before.source, row.after.source) == ("broken\n", "second\nkept\n")
    assert row.diff == "--- before\n+++ after\n@@ -1 +1,2 @@\n-broken\n+second\n+kept\n"
    assert (row.before.outcome, row.before.reason, row.before.line) == (
        "broken",
        "compile_error",
        2,
    )
    assert row.by_parent and row.model == "m|<b>" and row.gpu == "NVIDIA H200"
    last = _rows(line)[0][-1].after
    assert (last.case, last.pattern, last.detail) == ("n=3", "a row", "off")


def test_findings_are_short(line: Path) -> None:
    attempts = [one for one in read_attempts([line]) if one.round in (0, 2)]
    (row,) = transitions(attempts, CorpusCounts())
    assert len(row.before.findings) == MOST_REMARKS
    assert {len(one.why) for one in row.before.findings} == {LONGEST_REMARK}
    assert row.after.findings == ()


def test_steps_come_one_by_one_and_whole(tmp_path: Path) -> None:
    write_run(tmp_path, tasks=60, methods=5, rounds=3)
    counts = CorpusCounts()
    found = transitions(read_attempts([tmp_path]), counts)
    first = next(found)
    assert counts.row_count == 1  # the others have not been looked at yet
    rows = [first, *found]
    assert len(rows) == counts.row_count > AT_ONCE
    assert all(row.before.source and row.after.source and row.diff for row in rows)
    assert all(row.before.digest != row.after.digest for row in rows)
    assert {row.kind for row in rows} == {kind.value for kind in CHANGES}


@pytest.mark.parametrize(
    ("after", "kinds"),
    [
        ("x = 1\n", []),
        ("# faster now\nx  =  (1)\n", []),
        ("x = 2\n", ["faster"]),
        ("# x = 1\n", ["faster"]),
    ],
)
def test_another_layout_is_no_other_code(tmp_path: Path, after: str, kinds: list[str]) -> None:
    write_line(tmp_path, [(RIGHT, timed(1.0), "x = 1\n"), (RIGHT, timed(2.0), after)])
    rows, counts = _rows(tmp_path)
    assert [row.kind for row in rows] == kinds
    assert counts.kinds[Kind.SAME_CODE] == 1 - len(kinds)
    assert counts.row_count == counts.authors.total() == len(counts.tasks) == len(kinds)


@pytest.mark.parametrize(
    ("after", "kinds"), [("x = 1\ny = 0x400\n", []), ("x = 1\ny = 0x401\n", ["fail_to_pass"])]
)
def test_another_verdict_on_the_same_code_is_no_gain(
    tmp_path: Path, after: str, kinds: list[str]
) -> None:
    write_line(tmp_path, [(ROUNDS[1][0], None, "x = 1; y = 1_024\n"), (RIGHT, None, after)])
    rows, counts = _rows(tmp_path)
    assert [row.kind for row in rows] == kinds
    assert counts.kinds[Kind.SAME_CODE] == 1 - len(kinds)


def test_a_run_that_lost_an_evaluation_is_noticed(line: Path) -> None:
    attempts = [one for one in read_attempts([line]) if one.round in (1, 2)]
    gone = [replace(attempts[0], key="0" * 63 + "x"), *attempts[1:]]
    with pytest.raises(BadInput, match="changed while it was read"):
        list(transitions(gone, CorpusCounts()))


LONG = "".join(f"x = {number % 101}\n" for number in range(2 * MOST_LINES))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a\nb", "a\nb\n"),
        ("", "a\n"),
        ("a\n", ""),
        ("a\x0cb\u2028c\r\nd\n", "a\x0cB\u2028c\r\nd\n"),
        (LONG, LONG + "end"),
        ("short\n", LONG),
    ],
)
def test_the_difference_makes_the_second_of_the_first(
    before: str, after: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(before.encode())
    said = (
        diff_sources(before, after)
        .replace("--- before", "--- file")
        .replace("+++ after", "+++ file")
    )
    subprocess.run(
        ["git", "apply", "-p0", "--unidiff-zero", "-"],
        input=said.encode(),
        cwd=tmp_path,
        check=True,
    )
    assert file.read_bytes() == after.encode()


def test_equal_sources_do_not_differ() -> None:
    assert diff_sources("a\n", "a\n") == "" == diff_sources(LONG, LONG)


def test_lines_that_repeat_take_no_time() -> None:
    other = "".join(f"x = {number * 7 % 101}\n" for number in range(2 * MOST_LINES))
    begun = time.process_time()
    said = diff_sources(LONG, other)
    assert time.process_time() - begun < 1
    assert said.count("\n-") == said.count("\n+x") == 2 * MOST_LINES
