"""Many kernels for the same prompt: what pass@k is made from."""

from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.record import Record
from kernelbenchx.generate.method import OPENING, Temperature
from kernelbenchx.generate.reply_program import program
from kernelbenchx.generate.task_context import TaskContext


class SampleMethod(Record, frozen=True, kw_only=True):
    """Several kernels from the same prompt, drawn independently; pass@k."""

    uses: ClassVar[tuple[str, ...]] = (OPENING,)

    samples: Annotated[int, Meta(ge=1, le=1000, description="kernels per task")] = 10
    temperature: Annotated[
        Temperature | None, Meta(description="of every request; none leaves it to the model")
    ] = 1.0

    @property
    def most_requests(self) -> int:
        """For one task."""
        return self.samples

    def run(self, statement: Statement, desk: TaskContext) -> None:
        """All at once; none knows of the others."""
        opening = desk.prompts.opening(statement)

        def one(number: int) -> None:
            path = f"sample {number}"
            reply = desk.ask(
                path,
                opening.messages,
                temperature=self.temperature,
                templates=opening.templates,
                left_out=opening.left_out,
            )
            desk.judge(path, program(reply.text, statement), round=0, sample=number)

        desk.together([partial(one, number) for number in range(self.samples)])


METHOD = SampleMethod
