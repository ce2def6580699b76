"""How often an ordinary run catches each near miss."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace as replaced

from kernelbenchx.certify.catching import Catcher
from kernelbenchx.core.record import Record
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.nearmisses.near_miss import NearMiss, near_misses

LEAST_RATE = 0.95
"""An ordinary run catches so large a share of all near misses, as a mean over seeds."""
CORNER_SEEDS = 3
"""One that corners catch under so many seeds counts as caught under all."""


class NearMissResult(Record, frozen=True, kw_only=True):
    """One near miss under several seeds."""

    task: str
    clause: str
    caught: int
    seeds: int
    by: str
    """The first case that caught it; empty if none did."""

    @property
    def rate(self) -> float:
        """The share of runs that catch it."""
        return self.caught / self.seeds

    @property
    def is_missing_axis(self) -> bool:
        """Whether most runs do not call what it breaks."""
        return self.rate < 0.5


def run_near_misses(
    tasks: Iterable[str],
    pipeline: Pipeline,
    seeds: Sequence[int],
    on_done: Callable[[NearMissResult], None],
) -> list[NearMissResult]:
    """All near misses of these tasks, in order."""
    found = []
    for task in tasks:
        catchers = [Catcher(replaced(pipeline, seed=seed)) for seed in seeds]
        for one in near_misses(task):
            result = _run_near_miss(one, catchers)
            on_done(result)
            found.append(result)
    return found


def _run_near_miss(one: NearMiss, catchers: Sequence[Catcher]) -> NearMissResult:
    submission = Submission(name="near miss", task=one.task, source=one.source())
    catches = []
    for catcher in catchers:
        catches.append(catcher.catch(submission))
        if len(catches) >= CORNER_SEEDS and all(caught and caught.corner for caught in catches):
            break
    by = [caught.by for caught in catches if caught]
    return NearMissResult(
        task=one.task,
        clause=one.clause,
        caught=len(by),
        seeds=len(catches),
        by=by[0] if by else "",
    )
