"""Correct first, then faster: settings and rewrites, chosen by a model of the measurements."""

from typing import Annotated, ClassVar

from msgspec import Meta

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Unmeasured
from kernelbenchx.core.record import Record
from kernelbenchx.generate.allowance import Allowance, AllowanceUse
from kernelbenchx.generate.judged_kernel import JudgedKernel
from kernelbenchx.generate.method import Temperature
from kernelbenchx.generate.methods.refine import Refine
from kernelbenchx.generate.task_context import TaskContext

AGAIN = 2
"""How often a file is judged again whose times could not be taken."""


class SearchMethod(Record, frozen=True, kw_only=True):
    """Rounds until a kernel is correct, then a search for speed within an explicit budget."""

    uses: ClassVar[tuple[str, ...]] = (*Refine.uses, "search_*")

    requests: Annotated[int, Meta(ge=1, le=1000, description="to the model per task, at most")] = 10
    evaluations: Annotated[int, Meta(ge=1, le=10000, description="per task, at most")] = 40
    tokens: Annotated[
        int, Meta(ge=0, description="per task; 0 leaves it to the cap of the run")
    ] = 0
    side_by_side: Annotated[
        int, Meta(ge=1, le=64, description="settings chosen together and judged at once")
    ] = 4
    rewrites: Annotated[int, Meta(ge=1, le=9, description="variants asked for at once")] = 2
    worth: Annotated[
        float, Meta(ge=0, le=1, description="expected gain below which no setting is tried")
    ] = 0.005
    near: Annotated[
        float, Meta(gt=0, le=2, description="share of the GPU's peak at which the search stops")
    ] = 0.95
    untimed: Annotated[
        int, Meta(ge=0, le=1000, description="settings tried where no times are taken")
    ] = 4
    temperature: Annotated[
        Temperature | None, Meta(description="of every request; none leaves it to the model")
    ] = None

    @property
    def most_requests(self) -> int:
        """For one task."""
        return self.requests

    def run(self, statement: Statement, desk: TaskContext) -> None:
        """A correct kernel by rounds with feedback, then all that is left for its speed."""
        spent = AllowanceUse(self.allowance)
        first = self._correct(statement, desk, spent)
        if first is not None:
            # Only now: the help of the command line would wait for numpy.
            from kernelbenchx.generate.search.kernel_search import KernelSearch, SearchPlan

            plan = SearchPlan(
                side_by_side=self.side_by_side,
                rewrites=self.rewrites,
                worth=self.worth,
                near=self.near,
                untimed=self.untimed,
                temperature=self.temperature,
            )
            KernelSearch(plan, statement, desk, spent, round=spent.evaluations).run(first)

    @property
    def allowance(self) -> Allowance:
        """What a task may cost."""
        return Allowance(
            requests=self.requests, evaluations=self.evaluations, tokens=self.tokens or None
        )

    def _correct(
        self, statement: Statement, desk: TaskContext, spent: AllowanceUse
    ) -> JudgedKernel | None:
        """A kernel whose timed calls fail is not correct yet: it gets feedback like any other."""
        rounds = Refine(rounds=min(self.requests, self.evaluations), temperature=self.temperature)
        for reply, judged in rounds.attempts(statement, desk):
            spent.count_reply(reply)
            spent.count_evaluation()
            found = _measured_at_last(judged, desk, spent)
            if found.solved and not isinstance(found.evaluation.own_performance, Unmeasured):
                return found
            if not (spent.requests_left and spent.evaluations_left):
                return None
        return None


def _measured_at_last(judged: JudgedKernel, desk: TaskContext, spent: AllowanceUse) -> JudgedKernel:
    """Judge the same file again where other work disturbed the GPU: the model cannot help that."""
    for number in range(AGAIN):
        timed = judged.evaluation.own_performance
        ours = isinstance(timed, Unmeasured) and timed.reason is not Reason.IMPOSSIBLE
        if not (judged.solved and ours and spent.evaluations_left > 0):
            break
        path = f"round {spent.requests - 1}/again {number}"
        judged = desk.judge(path, judged.source, round=spent.requests - 1, parent=judged.name)
        spent.count_evaluation()
    return judged


METHOD = SearchMethod
