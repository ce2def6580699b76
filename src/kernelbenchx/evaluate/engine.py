"""Interfaces that a run uses to judge on other machines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kernelbenchx.core.performance import ReferenceCompilation
from kernelbenchx.core.rules import Rules
from kernelbenchx.core.settings import ResolvedSettings, Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.trial import Trial
from kernelbenchx.evaluate.checking import EvaluationProvenance
from kernelbenchx.evaluate.evaluation_job import SubmissionJudge
from kernelbenchx.evaluate.run_listener import RunListener

if TYPE_CHECKING:
    from kernelbenchx.evaluate.own_tests import OwnTest
    from kernelbenchx.evaluate.time_limits import RunNotes


class RemoteCalls(Protocol):
    """Runs functions of kbx on other machines; safe from many threads."""

    @property
    def slots(self) -> int:
        """How many calls run at once."""

    def call(self, operation: str, request: bytes, /) -> bytes:
        """`operation` is `module:function`; it takes a pipeline and JSON, and returns JSON."""


class RulesJudge(Protocol):
    """Applies the papers' own rules to a submission."""

    def judge(self, submission: Submission, /) -> Rules: ...


class RemoteJudge(SubmissionJudge, RemoteCalls, Protocol):
    """Judges submissions on other machines, with the seed of the run."""

    @property
    def provenance(self) -> EvaluationProvenance:
        """What verdicts of those machines rest on."""

    @property
    def paper_rules(self) -> RulesJudge:
        """The papers' own rules, on those machines."""

    def with_seed(self, seed: int, /) -> SubmissionJudge:
        """The same machines, other inputs."""

    def try_out(self, wanted: "OwnTest", wall_s: float, /) -> Trial:
        """A kernel under its author's own test."""

    def expect(self, tasks: Sequence[str], /) -> None:
        """Submissions for these tasks will be timed."""

    def list_compilations(self) -> list[ReferenceCompilation]:
        """How long `torch.compile` took for each reference."""

    def watch_slots(self, resized: Callable[[int], None], /) -> None:
        """Call with the number of slots, now and when it changes; it is never 0."""

    def close(self) -> None:
        """End the run and give up what still runs of it."""


@dataclass(frozen=True)
class EngineRun:
    """What the judging machines need to know of one run."""

    settings: ResolvedSettings
    seed: int
    notes: "RunNotes"
    listener: RunListener


class Engine(Protocol):
    """Machines that judge."""

    def resolve(self, wanted: Settings, /) -> ResolvedSettings:
        """Resolve the settings for these machines."""

    def open(self, run: EngineRun, /) -> RemoteJudge:
        """Start the judges, and wait for the first."""

    def close(self) -> None:
        """End all judges, also those that are still starting."""
