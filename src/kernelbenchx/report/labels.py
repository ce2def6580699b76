"""What a method is called in a report, so that every table and picture says the same."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.frame import NOT_SAID


def labelled(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Attempts whose `method` is the whole name of who wrote them, as the analysis says it.

    The model is part of the name only where a method was run with several.
    """
    models: dict[str, set[str]] = defaultdict(set)
    for one in attempts:
        models[one.method].add(one.model)
    names = {
        (method, model): _name(method, model, several=len(found) > 1)
        for method, found in models.items()
        for model in found
    }
    if all(method == name for (method, _), name in names.items()):
        return list(attempts)
    return [replace(one, method=names[one.method, one.model], model="") for one in attempts]


def _name(method: str, model: str, *, several: bool) -> str:
    if not method:
        return model or NOT_SAID
    return f"{method} ({model or NOT_SAID})" if several else method
