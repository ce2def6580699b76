"""The interface of a method: a record of options whose `run` works with a `TaskContext`."""

from typing import Annotated, ClassVar, Protocol, runtime_checkable

from msgspec import Meta

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.generate.task_context import TaskContext

OPENING = "opening"
"""Stands for the templates that the first prompt of a run is made from, as they were chosen."""
Temperature = Annotated[float, Meta(ge=0, le=2)]
"""The range that servers accept."""


class Method(Protocol):
    """A frozen record: its fields are the options, its defaults what the source used.

    Deterministic: what it does depends on its options, the statement, `desk.chance`, and on what
    `desk.ask` and `desk.judge` returned, never on the time or on who was first. Resuming a run is
    running the method again with a context that remembers.
    """

    __struct_fields__: ClassVar[tuple[str, ...]]
    """The names of its options, as every record has them."""
    uses: ClassVar[tuple[str, ...]]
    """Patterns of its templates, or `OPENING`: no request is made from any other."""

    def run(self, statement: Statement, desk: TaskContext) -> None:
        """Everything for one task. `Stopped` is let through."""


@runtime_checkable
class HasOptionalTemplates(Protocol):
    """A method that uses some templates only with certain options."""

    @property
    def optional(self) -> tuple[str, ...]:
        """Patterns of those that the chosen options add to `uses`."""


def templates_of(method: Method) -> tuple[str, ...]:
    """Patterns of all templates that a method uses with its options."""
    more = method.optional if isinstance(method, HasOptionalTemplates) else ()
    return (*method.uses, *more)


@runtime_checkable
class HasOwnTests(Protocol):
    """A method that runs tests which the model wrote: only where those can read nothing."""

    own_tests: ClassVar[bool]
