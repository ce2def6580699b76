"""One kernel over several rounds, each with what is known of the round before."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Message, Reply
from kernelbenchx.generate import feedback as feedback_of
from kernelbenchx.generate.drafts import fence_code
from kernelbenchx.generate.feedback import FeedbackKinds
from kernelbenchx.generate.judged_kernel import JudgedKernel
from kernelbenchx.generate.method import OPENING, Temperature
from kernelbenchx.generate.prompts import OPTIMIZATION
from kernelbenchx.generate.reply_program import program
from kernelbenchx.generate.task_context import Opening, Prompts, TaskContext

CUT = "refine_cut"


class Refine(Record, frozen=True, kw_only=True):
    """Rounds with feedback; each kind of feedback can be switched off."""

    uses: ClassVar[tuple[str, ...]] = (OPENING, "refine_*")

    rounds: Annotated[int, Meta(ge=1, le=1000, description="kernels in a row, at most")] = 10
    feedback: Annotated[
        Literal["G", "G+E", "G+E+P"],
        Meta(description="previous kernel alone, + execution results, + profile"),
    ] = "G+E+P"
    code: Annotated[bool, Meta(description="show the kernel of the round before")] = True
    errors: Annotated[bool, Meta(description="include errors of rules, compiler and calls")] = True
    answers: Annotated[
        bool, Meta(description="include where and by how much answers are wrong")
    ] = True
    times: Annotated[
        bool, Meta(description="include times, PyTorch's times and the GPU's limit")
    ] = True
    profile: Annotated[
        bool, Meta(description="include registers, use of the GPU, time by kernel")
    ] = True
    faster: Annotated[
        bool, Meta(description="continue after a correct kernel if times are taken")
    ] = True
    optimization: Annotated[
        Literal["never", "always", "when_correct", "when_slow"],
        Meta(description="when to show examples of optimization; slow: correct, behind PyTorch"),
    ] = "never"
    temperature: Annotated[
        Temperature | None, Meta(description="of every request; none leaves it to the model")
    ] = None

    @property
    def optional(self) -> tuple[str, ...]:
        """Texts that no request holds where examples are never shown."""
        shown = self.optimization != "never"
        return (OPTIMIZATION, "module_example", "example_module_*") if shown else ()

    @property
    def most_requests(self) -> int:
        """For one task."""
        return self.rounds

    def run(self, statement: Statement, desk: TaskContext) -> None:
        """Until a kernel is correct, and through all rounds where it can still become faster."""
        for _ in self.attempts(statement, desk):
            pass

    def attempts(
        self, statement: Statement, desk: TaskContext
    ) -> Iterator[tuple[Reply, JudgedKernel]]:
        """Round after round: the model's reply and its verdict."""
        opening = desk.prompts.opening(statement)
        examples = desk.prompts.optimization(statement, opening)
        if self.optimization == "always":
            opening = _insert_examples(opening, examples)
        asked, before = opening, ""
        for number in range(self.rounds):
            path = f"round {number}"
            reply = desk.ask(
                path,
                asked.messages,
                temperature=self.temperature,
                templates=asked.templates,
                left_out=asked.left_out,
            )
            source = program(reply.text, statement)
            judged = desk.judge(path, source, round=number, parent=before)
            yield reply, judged
            if number + 1 == self.rounds:  # nothing is asked any more: no second evaluation
                return
            if judged.solved and not self._can_gain(judged):
                return
            said = feedback_of.feedback(
                judged.evaluation, judged.source, statement, self.feedback_kinds
            )
            request = _request(desk.prompts, judged, said, cut=reply.finish == "length")
            if self._wants_examples(judged):
                request = _insert_examples(request, examples)
            asked, before = self._with(opening, judged, request), judged.name

    @property
    def feedback_kinds(self) -> FeedbackKinds:
        """Which kinds of feedback the model gets."""
        executed, profiled = self.feedback != "G", self.feedback == "G+E+P"
        return FeedbackKinds(
            errors=self.errors and executed,
            answers=self.answers and executed,
            times=self.times and executed,
            profile=self.profile and profiled,
        )

    def _wants_examples(self, judged: JudgedKernel) -> bool:
        """By what the method has seen; `always` has them in the opening."""
        if self.optimization == "when_slow":
            return judged.solved and judged.speedup is not None and judged.speedup < 1
        return self.optimization == "when_correct" and judged.solved

    def _can_gain(self, judged: JudgedKernel) -> bool:
        return self.faster and judged.evaluation.performance is not None

    def _with(self, opening: Opening, judged: JudgedKernel, request: Opening) -> Opening:
        """Speakers take turns, since servers refuse two messages of one in a row."""
        used = (*opening.templates, *request.templates)
        left_out = tuple(dict.fromkeys((*opening.left_out, *request.left_out)))
        if self.code and judged.source.strip():
            code = Message("assistant", fence_code(judged.source))
            return Opening((*opening.messages, code, *request.messages), used, left_out)
        *earlier, task = opening.messages
        joined = "\n\n".join(one.content for one in (task, *request.messages))
        return Opening((*earlier, Message("user", joined)), used, left_out)


def _insert_examples(request: Opening, examples: Opening) -> Opening:
    """The request with the examples before its last message, as one message."""
    *earlier, last = request.messages
    texts = [one.content for one in (*examples.messages, last)]
    return Opening(
        (*earlier, Message(last.role, "\n\n".join(texts))),
        (*request.templates, *examples.templates),
        tuple(dict.fromkeys((*request.left_out, *examples.left_out))),
    )


def _request(prompts: Prompts, judged: JudgedKernel, said: str, *, cut: bool) -> Opening:
    template = "refine_faster" if judged.solved else "refine_repair"
    if not said:
        template = "refine_again"
    words = {"feedback": said, "cut": prompts.fill(CUT).strip() if cut else ""}
    message = Message("user", prompts.fill(template, **words).strip())
    return Opening((message,), (template, CUT) if cut else (template,))


METHOD = Refine
