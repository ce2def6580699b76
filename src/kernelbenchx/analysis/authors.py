"""Names the author of a kernel (method and model) the same way in every table and plot."""

from collections import defaultdict
from collections.abc import Iterable

from kernelbenchx.analysis.attempt import Attempt

NOT_SAID = "not recorded"


def author_names(attempts: Iterable[Attempt]) -> dict[tuple[str, str], str]:
    """By method and model: the method, and its model too where it was used with several."""
    models: defaultdict[str, set[str]] = defaultdict(set)
    for one in attempts:
        models[one.method].add(one.model)
    return {
        (method, model): _name(method, model, several=len(used) > 1)
        for method, used in models.items()
        for model in used
    }


def _name(method: str, model: str, *, several: bool) -> str:
    if not method:
        return model or NOT_SAID
    return f"{method} ({model or NOT_SAID})" if several else method
