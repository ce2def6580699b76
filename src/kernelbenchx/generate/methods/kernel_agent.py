"""A test first, then workers that write and repair kernels until one of them passes it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.statement import Statement
from kernelbenchx.checks.checker_process import check_bounded
from kernelbenchx.core.outcome import Composition
from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Message
from kernelbenchx.core.trial import Trial
from kernelbenchx.evaluate.expectation import expectation_of
from kernelbenchx.evaluate.extract import extract_source
from kernelbenchx.generate.drafts import fence_code
from kernelbenchx.generate.feedback import feedback
from kernelbenchx.generate.hardware import TEMPLATES
from kernelbenchx.generate.judged_kernel import JudgedKernel
from kernelbenchx.generate.method import Temperature
from kernelbenchx.generate.reply_program import program, without_thoughts
from kernelbenchx.generate.task_context import TaskContext

MOST_FINDINGS = 8
"""Of a source that breaks rules; one repaired line often settles several."""


class KernelAgent(Record, frozen=True, kw_only=True):
    """Parallel workers refine against a test that the model wrote; one success ends all."""

    uses: ClassVar[tuple[str, ...]] = ("kernel_agent_*", *TEMPLATES.values())
    own_tests: ClassVar[bool] = True

    workers: Annotated[int, Meta(ge=1, le=64, description="side by side")] = 3
    rounds: Annotated[int, Meta(ge=0, le=100, description="of refinement, at most")] = 5
    remembered: Annotated[
        int, Meta(ge=0, le=100, description="earlier attempts that a prompt shows again")
    ] = 8
    temperature: Annotated[
        Temperature | None, Meta(description="of every request; none leaves it to the model")
    ] = 0.4
    test_s: Annotated[float, Meta(gt=0, le=600, description="seconds for one run of the test")] = (
        30.0
    )
    judged: Annotated[
        bool, Meta(description="a kernel must also be correct, and the judge's report is included")
    ] = False

    @property
    def most_requests(self) -> int:
        """For one task."""
        return 1 + self.workers * (self.rounds + 1)

    def run(self, statement: Statement, desk: TaskContext) -> None:
        """Rounds of all workers; of those that succeed in a round the lowest number has won."""
        author = _KernelAgentAuthor(self, statement, desk)
        test = author.test()
        lines: list[list[_WorkerKernel]] = [[] for _ in range(self.workers)]
        for number in range(self.rounds + 1):
            made = desk.together(
                [partial(author.attempt, number, line, test) for line in enumerate(lines)]
            )
            if not self.judged:
                # The others are stopped: what they wrote in this round is not evaluated.
                made = [one for one in made if one.passed][:1] or made
            judged = desk.together([partial(author.judge, number, one) for one in made])
            if any(one.solved for one in judged):
                return
            for one in judged:
                lines[one.worker].append(one)


@dataclass(frozen=True, kw_only=True)
class _WorkerKernel:
    """A kernel of one worker and its result."""

    worker: int
    source: str
    parent: str
    passed: bool
    failure: str
    name: str = ""
    solved: bool = False


@dataclass(frozen=True)
class _KernelAgentAuthor:
    """The model at work on one task."""

    options: KernelAgent
    statement: Statement
    context: TaskContext

    def test(self) -> str:
        """The test that all workers must pass; whatever it is, it stays."""
        words = {"statement": self.statement.text(), "entry": self.statement.entry}
        return extract_source(without_thoughts(self._ask("test", "kernel_agent_test", words)))

    def attempt(
        self, number: int, line: tuple[int, list[_WorkerKernel]], test: str
    ) -> _WorkerKernel:
        """Write or repair, look for broken rules, and only then run the test."""
        worker, earlier = line
        path = f"round {number}/worker {worker}"
        if earlier:
            said = self._ask(path, "kernel_agent_refine", self._refining(earlier, test))
        else:
            said = self._ask(path, "kernel_agent_kernel", self._words(test))
        source = program(said, self.statement)
        failure = self._broken_rules(source)
        if not failure:
            trial = self.context.try_out(path, source, test, wall_s=self.options.test_s)
            failure = "" if trial.passed else self._describe_test_failure(trial)
        parent = earlier[-1].name if earlier else ""
        return _WorkerKernel(
            worker=worker, source=source, parent=parent, passed=not failure, failure=failure
        )

    def judge(self, number: int, one: _WorkerKernel) -> _WorkerKernel:
        """Evaluate; the options say what the workers learn from it."""
        path = f"round {number}/worker {one.worker}"
        judged = self.context.judge(
            path, one.source, round=number, sample=one.worker, parent=one.parent
        )
        solved = one.passed and (not self.options.judged or judged.correct)
        failure = one.failure or ("" if solved else self._describe_verdict(judged))
        return replace(one, failure=failure, name=judged.name, solved=solved)

    def _words(self, test: str) -> dict[str, str]:
        known = self.context.prompts.hardware
        return {
            "statement": self.statement.text(),
            "entry": self.statement.entry,
            "hardware": f"\n{known}\n" if known else "",
            "test": fence_code(test),
        }

    def _refining(self, earlier: Sequence[_WorkerKernel], test: str) -> dict[str, str]:
        *before, last = enumerate(earlier)
        shown = before[max(0, len(before) - self.options.remembered) :]
        return {
            **self._words(test),
            "code": fence_code(last[1].source),
            "failure": last[1].failure,
            "attempts": "".join(map(self._format_attempt, reversed(shown))) or "(none)",
        }

    def _format_attempt(self, numbered: tuple[int, _WorkerKernel]) -> str:
        number, one = numbered
        return self._fill(
            "kernel_agent_attempt",
            round=str(number),
            code=fence_code(one.source),
            failure=one.failure,
        )

    def _broken_rules(self, source: str) -> str:
        """What the source alone shows: rules of the evaluation, and any arithmetic by torch."""
        report = check_bounded(source, expectation_of(facts(self.context.task), "triton"))
        found = [
            one
            for one in report.findings
            if one.fatal or (one.rule == "composition" and report.composition != Composition.PURE)
        ]
        if not found:
            return ""
        lines = "\n".join(f"- line {one.line}: {one.why}" for one in found[:MOST_FINDINGS])
        return self._fill("kernel_agent_rules", findings=lines)

    def _describe_test_failure(self, trial: Trial) -> str:
        where = f" (line {trial.line} of the file)" if trial.line else ""
        said = f"{trial.detail}{where}"
        return self._fill("kernel_agent_failed", said=said, output=fence_code(trial.output, ""))

    def _describe_verdict(self, judged: JudgedKernel) -> str:
        said = feedback(judged.evaluation, judged.source, self.statement) or "(nothing)"
        return self._fill("kernel_agent_verdict", feedback=said)

    def _told_hardware(self, words: dict[str, str]) -> tuple[str, ...]:
        return self.context.prompts.hardware_templates if words.get("hardware") else ()

    def _fill(self, template: str, **words: str) -> str:
        return self.context.prompts.fill(template, **words)

    def _ask(self, path: str, template: str, words: dict[str, str]) -> str:
        reply = self.context.ask(
            path,
            (Message("user", self._fill(template, **words)),),
            temperature=self.options.temperature,
            templates=(template, *_PARTS.get(template, ()), *self._told_hardware(words)),
        )
        return reply.text


_PARTS = {
    "kernel_agent_refine": (
        "kernel_agent_attempt",
        "kernel_agent_failed",
        "kernel_agent_rules",
        "kernel_agent_verdict",
    )
}
"""Templates that others are filled with."""

METHOD = KernelAgent
