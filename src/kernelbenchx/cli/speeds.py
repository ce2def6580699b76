"""How fast a run's kernels are together, in lines: pure and mixed apart, nothing left out."""

from collections import Counter
from collections.abc import Iterator, Sequence

from kernelbenchx.cli.figures import counted, factor, interval
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.performance import Failed, Tier, Timed, Unmeasured
from kernelbenchx.measure.suite import MeanSpeedup, Row, Standing, suite

TRIED_AGAIN = "never scored; run again to try again"


def summarized(evaluations: Sequence[Evaluation]) -> list[str]:
    """Nothing where no times were asked for."""
    times = [one.performance for one in evaluations]
    timed = [one for one in times if isinstance(one, Timed)]
    failed = Counter(one.reason.value for one in times if isinstance(one, Failed))
    lost = Counter(one.reason.value for one in times if isinstance(one, Unmeasured))
    lines = list(_means(evaluations, timed))
    if timed:
        replayed = sum(one.tier is Tier.REPLAY for one in timed)
        lines.append(f"{replayed} of {len(timed)} timed without a line of their Python (replay)")
    if failed:
        lines.append(f"{_reasons(failed, 'failed while timed')}: correct, but no speed is claimed")
    if lost:
        lines.append(f"{_reasons(lost, 'unmeasured')}: {TRIED_AGAIN}")
    return lines


def _means(evaluations: Sequence[Evaluation], timed: Sequence[Timed]) -> Iterator[str]:
    cards = {one.card.name for one in timed}
    if len(cards) > 1:
        yield f"times of {' and '.join(sorted(cards))} are not pooled: no mean"
        return
    for baseline in dict.fromkeys(over.baseline for one in timed for over in one.speedups):
        for row in suite(evaluations, baseline):
            if row.mean is not None:
                yield _mean(row, row.mean, baseline)


def _mean(row: Row, mean: MeanSpeedup, baseline: str) -> str:
    slower = row.shares[Standing.SLOWER]
    kernels = sum(row.counts[word] for word in _WITH_TIMES)
    if mean.low is None or mean.high is None:
        said = f"{factor(mean.speedup)}x"
    else:
        said = interval(mean.speedup, mean.low, mean.high)
    return (
        f"{row.composition.value}: {said} over {baseline} by device time "
        f"(geometric mean of {counted(mean.tasks, 'task')}); "
        f"slower: {slower.count} of {kernels} ({slower.count / kernels:.0%})"
    )


_WITH_TIMES = (Standing.FASTER, Standing.SLOWER, Standing.TIE, Standing.UNDECIDED)


def _reasons(reasons: Counter[str], word: str) -> str:
    named = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return f"{reasons.total()} {word} ({named})"
