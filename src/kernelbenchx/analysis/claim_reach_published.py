"""What both papers print about how far methods get."""

from collections import Counter
from collections.abc import Iterator

from kernelbenchx.analysis.claim_findings import PERCENT, RATIO, ClaimFinding, scale_interval
from kernelbenchx.analysis.claim_reach import MATH, TURNS
from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.published_attempts import attempts
from kernelbenchx.analysis.published_data import CARD_RATIO_WORST, METHODS, NEAR_ZERO, TASKS
from kernelbenchx.analysis.published_kernelbench_data import (
    CORRECT_WITHIN_TURNS,
    LEVELS,
    UNSOLVED_AT_100,
)


def reach_published() -> Iterator[ClaimFinding]:
    """Math by method, the worst ratio, ten turns, a hundred samples."""
    hits = Counter(one.method for one in attempts() if one.category == MATH and one.correct)
    n = TASKS[MATH]
    for method in METHODS:
        if method != NEAR_ZERO:
            yield ClaimFinding(
                claim="math_solved", subject=method, n=n, of="tasks", tasks=n, unit=PERCENT,
                **scale_interval(wilson(hits[method], n)),
                first=float(hits[method]), second=float(n), compared="hits, tasks",
            )  # fmt: skip
    yield ClaimFinding(
        claim="portability_worst", subject="6 GPUs", n=None, of="kernels", tasks=None, unit=RATIO,
        value=CARD_RATIO_WORST, printed_first=CARD_RATIO_WORST,
    )  # fmt: skip
    model, exceeded = CORRECT_WITHIN_TURNS
    yield ClaimFinding(
        claim="correct_within_turns", subject=f"{model}, 1 to {TURNS} turns", n=None, of="problems",
        tasks=None, unit=PERCENT, printed_first=float(exceeded), note=f"over {exceeded} is printed",
    )  # fmt: skip
    model, level, unsolved = UNSOLVED_AT_100
    n = LEVELS[level]
    yield ClaimFinding(
        claim="wall_of_samples", subject=f"{model}, level {level}, k=100", n=n, of="problems",
        tasks=n, unit=PERCENT, low=scale_interval(wilson(unsolved, n))["low"], high=100.0,
        first=float(unsolved), second=float(n), compared="unsolved problems, all problems",
        printed_first=float(unsolved), note="a lower bound: only convolutions are named",
    )  # fmt: skip
