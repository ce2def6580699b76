"""What every method may know: the statement and the feedback, and nothing else of a task.

Each method of the registry is run against kernels that really failed. All it asks is looked
through for cases, reference outputs, witnesses and mutants.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
import torch

import kernelbenchx.generate
from desks import FakeBench, FakeModel, Memory, desk, office
from generate.recorded_failures import NAMES, recorded
from kernelbenchx import catalog
from kernelbenchx.catalog.arithmetic_intensity import intensity
from kernelbenchx.catalog.statement import Statement, statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Correct
from kernelbenchx.core.record import Record
from kernelbenchx.core.submission import Submission
from kernelbenchx.core.transcript import Message, Request
from kernelbenchx.core.trial import Trial
from kernelbenchx.evaluate.calls import ablated_cases, drawn_cases, repeated_case
from kernelbenchx.generate import methods, templates
from kernelbenchx.generate.examples import EXAMPLES
from kernelbenchx.generate.feedback import feedback
from kernelbenchx.generate.method import Method
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.prompts import FormPrompts, Prompting, forms
from kernelbenchx.generate.task_context import TaskContext
from samples import timed

TASKS = ("activation/relu", "math/softmax", "matrix_multiply/addmm")
SEED = 1
"""The recorded kernels were judged with the inputs of this seed."""
OPTIONS: dict[str, dict[str, object]] = {
    "refine": {"rounds": 30, "optimization": "when_correct"},
    "kernel_agent": {"judged": True},
    "sample": {"samples": 4},
    "search": {"requests": 40, "evaluations": 80},
}
"""Where the defaults would show less than the method can ask."""
REAL = re.compile(r"-?\d*\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")
DIGITS = 6
"""A number with so many digits is no coincidence."""


@dataclass
class RecordedBench(FakeBench):
    """Gives what was recorded; every other source is correct and slow."""

    known: dict[str, Evaluation] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    """Sources that were judged."""
    clock: bool = True
    """Times are taken."""

    def one(self, submission: Submission) -> Evaluation:
        if submission.source not in self.known:
            made = super().one(submission)
            self.known[submission.source] = msgspec.structs.replace(
                made,
                outcome=Correct(cases=4, worst=0.5),
                performance=timed(0.9) if self.clock else None,
            )
        self.seen.add(submission.source)
        kept = self.known[submission.source]
        return msgspec.structs.replace(kept, submission=submission.name, origin=submission.origin)


@dataclass(frozen=True)
class Asked:
    """Everything that a method asked for one task."""

    task: str
    prompts: tuple[str, ...]
    replies: tuple[str, ...]
    reports: tuple[str, ...]
    """The feedback on every kernel that was judged."""

    def beside(self) -> Iterator[str]:
        """Prompts without the feedback and without what the model said itself."""
        quoted = sorted({*self.reports, *self.replies}, key=len, reverse=True)
        for prompt in self.prompts:
            for known in quoted:
                prompt = prompt.replace(known, "")
            yield prompt


def failures(task: str) -> dict[str, Evaluation]:
    every = [recorded(name) for name in NAMES]
    return {
        one.source: one.evaluation
        for one in every
        if one.evaluation.task == task
        and one.source
        and not isinstance(one.evaluation.outcome, Correct)
    }


def known_source(name: str) -> str:
    return recorded(name).source


@cache
def asked(name: str, task: str) -> Asked:
    """What a method of the registry asks."""
    return asked_by(methods.make_method(name, OPTIONS.get(name, {})), task)


FULL = Prompting(examples=len(EXAMPLES), hardware="H200")


def asked_by(method: Method, task: str, chosen: Prompting = FULL, *, clock: bool = True) -> Asked:
    """Run a method where no task can be loaded and no witness read."""
    known = failures(task)
    assert intensity(task)  # the only thing that is known of its cases, and known from here on
    right = known_source("correct") + "# another version\n"
    sources = [*(one.strip("\n") for one in known), right.strip("\n")]

    def answer(_: Request, step: MethodStep) -> str:
        number = re.findall(r"\d+", step.path)
        at = int(number[0]) if number else int(hashlib.sha256(step.path.encode()).hexdigest(), 16)
        return f"```python\n{sources[(at + len(number)) % len(sources)]}\n```"

    model = FakeModel(answer)
    bench = RecordedBench(known=dict(known), trial=_tried, clock=clock)
    made = replace(office(model, bench=bench, memory=Memory()), prompts=FormPrompts(chosen))
    with pytest.MonkeyPatch.context() as patched:
        for forbidden in (
            "kernelbenchx.catalog.load",
            "kernelbenchx.catalog.witness.witness_source",
        ):
            patched.setattr(forbidden, _nobody)
        method.run(statement(task), desk(made, task))
    stated = statement(task)
    reports = {feedback(bench.known[one], one, stated) for one in bench.seen} - {""}
    texts = [one.content for _, request in model.asked for one in request.messages]
    return Asked(task, tuple(texts), tuple(sources), tuple(reports))


def _nobody(*_: object) -> None:
    raise AssertionError("a method loaded a task")


def _tried(source: str, _test: str) -> Trial:
    """Its own test, which is passed by about half of what is written."""
    passed = hashlib.sha256(source.encode()).digest()[0] % 2 == 0
    return Trial(
        passed=passed, stage="" if passed else "test", detail="" if passed else "it is off"
    )


@cache
def secrets(task: str) -> frozenset[str]:
    """Lines of the task's file, its witness and its mutants that the statement does not have."""
    texts = [catalog.path_of(task).read_text(encoding="utf-8"), witness_source(task)]
    texts += [mutant.name for mutant in catalog.load(task).mutants]
    public = statement(task).text() + "".join(map(templates.template, templates.names()))
    lines = {line.strip().strip('"') for text in texts for line in text.splitlines()}
    return frozenset(line for line in lines if len(line) >= 16 and line not in public)


