"""A bench whose times follow from the numbers in a source."""

import re
from collections.abc import Callable

import msgspec

from desks import FakeBench
from kernelbenchx.core.outcome import Broken, Correct, Outcome, Reason, Stage
from kernelbenchx.core.performance import Performance, Timed
from samples import timed

RIGHT = Correct(cases=4, worst=0.5)


def number(source: str, name: str, otherwise: int) -> int:
    """What a name is set to."""
    found = re.search(rf"\b{name}\"?\s*[=:]\s*(\d+)", source)
    return int(found[1]) if found else otherwise


def at_speed(speedup: float, *, score: float = 0.4) -> Timed:
    """So fast, so near to the limit."""
    made = timed(speedup)
    cases = tuple(
        msgspec.structs.replace(
            one, efficiency=msgspec.structs.replace(one.efficiency, score=score, roofline_us=1.0)
        )
        for one in made.cases
    )
    return msgspec.structs.replace(made, cases=cases)


def broken(why: str = "out of resource: shared memory") -> Broken:
    """It did not compile."""
    return Broken(stage=Stage.CALL, reason=Reason.COMPILE_ERROR, detail=why, line=1)


def bench_of(speedup: Callable[[str], float | None], *, score: float = 0.4) -> FakeBench:
    """Correct and as fast as a function says; broken where it says nothing."""

    def verdict(source: str) -> Outcome | tuple[Outcome, Performance]:
        factor = speedup(source)
        return broken() if factor is None else (RIGHT, at_speed(factor, score=score))

    return FakeBench(verdict)
