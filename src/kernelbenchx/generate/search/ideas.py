"""Directions for a rewrite, and which of them to ask for next."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.performance import Timed
from kernelbenchx.generate import templates
from kernelbenchx.generate.search.headroom import bound_of
from kernelbenchx.generate.search.prior import Bottleneck

EAGERNESS = 0.3
"""How much a direction that was asked for less often is preferred."""
UNEVEN = 2.0
"""Times that the best case is closer to the limit than the worst."""
PREFIX = "search_idea_"
STRUCTURE = "search_structure_"


@dataclass(frozen=True)
class Symptoms:
    """What the numbers say of the best kernel."""

    bound: Bottleneck
    overhead: bool
    """Launching takes longer than the work in most cases."""
    kernels: int
    spills: bool
    uneven: bool
    idle: bool
    """Far from both limits, memory and arithmetic."""


def symptoms(evaluation: Evaluation) -> Symptoms:
    """Of one evaluation."""
    timed = evaluation.performance
    cases = timed.cases if isinstance(timed, Timed) else ()
    scores = [one.efficiency.score for one in cases if not one.overhead_bound]
    kernels = {one.name for one in evaluation.kernels}
    return Symptoms(
        bound=bound_of(evaluation),
        overhead=2 * sum(one.overhead_bound for one in cases) > len(cases),
        kernels=len(kernels),
        spills=any(one.spills for one in evaluation.kernels),
        uneven=len(scores) > 1 and max(scores) > UNEVEN * max(min(scores), 1e-9),
        idle=bool(scores) and max(scores) < 0.25,
    )


def _suits(seen: Symptoms) -> dict[str, float]:
    """How well each direction goes with the symptoms, between 0 and 1, in order of preference."""
    memory, arithmetic = seen.bound is Bottleneck.MEMORY, seen.bound is Bottleneck.ARITHMETIC
    return {
        "passes": 0.6 * memory + 0.3 * (seen.kernels > 1),
        "wide": 0.6 * memory,
        "tiles": 0.9 * arithmetic,
        "launches": 0.9 * seen.overhead + 0.3 * (seen.kernels > 1),
        "split": 0.6 * seen.idle,
        "sizes": 0.7 * seen.uneven,
        "lean": 0.7 * seen.spills + 0.2 * arithmetic,
        "persistent": 0.4 * arithmetic + 0.1,
        "fresh": 0.2,
    }


def next_ideas(seen: Symptoms, gains: Mapping[str, Sequence[float]], count: int) -> list[str]:
    """Templates of the directions to ask for, each once.

    `gains` holds what each brought so far, in log speed over the best of its time, nothing where
    it failed: a direction that helped is taken further, one that did not waits behind the untried.
    """
    asked = sum(map(len, gains.values()))

    def worth(name: str) -> float:
        own = gains.get(PREFIX + name, ())
        brought = math.fsum(own) / len(own) if own else 0.0
        unsure = EAGERNESS * math.sqrt(math.log(asked + 2) / (len(own) + 1))
        return _suits(seen)[name] / (1 + len(own)) + min(1.0, 4 * brought) + unsure

    ordered = sorted(_suits(seen), key=lambda name: -round(worth(name), 9))
    return [PREFIX + name for name in ordered[:count]]


def templates_of(idea: str) -> tuple[str, ...]:
    """A direction in words and, where there is one, written out for another task."""
    structure = STRUCTURE + idea.removeprefix(PREFIX)
    return (idea, structure) if structure in templates.names() else (idea,)
