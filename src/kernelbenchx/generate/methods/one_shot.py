"""One request, one kernel."""

from typing import Annotated, ClassVar

from msgspec import Meta

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.record import Record
from kernelbenchx.generate.method import OPENING, Temperature
from kernelbenchx.generate.reply_program import program
from kernelbenchx.generate.task_context import TaskContext


class OneShot(Record, frozen=True, kw_only=True):
    """One request, one kernel, as it comes."""

    uses: ClassVar[tuple[str, ...]] = (OPENING,)

    temperature: Annotated[
        Temperature | None, Meta(description="of the request; none leaves it to the model")
    ] = None

    @property
    def most_requests(self) -> int:
        """For one task."""
        return 1

    def run(self, statement: Statement, desk: TaskContext) -> None:
        """Ask once, judge once."""
        opening = desk.prompts.opening(statement)
        reply = desk.ask(
            "only",
            opening.messages,
            temperature=self.temperature,
            templates=opening.templates,
            left_out=opening.left_out,
        )
        desk.judge("only", program(reply.text, statement), round=0)


METHOD = OneShot
