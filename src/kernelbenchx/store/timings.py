"""Times in tables of their own: a row per comparison, a row per raw sample.

A record is kept without its samples, which are most of it; reading puts them back.
"""

import sqlite3
from collections.abc import Iterator

import msgspec

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.headline import headline
from kernelbenchx.core.performance import Comparison, Failed, Sample, Timed, TimedCase, Unmeasured

_TIMING = f"INSERT INTO timings VALUES ({', '.join('?' * 21)})"
_SAMPLE = f"INSERT INTO samples VALUES ({', '.join('?' * 9)})"
_SAMPLES = """
SELECT case_name, baseline, clock, tier, pair, block, candidate_us, baseline_us
FROM samples WHERE key = ? ORDER BY rowid
"""


def keep_timings(connection: sqlite3.Connection, key: str, evaluation: Evaluation) -> None:
    """Replace the rows of one evaluation, within the caller's transaction."""
    for table in ("timings", "samples"):
        connection.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
    if not isinstance(evaluation.performance, Timed):
        return
    for case in evaluation.performance.cases:
        for one in case.comparisons:
            connection.execute(_TIMING, (key, *_compared(case, one)))
            named = (key, case.case, one.baseline, one.clock.value, one.tier.value)
            rows = [
                (*named, sample.pair, sample.block, sample.candidate_us, sample.baseline_us)
                for sample in one.samples
            ]
            connection.executemany(_SAMPLE, rows)


def columns_of(evaluation: Evaluation) -> tuple[object, ...]:
    """What the table of evaluations says of times: over eager, by device time."""
    row, performance = headline(evaluation.performance), evaluation.performance
    reason = performance.reason.value if isinstance(performance, Failed | Unmeasured) else ""
    return (
        row.kind,
        reason,
        row.tier.value if row.tier else "",
        row.speedup,
        row.low,
        row.high,
        row.pace.value if row.pace else "",
        row.score,
    )


def without_samples(evaluation: Evaluation) -> Evaluation:
    """The same with every comparison but none of what it was computed from."""
    return _with_samples(evaluation, {})


def restored(connection: sqlite3.Connection, key: str, evaluation: Evaluation) -> Evaluation:
    """The same with its raw samples again."""
    if not isinstance(evaluation.performance, Timed):
        return evaluation
    found: dict[tuple[str, ...], list[Sample]] = {}
    for *named, pair, block, candidate_us, baseline_us in connection.execute(_SAMPLES, (key,)):
        found.setdefault(tuple(named), []).append(
            Sample(pair=pair, block=block, candidate_us=candidate_us, baseline_us=baseline_us)
        )
    return _with_samples(evaluation, found)


def _with_samples(evaluation: Evaluation, found: dict[tuple[str, ...], list[Sample]]) -> Evaluation:
    performance = evaluation.performance
    if not isinstance(performance, Timed):
        return evaluation

    def compared(case: TimedCase) -> Iterator[Comparison]:
        for one in case.comparisons:
            named = (case.case, one.baseline, one.clock.value, one.tier.value)
            yield msgspec.structs.replace(one, samples=tuple(found.get(named, ())))

    cases = tuple(
        msgspec.structs.replace(case, comparisons=tuple(compared(case)))
        for case in performance.cases
    )
    return msgspec.structs.replace(
        evaluation, performance=msgspec.structs.replace(performance, cases=cases)
    )


def _compared(case: TimedCase, one: Comparison) -> tuple[object, ...]:
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
        one.pace.value,
        int(case.overhead_bound),
        reached.gb_per_s,
        reached.tflops,
        reached.iou,
        reached.mfu,
        reached.score,
        reached.score_spec,
        reached.limit_us,
        case.judged,
        "; ".join(case.flags),
    )
