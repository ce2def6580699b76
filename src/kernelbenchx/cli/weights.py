"""How modules got their weights, in words."""

from collections import Counter
from collections.abc import Sequence

from kernelbenchx.core.evaluation import Evaluation

ROUTES = {
    "name": "by name",
    "place": "by place",
    "part": "by the last part of the name",
    "shape": "by shape",
    "seed": "from the seed",
}


def weights_of(one: Evaluation) -> str:
    """Of one module; nothing where it has none."""
    return f"weights {ROUTES[one.weights]}" if one.weights in ROUTES else ""


def weights_summary(evaluations: Sequence[Evaluation]) -> list[str]:
    """A line about all correct modules; nothing where all of them went by name."""
    routes = Counter(one.weights for one in evaluations if one.solved and one.weights in ROUTES)
    if not set(routes) - {"name"}:
        return []
    said = ", ".join(f"{routes[route]} {ROUTES[route]}" for route in ROUTES if routes[route])
    return [f"weights of the correct ones, counted apart: {said}"]
