"""Maps each argument of a task to a submission's own signature: plain data, no code."""

from kernelbenchx.core.record import Record


class Argument(Record, frozen=True, kw_only=True):
    """One parameter of the task, as its calls are written."""

    name: str
    default: str | None = None
    """The default as Python writes it; None if the task has none."""
    variable: bool = False
    """It collects the remaining positional arguments, as `*size`."""
    keyword_only: bool = False


class Taker(Record, frozen=True, kw_only=True):
    """One parameter of the submission."""

    argument: str = ""
    """The task's argument that it takes; empty if the submission's own default holds."""
    keyword: str = ""
    """Its own name; empty if it can only be given by position."""
    required: bool = False
    """It has no default: if a call leaves it out, it is given the task's."""


class ArgumentBinding(Record, frozen=True, kw_only=True):
    """How every call of a task is written for one function."""

    arguments: tuple[Argument, ...]
    """Arguments of the task, in order."""
    positional: tuple[Taker, ...] = ()
    """What may be given by position, in order."""
    keyword_only: tuple[Taker, ...] = ()
    rest: tuple[str, ...] = ()
    """Arguments of the task that `*args` of the submission takes, in order."""
    named: tuple[str, ...] = ()
    """Those that its `**kwargs` takes, under the task's names."""

    def keyword_of(self, argument: str) -> str:
        """The submission's name for an argument of the task; empty if it has none."""
        takers = (*self.positional, *self.keyword_only)
        return next((one.keyword for one in takers if one.argument == argument), "")

    @property
    def lacks(self) -> tuple[str, ...]:
        """Arguments of the task that no parameter takes."""
        takers = (*self.positional, *self.keyword_only)
        taken = {one.argument for one in takers} | {*self.rest, *self.named}
        return tuple(one.name for one in self.arguments if one.name not in taken)


class EntryBinding(Record, frozen=True, kw_only=True):
    """How to call a submission; None if it takes the task's calls as they are."""

    call: ArgumentBinding | None = None
    """For the function, or the module's `forward`."""
    init: ArgumentBinding | None = None
    """For the module's constructor."""
    line: int = 1
    """Line of the entry."""

    @property
    def lacks(self) -> tuple[str, ...]:
        """Arguments that no call can pass."""
        both = (one.lacks for one in (self.call, self.init) if one is not None)
        return tuple(name for names in both for name in names)


AS_IT_IS = EntryBinding()
"""The task's calls are not changed."""