@cache
def values(task: str) -> frozenset[str]:
    """Every number of every input and every right answer that a run with that seed knows."""
    found: set[str] = set()
    drawn = (*drawn_cases(task, SEED), *ablated_cases(task, SEED), repeated_case(task, SEED))
    for one in drawn:
        leaves = [leaf.value for leaf in one.truth.native.leaves]
        for tensor in (*one.call.tensors(), *one.truth.exact, *leaves):
            if tensor.is_floating_point():
                numbers = tensor.flatten().to(torch.float64).tolist()
                found.update(_spelled(number) for number in numbers)
    return frozenset(found)


def _spelled(number: float) -> str:
    return f"{number:.{DIGITS - 1}e}"


def _digits(number: str) -> int:
    return len(re.sub(r"e.*|\D", "", number).lstrip("0"))


def _numbers(text: str) -> set[str]:
    long = (found for found in REAL.findall(text) if _digits(found) >= DIGITS)
    return {_spelled(float(found)) for found in long}


def lines_leaked(seen: Asked) -> list[str]:
    own = "\n".join(seen.replies)
    everything = "\n".join(seen.prompts)
    return [line for line in secrets(seen.task) if line not in own and line in everything]


def numbers_leaked(seen: Asked) -> set[str]:
    return {one for prompt in seen.prompts for one in _numbers(prompt) & values(seen.task)}


def cases_leaked(seen: Asked) -> set[str]:
    """By name anywhere; by the sizes of their tensors where no feedback had told them."""
    loaded = catalog.load(seen.task)
    cases = (*loaded.cases(0), *loaded.timings)
    sizes = {str(v) for case in cases for v in case.params.values() if isinstance(v, tuple) and v}
    public = statement(seen.task).text() + "".join(map(templates.template, templates.names()))
    hidden = {one for one in sizes if one not in public + "".join(seen.reports)}
    assert hidden
    beside = "\n".join(seen.beside())
    named = {case.name for case in cases if case.name in "\n".join(seen.prompts)}
    return {one for one in hidden if one in beside} | named


EVERY = [(name, task) for name in methods.names() for task in TASKS]


@pytest.mark.parametrize(("name", "task"), EVERY)
def test_a_method_asks_nothing_that_it_may_not_know(name: str, task: str) -> None:
    seen = asked(name, task)
    assert seen.prompts
    assert lines_leaked(seen) == []
    assert numbers_leaked(seen) == set()
    assert cases_leaked(seen) == set()


WORDINGS = [
    Prompting(form=form, examples=count, hardware="H200" if count % 2 else "")
    for form in forms()
    for count in range(len(EXAMPLES) + 1)
]


@pytest.mark.parametrize("chosen", WORDINGS, ids=lambda one: f"{one.form}-{one.examples}")
def test_no_form_and_no_example_tells_more(chosen: Prompting) -> None:
    for task in TASKS:
        seen = asked_by(methods.make_method("one_shot", {}), task, chosen)
        assert len(seen.prompts) in (1, 2)
        assert lines_leaked(seen) == []
        assert numbers_leaked(seen) == set()
        assert cases_leaked(seen) == set()


