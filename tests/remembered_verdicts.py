"""Verdicts by content: what several runs hand in for a task is judged once, and timed as wanted.

The judging is real. It is done once for each task, source and seed, however many runs of a test
hand in the same; a second object judges everything anew. Where times are asked for, they follow
from the source: there is no card.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import pytest

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Correct, Stage
from kernelbenchx.core.performance import Performance
from kernelbenchx.core.settings import ResolvedSettings, Settings, resolve_for
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.evaluate.slot_scheduler import Turn

Times = Callable[[str], Performance]
"""Of a correct source."""
Content = tuple[str, str, int]
"""Task, digest of the source and seed."""


@dataclass
class Verdicts:
    """Kept for as long as a test wants."""

    kept: dict[Content, Evaluation] = field(default_factory=dict)
    _locks: dict[Content, threading.Lock] = field(default_factory=dict)

    def use(self, patch: pytest.MonkeyPatch, times: Times | None = None) -> None:
        """In every session from now on; with times the stage `perf` needs no card.

        Nothing is compiled: that takes longer than all calls together.
        """
        verdicts = self

        class Remembering(Pipeline):
            def evaluate(self, submission: Submission, turn: Turn | None = None) -> Evaluation:
                content = (submission.task, submission.digest, self.seed)
                made = verdicts._of(content, lambda: Pipeline.evaluate(self, submission, turn))
                return _handed_in(made, submission, times)

        patch.setattr("kernelbenchx.evaluate.pipeline.Pipeline", Remembering)
        patch.setattr("kernelbenchx.cluster.engine.resolve_settings", _uncompiled)

    def _of(self, content: Content, judge: Callable[[], Evaluation]) -> Evaluation:
        with self._locks.setdefault(content, threading.Lock()):
            if content not in self.kept:
                self.kept[content] = judge()
            return self.kept[content]


def _uncompiled(wanted: Settings) -> ResolvedSettings:
    assert wanted.device == "interpreter"
    return msgspec.structs.replace(resolve_for(wanted, "interpreter"), compile=False)


def _handed_in(made: Evaluation, submission: Submission, times: Times | None) -> Evaluation:
    made = msgspec.structs.replace(made, submission=submission.name, origin=submission.origin)
    if times is None or not isinstance(made.outcome, Correct):
        return made
    return msgspec.structs.replace(made, stage=Stage.PERF, performance=times(submission.source))
