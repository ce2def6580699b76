"""Everything a user can do wrong, as exceptions with one clear line.

KbxError
├── BadInput        the command line, a file or a name is not usable (exit code 2)
├── BrokenTask      a task file does not keep to the grammar
├── BadProblem      a published problem's own file failed (in `spec/imported_problem.py`)
└── EvaluatorFault  the evaluator failed; becomes `Void`, never the submission's fault
"""

from kernelbenchx.core.text import label

_LONGEST = 10_000


class KbxError(Exception):
    """Base of all errors that are shown without a traceback."""


class BadInput(KbxError):
    """What the user gave cannot be used; the message says what was expected, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(label(message, _LONGEST))


class BrokenTask(KbxError):
    """A task file violates the grammar; the message names file and reason."""


class EvaluatorFault(KbxError):
    """The evaluator itself failed."""
