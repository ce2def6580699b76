"""The result of a submission under its author's own test: a hint for the author, not a verdict."""

from kernelbenchx.core.record import Record

VOID = "void"
"""The stage of a trial that could not run: a fault of the evaluator."""


class Trial(Record, frozen=True, kw_only=True):
    """Whether it passed, why not, and its output."""

    passed: bool
    stage: str = ""
    """Where it failed: `load` (the submission), `test`, or `end` if the process was ended."""
    detail: str = ""
    """Why it failed, in a line or a few."""
    line: int = 0
    """Line of the submission, if known."""
    output: str = ""
    """The last part of the output."""
