"""Times in tables of their own: a row per comparison, a row per raw sample.

A record is kept without its samples, which are most of it; reading puts them back. Times of
submissions that are only core correct have a table of their own, and no samples are kept of them.
"""

import sqlite3
from collections.abc import Iterator

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.headline import headline
from kernelbenchx.core.performance import (
    Comparison,
    Failed,
    Performance,
    Sample,
    Timed,
    TimedCase,
    Unmeasured,
)

_TIMING = f"INSERT INTO {{table}} VALUES ({', '.join('?' * 21)})"
_SAMPLE = f"INSERT INTO samples VALUES ({', '.join('?' * 9)})"
_SAMPLES = """
SELECT case_name, baseline, clock, tier, pair, block, candidate_us, baseline_us
FROM samples WHERE key = ? ORDER BY rowid
"""

_MEASURED = """
SELECT samples.key FROM evaluations AS copy
JOIN evaluations AS measured ON measured.content_key = copy.content_key
JOIN samples ON samples.key = measured.key
WHERE copy.key = ? AND copy.content_key <> '' LIMIT 1
"""


def keep_timings(connection: sqlite3.Connection, key: str, evaluation: Evaluation) -> None:
    """Replace the rows of one evaluation, within the caller's transaction."""
    for table in ("timings", "samples", "core_timings", "basic_timings"):
        connection.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
    weaker = (
        ("core_timings", evaluation.core_performance),
        (
            "basic_timings",
            evaluation.basic_performance,
        ),
    )
    for table, found in weaker:
        for case in found.cases if isinstance(found, Timed) else ():
            rows = [(key, *_flatten_comparison(case, one)) for one in case.comparisons]
            connection.executemany(_TIMING.format(table=table), rows)
    if not isinstance(evaluation.performance, Timed):
        return
    for case in evaluation.performance.cases:
        for one in case.comparisons:
            connection.execute(
                _TIMING.format(table="timings"), (key, *_flatten_comparison(case, one))
            )
            named = (key, case.case, one.baseline, one.clock.value, one.tier.value)
            samples = [
                (*named, sample.pair, sample.block, sample.candidate_us, sample.baseline_us)
                for sample in one.samples
            ]
            connection.executemany(_SAMPLE, samples)


def columns_of(evaluation: Evaluation) -> tuple[object, ...]:
    """What the table of evaluations says of times: over eager, by device time."""
    row = headline(evaluation.performance)
    return (
        row.kind,
        _reason(evaluation.performance),
        row.tier.value if row.tier else "",
        row.speedup,
        row.low,
        row.high,
        row.speed_class.value if row.speed_class else "",
        row.score,
    )


def weaker_columns_of(performance: Performance | None) -> tuple[object, ...]:
    """The same of a submission that meets a weaker standard only."""
    row = headline(performance)
    speed_class = row.speed_class.value if row.speed_class else ""
    return (
        row.kind,
        _reason(performance),
        row.speedup,
        row.low,
        row.high,
        speed_class,
    )


def _reason(performance: Performance | None) -> str:
    return performance.reason.value if isinstance(performance, Failed | Unmeasured) else ""


def without_samples(evaluation: Evaluation) -> Evaluation:
    """The same with every comparison but none of what it was computed from."""
    bare = msgspec.structs.replace(
        evaluation,
        core_performance=_add_samples(evaluation.core_performance, {}),
        basic_performance=_add_samples(evaluation.basic_performance, {}),
    )
    return _with_samples(bare, {})


def restore_samples(connection: sqlite3.Connection, key: str, evaluation: Evaluation) -> Evaluation:
    """The same with its raw samples again."""
    if not isinstance(evaluation.performance, Timed):
        return evaluation
    found: dict[tuple[str, ...], list[Sample]] = {}
    rows = connection.execute(_SAMPLES, (key_with_samples(connection, key),))
    for *named, pair, block, candidate_us, baseline_us in rows:
        found.setdefault(tuple(named), []).append(
            Sample(pair=pair, block=block, candidate_us=candidate_us, baseline_us=baseline_us)
        )
    return _with_samples(evaluation, found)


def key_with_samples(connection: sqlite3.Connection, key: str) -> str:
    """Samples lie once in a run, under the row that was measured: its own key, or that of a row
    with the same content."""
    own = connection.execute("SELECT 1 FROM samples WHERE key = ? LIMIT 1", (key,)).fetchone()
    other = None if own else connection.execute(_MEASURED, (key,)).fetchone()
    return str(other[0]) if other else key


def _with_samples(evaluation: Evaluation, found: dict[tuple[str, ...], list[Sample]]) -> Evaluation:
    return msgspec.structs.replace(
        evaluation, performance=_add_samples(evaluation.performance, found)
    )


def _add_samples(
    performance: Performance | None, found: dict[tuple[str, ...], list[Sample]]
) -> Performance | None:
    if not isinstance(performance, Timed):
        return performance

    def restore_comparisons(case: TimedCase) -> Iterator[Comparison]:
        for one in case.comparisons:
            named = (case.case, one.baseline, one.clock.value, one.tier.value)
            yield msgspec.structs.replace(one, samples=tuple(found.get(named, ())))

    cases = tuple(
        msgspec.structs.replace(case, comparisons=tuple(restore_comparisons(case)))
        for case in performance.cases
    )
    return msgspec.structs.replace(performance, cases=cases)


def _flatten_comparison(case: TimedCase, one: Comparison) -> tuple[object, ...]:
    reached = case.efficiency
    return (
        case.case,
        one.baseline,
        one.clock.value,
        one.tier.value,
        one.candidate_us,
        one.baseline_us,
        one.speedup,
        one.low,
        one.high,
        one.speed_class.value,
        int(case.overhead_bound),
        reached.gb_per_s,
        reached.tflops,
        reached.iou,
        reached.mfu,
        reached.score,
        reached.score_spec,
        reached.roofline_us,
        case.judged_outputs,
        "; ".join(case.flags),
    )
