import sqlite3
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, Tier, Timed, Unmeasured
from kernelbenchx.store.schema import prepare
from kernelbenchx.store.timings import (
    columns_of,
    keep_timings,
    restore_samples,
    weaker_columns_of,
    without_samples,
)
from samples import evaluation, timed


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        prepare(fresh)
        yield fresh


def _count(connection: sqlite3.Connection, table: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(count)


def test_a_row_per_comparison_and_per_sample(connection: sqlite3.Connection) -> None:
    keep_timings(connection, "a", evaluation(performance=timed(baselines=("eager", "compile"))))
    keep_timings(connection, "b", evaluation(performance=timed()))
    assert (_count(connection, "timings"), _count(connection, "samples")) == (8 + 4, 32 + 16)
    keep_timings(connection, "a", evaluation())
    assert (_count(connection, "timings"), _count(connection, "samples")) == (4, 16)


def test_samples_are_taken_out_and_put_back(connection: sqlite3.Connection) -> None:
    whole = evaluation(performance=timed(baselines=("eager", "compile"), tier=Tier.HOST_TIMED))
    keep_timings(connection, "a", whole)
    bare = without_samples(whole)
    assert isinstance(bare.performance, Timed)
    assert not any(one.samples for case in bare.performance.cases for one in case.comparisons)
    assert restore_samples(connection, "a", bare) == whole
    assert restore_samples(connection, "unknown", bare) == bare
    assert (
        without_samples(evaluation())
        == restore_samples(connection, "a", evaluation())
        == evaluation()
    )


def test_core_times_lie_apart_and_without_samples(connection: sqlite3.Connection) -> None:
    one = msgspec.structs.replace(evaluation(), core_performance=timed(2.0))
    keep_timings(connection, "a", one)
    assert (_count(connection, "timings"), _count(connection, "core_timings")) == (0, 4)
    assert _count(connection, "samples") == 0
    bare = without_samples(one).core_performance
    assert isinstance(bare, Timed) and bare.speedups == timed(2.0).speedups
    assert not any(each.samples for case in bare.cases for each in case.comparisons)
    assert columns_of(one) == columns_of(evaluation())
    assert weaker_columns_of(one.core_performance) == ("timed", "", 2.0, 1.96, 2.04, "faster")
    assert weaker_columns_of(None) == ("", "", None, None, None, "")
    keep_timings(connection, "a", evaluation())
    assert _count(connection, "core_timings") == 0


def test_columns_say_what_became_of_the_times() -> None:
    assert columns_of(evaluation()) == ("", "", "", None, None, None, "", None)
    failed = Failed(case="n=3", reason=Reason.LATE, detail="after the clock")
    assert columns_of(evaluation(performance=failed))[:3] == ("failed", "late", "")
    lost = Unmeasured(reason=Reason.IMPOSSIBLE, detail="beyond the bandwidth")
    assert columns_of(evaluation(performance=lost))[:3] == ("unmeasured", "impossible", "")
    good = columns_of(evaluation(performance=timed(0.5)))
    assert good[:4] == ("timed", "", "replay", 0.5) and good[6] == "slower"
