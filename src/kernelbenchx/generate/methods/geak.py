"""Candidates in slots: generated, marked, judged, reflected upon, and used for the next ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Message
from kernelbenchx.generate.candidates import Candidate, CandidateSlot, answer, best
from kernelbenchx.generate.drafts import LONGEST_NOTE, clip_text, draft_in, fence_code, marks_in
from kernelbenchx.generate.examples import EXAMPLES, Example
from kernelbenchx.generate.feedback import feedback
from kernelbenchx.generate.hardware import TEMPLATES
from kernelbenchx.generate.method import Temperature
from kernelbenchx.generate.reply_program import callable_as, entries, without_thoughts
from kernelbenchx.generate.retrieval import rank_texts
from kernelbenchx.generate.task_context import TaskContext

CRITERIA = (
    "fusion",
    "autotuning",
    "memory",
    "complexity",
    "warps",
    "pipelining",
    "stability",
    "portability",
    "scope",
)
"""What a reader gives marks for."""
GENERATOR_TOKENS = 30_000
"""At most, of a reply with a kernel in it, as in the source; the user may say otherwise."""


class Geak(Record, frozen=True, kw_only=True):
    """Generator, evaluator, reflector and optimizer over rounds of candidates."""

    uses: ClassVar[tuple[str, ...]] = (
        "geak_*",
        *(one.template for one in EXAMPLES),
        *TEMPLATES.values(),
    )
    longest_reply: ClassVar[int] = GENERATOR_TOKENS

    rounds: Annotated[int, Meta(ge=1, le=100, description="of candidates")] = 3
    candidates: Annotated[int, Meta(ge=1, le=64, description="side by side in a round")] = 4
    kept: Annotated[int, Meta(ge=1, le=64, description="best ones that a prompt shows again")] = 5
    repairs: Annotated[
        int, Meta(ge=0, le=100, description="of one failing kernel before a fresh beginning")
    ] = 5
    temperature: Annotated[
        Temperature | None, Meta(description="of every request; none leaves it to the model")
    ] = 1.0

    @property
    def most_requests(self) -> int:
        """For one task."""
        return self.candidates * (3 * self.rounds - 1)  # the last round has no notes

    def run(self, statement: Statement, desk: TaskContext) -> None:
        """All candidates of a round end before the next begins, so their order has no effect."""
        author = _GeakAuthor(self, statement, desk)
        slots = [CandidateSlot(number) for number in range(self.candidates)]
        solving: list[Candidate] = []
        every: list[Candidate] = []
        for number in range(self.rounds):
            for slot in slots:
                if not slot.failing or slot.repairs >= self.repairs:
                    slot.line.clear()
            made = desk.together(
                [partial(author.candidate, number, slot, solving) for slot in slots]
            )
            if number + 1 < self.rounds:  # no later prompt would hold notes on the last ones
                notes = desk.together([partial(author.note, one, slots, solving) for one in made])
                made = [replace(one, note=note) for one, note in zip(made, notes, strict=True)]
            for slot, one in zip(slots, made, strict=True):
                slot.line.append(one)
            solving = best([*solving, *made], self.kept)
            every += made
        kept = answer(every).judged
        # Judged again in a round of its own: the method's answer for the task is one kernel.
        desk.judge("answer", kept.source, round=self.rounds, parent=kept.name)


@dataclass(frozen=True)
class _GeakAuthor:
    """The roles that one model plays for one task."""

    options: Geak
    statement: Statement
    context: TaskContext

    def candidate(
        self, number: int, slot: CandidateSlot, solving: Sequence[Candidate]
    ) -> Candidate:
        """Write a kernel, have it marked and judged."""
        path = f"round {number}/candidate {slot.number}"
        if slot.line:
            prompt, parent = self._repairing(slot), slot.line[-1].judged.name
        elif solving:
            prompt, parent = self._descending(solving), solving[0].judged.name
        else:
            prompt, parent = self._beginning(), ""
        said = self._ask(f"{path}/generator", prompt, GENERATOR_TOKENS)
        draft = draft_in(said, entries(self.statement))
        code = callable_as(draft.code, self.statement)
        return Candidate(
            marks=0.0 if draft.empty else self._marks(path, code),
            judged=self.context.judge(
                path, code, round=number, sample=slot.number, parent=parent
            ).with_evaluation(),
            strategy=draft.strategy,
            round=number,
            slot=slot.number,
        )

    def note(
        self, one: Candidate, slots: Sequence[CandidateSlot], solving: Sequence[Candidate]
    ) -> str:
        """The reflector's words about a kernel that fails, the optimizer's about one that works."""
        path = f"round {one.round}/candidate {one.slot}"
        if one.judged.correct:
            role, template, others = "optimizer", "geak_optimize", list(solving)
        else:
            role, template, others = "reflector", "geak_reflect", slots[one.slot].line
        words = {
            "statement": self.statement.text(),
            "code": fence_code(one.judged.source),
            "feedback": self._feedback(one),
            "notes": _join_notes(other.note for other in others[-self.options.kept :]),
        }
        if one.judged.correct:
            words |= {"hardware": self._hardware, "strategy": one.strategy or "(not told)"}
        used = (template, *(self._told_hardware if one.judged.correct else ()))
        said = self._ask(
            f"{path}/{role}", _Prompt(self.context.prompts.fill(template, **words), used)
        )
        return clip_text(said.strip(), LONGEST_NOTE)

    def _marks(self, path: str, code: str) -> float:
        filled = self.context.prompts.fill(
            "geak_judge",
            statement=self.statement.text(),
            code=fence_code(code),
            marks=", ".join(f'"{name}": 0.5' for name in CRITERIA),
        )
        return marks_in(self._ask(f"{path}/judge", _Prompt(filled, ("geak_judge",))), CRITERIA)

    def _beginning(self) -> "_Prompt":
        """Before there is code, words are all that an example can be alike in."""
        texts = [one.statement for one in EXAMPLES]
        return self._generator("geak_generate", _likest(self.statement.text(), texts))

    def _descending(self, solving: Sequence[Candidate]) -> "_Prompt":
        example = _likest(solving[0].judged.source, [one.code for one in EXAMPLES])
        references = "".join(self._format_candidate("geak_reference", one) for one in solving)
        prompt = self._generator("geak_descend", example, references=references)
        return replace(prompt, templates=(*prompt.templates, "geak_reference"))

    def _repairing(self, slot: CandidateSlot) -> "_Prompt":
        example = _likest(slot.line[-1].judged.source, [one.code for one in EXAMPLES])
        shown = slot.select_attempts(self.options.kept)
        attempts = "".join(self._format_candidate("geak_attempt", one) for one in shown)
        prompt = self._generator("geak_debug", example, attempts=attempts)
        return replace(prompt, templates=(*prompt.templates, "geak_attempt"))

    def _generator(self, template: str, example: Example, **words: str) -> "_Prompt":
        shown = self.context.prompts.fill(
            "geak_example", statement=example.statement, code=fence_code(example.code)
        )
        filled = self.context.prompts.fill(
            template,
            statement=self.statement.text(),
            entry=self.statement.entry,
            hardware=self._hardware,
            example=shown,
            **words,
        )
        return _Prompt(filled, (template, "geak_example", example.template, *self._told_hardware))

    def _format_candidate(self, template: str, one: Candidate) -> str:
        return self.context.prompts.fill(
            template,
            strategy=one.strategy or "(not told)",
            code=fence_code(one.judged.source),
            feedback=self._feedback(one),
            note=one.note or "(nothing)",
        )

    def _feedback(self, one: Candidate) -> str:
        return feedback(one.judged.evaluation, one.judged.source, self.statement) or "(nothing)"

    @property
    def _hardware(self) -> str:
        facts = self.context.prompts.hardware
        return f"\n{facts}\n" if facts else ""

    @property
    def _told_hardware(self) -> tuple[str, ...]:
        return self.context.prompts.hardware_templates

    def _ask(self, path: str, prompt: "_Prompt", max_tokens: int | None = None) -> str:
        reply = self.context.ask(
            path,
            (Message("user", prompt.text),),
            temperature=self.options.temperature,
            max_tokens=max_tokens,
            templates=prompt.templates,
        )
        return without_thoughts(reply.text)


@dataclass(frozen=True)
class _Prompt:
    """What is asked, and the templates it was made from."""

    text: str
    templates: tuple[str, ...]


def _likest(query: str, texts: Sequence[str]) -> Example:
    """The example whose text, in the same order, is most like the query."""
    return EXAMPLES[rank_texts(query, texts)[0]]


def _join_notes(notes: Iterable[str]) -> str:
    return "\n\n".join(note for note in notes if note) or "(nothing)"


METHOD = Geak