@pytest.mark.parametrize(
    ("name", "options"), [("search", OPTIONS["search"]), ("kernel_agent", {}), ("refine", {})]
)
def test_nor_does_it_where_no_times_are_taken(name: str, options: dict[str, object]) -> None:
    for task in TASKS:
        seen = asked_by(methods.make_method(name, options), task, clock=False)
        assert lines_leaked(seen) == []
        assert numbers_leaked(seen) == set()
        assert cases_leaked(seen) == set()


def test_no_text_of_ours_holds_a_part_of_a_witness() -> None:
    """Lines that many kernels have apart: a loop over blocks, an import."""
    texts = {line.strip() for name in templates.names() for line in _lines(name)}
    shared: dict[str, set[str]] = {}
    for task in catalog.function_names():
        own = {line.strip() for line in witness_source(task).splitlines()}
        shared[task] = {line for line in own & texts if len(line) >= 16}
    assert max(map(len, shared.values())) <= 3
    own = {line.strip() for line in witness_source("math/softmax").splitlines()}
    assert len({line for line in own if len(line) >= 16}) > 8  # so many a leak would show


def _lines(name: str) -> list[str]:
    return templates.template(name).splitlines()


@pytest.mark.parametrize("name", methods.names())
def test_a_method_that_has_rounds_was_told_something(name: str) -> None:
    seen = [asked(name, task) for task in TASKS]
    told = [report for one in seen for report in one.reports if report in "\n".join(one.prompts)]
    assert (len(told) >= 3) == (name not in {"one_shot", "sample"})


class Leaking(Record, frozen=True):
    """Puts what it is given into a prompt."""

    uses: ClassVar[tuple[str, ...]] = ()

    text: str

    def run(self, stated: Statement, where: TaskContext) -> None:
        where.ask("only", (Message("user", f"{stated.text()}\n{self.text}"),))


class Looking(Record, frozen=True):
    """Would like to see the cases."""

    uses: ClassVar[tuple[str, ...]] = ()

    def run(self, _: Statement, where: TaskContext) -> None:
        catalog.load(where.task)


@pytest.mark.parametrize("task", TASKS)
def test_every_kind_of_leak_would_be_seen(task: str) -> None:
    first = drawn_cases(task, SEED)[0]
    numbers = [first.call.tensors()[0].flatten(), first.truth.native.leaves[0].value.flatten()]
    number, answer = (
        float(some[(some.abs() > 1e-3) & some.isfinite() & (some != some.round())][0])
        for some in numbers
    )
    body = next(line for line in witness_source(task).splitlines() if "tl.load(" in line)
    assert lines_leaked(asked_by(Leaking(body), task))
    assert numbers_leaked(asked_by(Leaking(f"[{number:.9g}]"), task))
    assert numbers_leaked(asked_by(Leaking(f"expected {answer:.9g}"), task))
    assert cases_leaked(asked_by(Leaking(first.case.name), task))
    assert cases_leaked(asked_by(Leaking(f"try {catalog.load(task).timings[0].params}"), task))
    innocent = asked_by(Leaking("be quick"), task)
    assert not lines_leaked(innocent) and not numbers_leaked(innocent)
    assert not cases_leaked(innocent)
    with pytest.raises(AssertionError, match="loaded a task"):
        asked_by(Looking(), task)


@pytest.mark.parametrize("task", TASKS)
def test_feedback_names_no_case_but_the_one_that_failed(task: str) -> None:
    stated, loaded = statement(task), catalog.load(task)
    for source, evaluation in failures(task).items():
        report = feedback(evaluation, source, stated)
        named = re.findall(r"(?:Failing input: |It happened with )(.*)", report)
        assert len(named) <= 1
        assert [case.name for case in loaded.cases(0) if case.name in report] == []


FORBIDDEN = ("kernelbenchx.tasks", "kernelbenchx.spec", "kernelbenchx.judge",
             "kernelbenchx.certify", "kernelbenchx.catalog.witness")  # fmt: skip


def test_nothing_that_asks_imports_an_answer() -> None:
    found = []
    for file in Path(kernelbenchx.generate.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
            found += [(file.name, one) for one in names if one.startswith(FORBIDDEN)]
    assert found == []
