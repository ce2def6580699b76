"""Names of methods in a report, the same in every table and plot."""

from collections.abc import Sequence

from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import author_names


def label_attempts(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Attempts whose `method` is the full name of their author, as in the analysis.

    The model is part of the name only where a method was run with several.
    """
    names = author_names(attempts)
    if all(method == name for (method, _), name in names.items()):
        return list(attempts)
    return [replace(one, method=names[one.method, one.model], model="") for one in attempts]
