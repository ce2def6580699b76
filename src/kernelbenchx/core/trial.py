"""What became of a submission under its author's own test: a hint for the author, not a verdict."""

from kernelbenchx.core.record import Record

VOID = "void"
"""The stage of a trial that could not be made: a fault of the evaluator."""


class Trial(Record, frozen=True, kw_only=True):
    """Passed or not, why, and what was printed."""

    passed: bool
    stage: str = ""
    """Where it failed: `load` (the submission), `test`, or `end` where the process was ended."""
    detail: str = ""
    """Why it failed, in a line or a few."""
    line: int = 0
    """Of the submission, where that is known."""
    output: str = ""
    """The last part of what was printed."""
