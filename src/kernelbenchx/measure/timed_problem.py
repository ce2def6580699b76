"""A published problem as a timed task: one case, its published size and inputs."""

from dataclasses import dataclass, field, fields
from typing import Any

from kernelbenchx.measure.input_layout import describe_call, layout_for, output_bytes
from kernelbenchx.measure.published_calls import PublishedCalls
from kernelbenchx.measure.runner_client import RunnerClient, RunnerFailed
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.imported_problem import Answer, AnsweredCall, BadProblem, ImportedProblem
from kernelbenchx.spec.modules import ModuleCall

PUBLISHED = Case({"values": "published"}, needs=frozenset())
_CALLS = 3


class Answerer:
    """The answer of the latest requested call: at a published size one is large enough."""

    def __init__(self, calls: PublishedCalls) -> None:
        self._calls = calls
        self._last: tuple[ModuleCall, Answer] | None = None

    def answer(self, call: ModuleCall) -> Answer:
        """The answer, kept until another one is requested."""
        if self._last is None or self._last[0] is not call:
            self._last = None  # frees its memory
            self._last = call, self._calls.answer(call)
        return self._last[1]


@dataclass(frozen=True)
class LazyAnsweredCall(AnsweredCall):
    """A call with an answer computed when it is needed: few of the timed calls are judged."""

    drawn: ModuleCall | None = field(default=None, compare=False, repr=False)
    """The original: copies are answered as this one."""
    answerer: Answerer | None = field(default=None, compare=False, repr=False)

    @property
    def known(self) -> Answer:
        """The answer from the problem's process."""
        if self.answerer is None or self.drawn is None:
            raise BadProblem("a call of a published problem came without its answer")
        return self.answerer.answer(self.drawn)

    def widen(self) -> Call:
        """Returns itself: the process of the problem widens it, and a copy would take memory."""
        return self


@dataclass(frozen=True, kw_only=True)
class TimedProblem(ImportedProblem):
    """Its calls are drawn where it is timed."""

    calls_of_file: PublishedCalls = field(compare=False)
    answerer: Answerer = field(compare=False)

    @classmethod
    def of(cls, task: ImportedProblem, calls: PublishedCalls) -> "TimedProblem":
        """A task with one timing case.

        Its cost counts its results alone: what of its inputs a kernel has to read is not known, and
        neither is the number of operations.
        """
        known: dict[str, Any] = {one.name: getattr(task, one.name) for one in fields(task)}
        moved = calls.form.result_bytes
        return cls(
            **known | {"timings": (PUBLISHED,), "cost": lambda **_: Cost(flops=0, bytes=moved)},
            calls_of_file=calls,
            answerer=Answerer(calls),
        )

    def draw_with(
        self,
        case: Case,  # noqa: ARG002
        inputs: int,
        weights: int,
        device: str = "cpu",  # noqa: ARG002
    ) -> LazyAnsweredCall:
        """Separate seeds for inputs and for weights; on the device of the process."""
        drawn = self.calls_of_file.draw_call(inputs, weights % (1 << 31), self.weights)
        given = {one.name: getattr(drawn, one.name) for one in fields(ModuleCall)}
        return LazyAnsweredCall(**given, drawn=drawn, answerer=self.answerer)

    def eager_s(self, call: Call, runner: RunnerClient) -> float:
        """About how long its own module takes, by the clock of the process that runs it."""
        found = describe_call(call)
        layout = layout_for(found, output_bytes(self.native(call)), 1, self.form)
        try:
            runner.ask({"op": "load", "plan": {}}, 60.0)
            runner.open(layout)
            runner.fill(0, found.storages)
            times = [runner.run("call", 60.0) for _ in range(_CALLS)]
            runner.release()
        except RunnerFailed as failed:
            raise BadProblem(f"its module failed at its published size: {failed}"[:300]) from failed
        return min(times) * 1e-6
