"""Judges sampled outputs of timed calls: whose answer is wrong, and what follows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import COMPILED_WRONG, Failed, Unmeasured
from kernelbenchx.measure.output_judging import judge_outputs, read_first_tensor, recheck_late
from kernelbenchx.measure.output_sampling import LastOutput, SampledOutput
from kernelbenchx.measure.random_repeats import RepeatDetector
from kernelbenchx.measure.runner_client import RunnerClient
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.contract import Rung
from kernelbenchx.spec.task import Task

KEPT = "numbers of an earlier call, although new ones were required"


@dataclass
class CaseOutputs:
    """The outputs of one case; those that were taken together are judged together."""

    task: Task
    case: Case
    rung: Rung
    baselines: Mapping[str, Sequence[RunnerClient]]
    remarks: list[str] = field(default_factory=list)
    """Remarks about baselines."""
    dropped: set[str] = field(default_factory=set)
    """Baselines that computed something else."""
    groups: list[list[SampledOutput]] = field(default_factory=list)

    def take(self, outputs: Iterable[SampledOutput]) -> None:
        """Add outputs, each judged by itself."""
        self.groups += [[taken] for taken in outputs]

    def find_failure(
        self, last: Mapping[str, LastOutput], noted: Mapping[str, RepeatDetector] | None = None
    ) -> Failed | Unmeasured | None:
        """The first wrong answer after which there are no times."""
        for group in self.groups:
            wrong = judge_outputs(self.task, self.case, group, self.rung)
            found = None if wrong is None else self._attribute_failure(wrong, group)
            if found is not None:
                late = last.get(group[0].runner)
                return recheck_late(self.task, self.case, found, late, self.rung)
        return self._find_stale(noted or {})

    def _find_stale(self, noted: Mapping[str, RepeatDetector]) -> Failed | None:
        """Find outputs that repeat earlier ones, by process with a submission in it: a law does not
        compare with earlier calls."""
        for runner, repeats in noted.items():
            taken = {
                id(group[0].call): read_first_tensor(group[0])  # one may be taken twice
                for group in self.groups
                if len(group) == 1 and group[0].runner == runner
            }
            if repeats.has_repeats(list(taken.values())):
                return Failed(
                    case=self.case.name,
                    reason=Reason.STALE,
                    detail=KEPT,
                    trick=KEPT,
                    process=runner,
                )
        return None

    @property
    def _references(self) -> set[str]:
        return {one.name for pair in self.baselines.values() for one in pair}

    @property
    def of_submission(self) -> int:
        """Number of outputs that came from the submission."""
        references = self._references
        return sum(group[0].runner not in references for group in self.groups)

    def _attribute_failure(
        self, wrong: Failed, group: Sequence[SampledOutput]
    ) -> Failed | Unmeasured | None:
        """Attribute a wrong answer: without the first baseline there are no times; others are left
        out."""
        runner = group[0].runner
        for number, (kind, pair) in enumerate(self.baselines.items()):
            if all(one.name != runner for one in pair):
                continue
            if number == 0:
                return make_unmeasured(wrong.case, f"{runner} gave a wrong answer: {wrong.detail}")
            if kind not in self.dropped:
                self.dropped.add(kind)
                self.remarks.append(f"{COMPILED_WRONG}: {wrong.detail}"[:300])
            return None
        return wrong


def make_unmeasured(case: str, detail: str) -> Unmeasured:
    """A case without times, by no fault of the submission."""
    return Unmeasured(reason=Reason.EVALUATOR, detail=detail[:1000], case=case)
