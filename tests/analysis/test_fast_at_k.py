"""At least one of k samples, and within so many turns: unbiased, and bounded without times."""

from itertools import combinations
from typing import Any

import pytest

from attempts_made import made, wrong
from kept_samples import RIGHT, WRONG, candidate, timed
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.fast_at_k import fast_at_k, within_turns
from kernelbenchx.analysis.frame import frame_of

OVER = {"t/a": (2.0, 1.2, 0.5, None), "t/b": (None, None, 0.9, None)}
"""Speed of each sample; None is wrong."""


def _samples() -> list[Attempt]:
    found = []
    for task, speeds in OVER.items():
        for at, over in enumerate(speeds):
            named = {"step": f"sample {at}", "sample": at, "key": f"{task}{at}"}
            named |= {"digest": f"{task}{at}", "submission": f"{task}{at}"}
            found.append(wrong(task, **named) if over is None else made(task, over, **named))
    return found


def _rows(attempts: list[Attempt], p: float, *, turns: bool = False) -> list[dict[str, Any]]:
    table = (within_turns if turns else fast_at_k)(frame_of(attempts), (1.0,), ())
    return [dict(row) for row in table.records() if row["p"] == p]


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_the_chance_is_the_share_of_all_choices_of_k_with_a_hit(p: float) -> None:
    rows = _rows(_samples(), p)
    assert [row["k"] for row in rows] == [1, 2, 3, 4]
    for row in rows:
        shares = []
        for speeds in OVER.values():
            hits = [over is not None and over > p for over in speeds]
            chosen = list(combinations(hits, row["k"]))
            shares.append(sum(map(any, chosen)) / len(chosen))
        assert row["share"] == pytest.approx(sum(shares) / 2)
        assert (row["tasks"], row["samples"]) == (2, 8)
        assert row["share_low"] < row["share"] < row["share_high"] or row["share"] == 1.0


def test_a_correct_kernel_without_a_time_makes_a_bound_and_stays_in_the_denominator() -> None:
    given = [*_samples(), made("t/b", sample=4, step="sample 4", key="x", digest="x",
                               submission="x", performance="unmeasured")]  # fmt: skip
    (one,) = [row for row in _rows(given, 1.0) if row["k"] == 1]
    assert one["samples"] == 9
    assert one["share"] == pytest.approx((2 / 4 + 0 / 5) / 2)
    assert one["at_most"] == pytest.approx((2 / 4 + 1 / 5) / 2)
    (correct,) = [row for row in _rows(given, 0.0) if row["k"] == 1]
    assert correct["share"] == correct["at_most"] == pytest.approx((3 / 4 + 2 / 5) / 2)


def test_without_times_only_correctness_can_be_asked() -> None:
    given = [made("t/a", step=f"sample {n}", sample=n, key=str(n), digest=str(n),
                  submission=str(n)) for n in range(2)]  # fmt: skip
    assert {row["p"] for row in fast_at_k(frame_of(given), (1.0,), ()).records()} == {0.0}


def test_turns_count_what_was_written_so_far_also_where_it_was_not_kept() -> None:
    given = [
        candidate("t/a", 0, 0, WRONG, right=False),
        candidate("t/a", 1, 0, WRONG, right=True, **timed(2.0)),
        candidate("t/a", 2, 0, RIGHT, right=False),
        candidate("t/b", 0, 0, WRONG, right=False),
        candidate("t/b", 1, 0, WRONG, right=False),
        candidate("t/b", 2, 0, WRONG, right=True, performance="unmeasured"),
    ]
    solved = _rows(given, 0.0, turns=True)
    assert [(row["turns"], row["share"], row["lines"]) for row in solved] == [
        (1, 0.0, 2), (2, 0.5, 2), (3, 1.0, 2),
    ]  # fmt: skip
    fast = _rows(given, 1.0, turns=True)
    assert [(row["share"], row["at_most"]) for row in fast] == [(0.0, 0.0), (0.5, 0.5), (0.5, 1.0)]


def test_nothing_gives_no_rows() -> None:
    assert _rows([], 0.0) == _rows([], 0.0, turns=True) == []
