"""What both papers print about their own claims, with intervals where they give what one needs."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kernelbenchx.analysis.claim_deviance import Difference, difference, findings
from kernelbenchx.analysis.claim_findings import (
    PERCENT,
    POINTS,
    RATIO,
    ClaimFinding,
    scale_interval,
)
from kernelbenchx.analysis.claim_reach_published import reach_published
from kernelbenchx.analysis.claim_rounds import net_of
from kernelbenchx.analysis.claim_statements import BY_NAME, NO_NUMBER, OURS, STATEMENTS
from kernelbenchx.analysis.intervals import (
    Clusters,
    geometric_means,
    newcombe,
    paired_difference,
    wilson,
)
from kernelbenchx.analysis.published_attempts import TaskArrangement, attempts, count_of, successes
from kernelbenchx.analysis.published_corpus import RESCUED, RISEN
from kernelbenchx.analysis.published_data import (
    CARD_RATIO_MEDIAN,
    CATEGORY_GIVEN_METHOD,
    CORRECT_DEVIANCE,
    FUSION_FAILING_EVERYWHERE,
    METHOD_GIVEN_CATEGORY,
    NEAR_ZERO,
    ROUNDS,
    SLOWER_THAN_EAGER,
    TASKS,
    TRANSITIONS,
)
from kernelbenchx.analysis.published_kernelbench import count_from_percent
from kernelbenchx.analysis.published_kernelbench_data import (
    LEVELS,
    SAMPLED_AT_100,
    TABLE_1,
    TABLE_2,
    TURNS,
)
from kernelbenchx.analysis.published_models import is_correct

EVERY = sum(TASKS.values())
REGRESSED = {"0 to 1": 0, "1 to 2": 1}
"""Kernels that were correct before a round and not after it, in the corpus of iterations."""


def published_findings() -> list[ClaimFinding]:
    """In the order of the statements; one that nothing is printed about says so. Ours are in no
    paper, and have no row."""
    found = [*_tasks(), *_rounds(), *_kernelbench(), *reach_published()]
    known = {one.claim for one in found}
    found += [
        ClaimFinding(claim=one.name, subject="", n=None, of="", tasks=None, unit="", note=NO_NUMBER)
        for one in STATEMENTS
        if one.name not in known and one.paper != OURS
    ]
    order = list(BY_NAME)
    return sorted(found, key=lambda one: order.index(one.claim))


def _tasks() -> Iterator[ClaimFinding]:
    yield from _deviance()
    n = TASKS["Fusion"]
    failing = round(FUSION_FAILING_EVERYWHERE * n / 100.0)
    yield ClaimFinding(
        claim="fusion_unsolved", subject="", n=n, of="tasks", tasks=n, unit=PERCENT,
        **scale_interval(wilson(failing, n)), first=failing, second=n,
        compared="unsolved tasks, all tasks", printed_first=FUSION_FAILING_EVERYWHERE,
    )  # fmt: skip
    yield _quantization()
    yield _conversion()
    yield ClaimFinding(
        claim="slower_than_eager", subject="6 GPUs", n=None, of="kernels", tasks=None, unit=PERCENT,
        value=SLOWER_THAN_EAGER, printed_first=SLOWER_THAN_EAGER,
    )  # fmt: skip
    yield ClaimFinding(
        claim="portability", subject="6 GPUs", n=None, of="kernels", tasks=None, unit=RATIO,
        value=CARD_RATIO_MEDIAN, printed_first=CARD_RATIO_MEDIAN,
    )  # fmt: skip


def _deviance() -> Iterator[ClaimFinding]:
    """By the paper's four methods. Values are halfway between those of both arrangements of tasks;
    the interval covers both."""
    every = [difference(successes(is_correct, arrangement=one)) for one in TaskArrangement]
    hull = Difference(
        np.mean([one.value for one in every], axis=0),
        np.min([one.low for one in every], axis=0),
        np.max([one.high for one in every], axis=0),
        np.mean([one.parts for one in every], axis=0),
    )
    printed = (
        (CORRECT_DEVIANCE.category, CORRECT_DEVIANCE.method),
        (CATEGORY_GIVEN_METHOD, METHOD_GIVEN_CATEGORY),
    )
    found = findings(successes(is_correct), hull, "four methods")
    for one, scale, pair, least, most in zip(
        found, (100.0, 1.0), printed, *np.sort([one.value for one in every], axis=0), strict=True
    ):
        yield replace(
            one,
            printed_first=pair[0],
            printed_second=pair[1],
            note=f"between {scale * least:.3g} and {scale * most:.3g}, by which tasks were solved;"
            " the printed numbers are of the paper's model, not corrected; with the fifth method,"
            " method is ahead",
        )


def _quantization() -> ClaimFinding:
    own = [one for one in attempts() if one.category == "Quantization"]
    tasks = np.unique([one.task for one in own], return_inverse=True)[1]
    found = Clusters(tasks).shares([one.correct for one in own]).at(0)
    return ClaimFinding(
        claim="quantization_zero", subject="five methods", n=len(own),
        of=f"attempts at {TASKS['Quantization']} tasks", tasks=TASKS["Quantization"],
        unit=PERCENT, **scale_interval(found), first=0.0, second=float(len(own)),
        compared="hits, attempts", printed_first=0.0,
        note="attempts at one task are not independent: as many draws as tasks",
    )  # fmt: skip


def _conversion() -> ClaimFinding:
    """Of the counts of Tables 3 and 4. How many tasks the kernels are of depends on which tasks
    were solved: the value is halfway between those of both arrangements, the ends cover both."""
    every = []
    for arrangement in TaskArrangement:
        ran = [one for one in attempts(arrangement) if one.called and one.method != NEAR_ZERO]
        tasks = np.unique([one.task for one in ran], return_inverse=True)[1]
        every.append(Clusters(tasks).shares([one.correct for one in ran]))
    found = [100.0 * float(one.value[0]) for one in every]
    right = sum(one.correct for one in ran)
    return ClaimFinding(
        claim="compile_not_correct", subject="four methods", n=len(ran), of="kernels",
        tasks=min(int(one.tasks[0]) for one in every), unit=PERCENT, value=sum(found) / 2.0,
        low=100.0 * min(float(one.low[0]) for one in every),
        high=100.0 * max(float(one.high[0]) for one in every),
        first=right, second=len(ran), compared="hits, kernels",
        note=f"between {min(found):.3g} and {max(found):.3g}, by which tasks were solved;"
        f" {100.0 * right / len(ran):.3g} of all kernels together",
    )  # fmt: skip


def _rounds() -> Iterator[ClaimFinding]:
    first, last = (ROUNDS[number] for number in (min(ROUNDS), max(ROUNDS)))
    gained, lost = sum(map(len, RESCUED.values())), sum(REGRESSED.values())
    # Which is known by task: what the corpus does not list did not change.
    apart = [1.0] * gained + [-1.0] * lost + [0.0] * (EVERY - gained - lost)
    yield ClaimFinding(
        claim="refinement_repairs", subject="GEAK, rounds 0 to 2", n=EVERY, of="tasks",
        tasks=EVERY, unit=POINTS, **scale_interval(paired_difference(apart)),
        first=100 * count_of(first.correct, EVERY) / EVERY,
        second=100 * count_of(last.correct, EVERY) / EVERY,
        compared="percent correct before, after", printed_first=first.correct,
        printed_second=last.correct,
    )  # fmt: skip
    for rounds, printed in TRANSITIONS.items():
        subject = f"GEAK, rounds {rounds}"
        rescued, regressed = len(RESCUED[rounds]), REGRESSED[rounds]
        place = np.arange(EVERY)
        yield net_of(place < rescued, place >= EVERY - regressed, place, subject)
        gains = [after / before for before, after in RISEN[rounds].values()]
        found = geometric_means(gains, np.arange(len(gains))).at(0)
        yield ClaimFinding(
            claim="refinement_no_speedup", subject=subject, n=len(gains),
            of=f"kernels that gained, of {printed.persistent}", tasks=len(gains), unit=RATIO,
            low=0.0, high=found.high, first=found.value, compared="gain of those that gained",
            note="an upper bound: the others did not gain",
        )  # fmt: skip
        new = [one for one in RESCUED[rounds].values() if one is not None]
        mean, over = sum(new) / len(new), printed.persistent_speedup
        yield ClaimFinding(
            claim="rescued_slower", subject=subject, n=len(new),
            of=f"rescued kernels with a time, of {rescued}", tasks=len(new), unit=RATIO,
            value=mean / over, first=mean, second=over,
            compared="arithmetic mean of rescued, of persistent",
            printed_first=printed.rescued_speedup, printed_second=over,
        )  # fmt: skip


def _kernelbench() -> Iterator[ClaimFinding]:
    every = sum(LEVELS.values())
    for model, percents in TABLE_1.items():
        hits = _count_hits(percents)
        yield ClaimFinding(
            claim="under_20_percent", subject=f"{model}, all levels", n=every, of="problems",
            tasks=every, unit=PERCENT, **scale_interval(wilson(hits, every)),
            first=hits, second=every, compared="beaten problems, all problems",
        )  # fmt: skip
    model, level, once, hundred = SAMPLED_AT_100
    yield _gain("gain_by_samples", f"{model}, level {level}, k=1 to 100", level, once, hundred)
    for model, by_level in TABLE_2.items():
        for level, told in by_level.items():
            once = TABLE_1[model][level - 1]
            subject = f"{model}, level {level}, 1 to {TURNS} turns"
            yield _gain("gain_by_turns", subject, level, once, told[-1])
        pooled = [_count_hits(tuple(row[kind] for row in by_level.values())) for kind in range(3)]
        for at, claim in enumerate(("gain_by_execution_feedback", "gain_by_profile")):
            yield _difference(
                claim, f"{model}, all levels", (pooled[at], pooled[at + 1]), every, (None, None)
            )


def _count_hits(percents: tuple[int, ...]) -> int:
    """Problems of all levels together; every one of these is a whole number."""
    found = [
        count_from_percent(percent, level) for level, percent in zip(LEVELS, percents, strict=True)
    ]
    return sum(one for one in found if one is not None)


def _gain(claim: str, subject: str, level: int, before: float, after: float) -> ClaimFinding:
    n = LEVELS[level]
    hits = (round(before * n / 100), round(after * n / 100))
    return _difference(claim, subject, hits, n, (before, after))


def _difference(
    claim: str,
    subject: str,
    hits: tuple[int, int],
    n: int,
    printed: tuple[float | None, float | None],
) -> ClaimFinding:
    return ClaimFinding(
        claim=claim, subject=subject, n=n, of="problems", tasks=n, unit=POINTS,
        **scale_interval(newcombe(hits[0], hits[1], n)), first=100 * hits[0] / n,
        second=100 * hits[1] / n, compared="fast_1 in percent, before and after",
        printed_first=printed[0], printed_second=printed[1],
    )  # fmt: skip
