"""Task by method and GPU: results of the attempts, and the fastest of them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import gpu_of
from kernelbenchx.core.solved import is_solved
from kernelbenchx.report.site_layout import Site, SiteAttempt

Place = tuple[int, int, int]
"""Task, method and GPU."""


def gpus(site: Site) -> list[str]:
    """Where attempts ran, the most used first."""
    found = Counter(gpu_of(one.attempt) for one in site.placed)
    return [name for name, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))]


def cells(site: Site) -> list[dict[str, Any]]:
    """One for every combination that was tried.

    Rates are about kernels kept at the end, as everywhere; the fastest, and whether the task is
    solved, are about any.
    """
    named = gpus(site)
    every: dict[Place, list[SiteAttempt]] = defaultdict(list)
    methods = {name: at for at, name in enumerate(site.methods)}
    for number, task in enumerate(site.tasks):
        for one in site.by_task[task]:
            attempt = one.attempt
            place = number, methods[attempt.method], named.index(gpu_of(attempt))
            every[place].append(one)
    standing = {one.key for one in site.frame.last.attempts}
    return [_cell(place, placed, standing) for place, placed in sorted(every.items())]


def _cell(place: Place, placed: Sequence[SiteAttempt], standing: set[str]) -> dict[str, Any]:
    task, method, gpu = place
    last = [one.attempt for one in placed if one.attempt.key in standing]
    best = fastest(placed)
    speed = best.attempt.eager if best else None
    return {
        "task": task,
        "method": method,
        "gpu": gpu,
        "attempts": len(placed),
        "n": len(last),
        "called": sum(one.called for one in last),
        "correct": sum(one.correct for one in last),
        "solved": is_solved(one.attempt for one in placed if not one.attempt.unsound),
        "faster": sum(_faster(one) for one in last),
        "speedup": speed.speedup if speed else None,
        "low": speed.low if speed else None,
        "high": speed.high if speed else None,
        "speed_class": speed.speed_class if speed else "",
        "best": best.address if best else "",
    }


def _faster(one: Attempt) -> bool:
    return one.timed and one.eager is not None and one.eager.speed_class == "faster"


def fastest(placed: Sequence[SiteAttempt]) -> SiteAttempt | None:
    """Of those whose times can be trusted."""
    timed = [one for one in placed if one.attempt.timed]
    return max(timed, key=_speedup, default=None)


def _speedup(one: SiteAttempt) -> float:
    return one.attempt.eager.speedup if one.attempt.eager else 0.0
