"""Feedback for a rewrite: where time is lost, and which settings were tried."""

import math
from collections.abc import Sequence

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.performance import Timed
from kernelbenchx.generate.case_description import case_words
from kernelbenchx.generate.drafts import clip_text
from kernelbenchx.generate.search.headroom import farthest
from kernelbenchx.generate.search.ideas import PREFIX
from kernelbenchx.generate.search.trials import SettingTrial

MOST = 12
"""Trials that a prompt lists: the fastest, and the latest that failed."""
MOST_FAILED = 4
LONGEST = 300
"""Characters of a setting: its names are the model's own."""


def slow_words(evaluation: Evaluation, statement: Statement) -> str:
    """Which input is furthest from the limit; nothing where there are no times."""
    timed = evaluation.performance
    one = farthest(timed) if isinstance(timed, Timed) else None
    if one is None:
        return ""
    where = case_words(one.case, statement)
    return (
        f"Furthest from the limit is {where}: it uses {one.efficiency.score:.0%} of what the GPU "
        "can do. That is where there is most to gain."
    )


def tried_words(trials: Sequence[SettingTrial]) -> str:
    """A line for each of the best and for some that failed."""
    timed = sorted((one for one in trials if one.speed is not None), key=lambda one: -_value(one))
    failed = [one for one in trials if one.speed is None][-MOST_FAILED:]
    lines = [f"- {_what(one)}: {_speed(one)}" for one in timed[: MOST - len(failed)]]
    lines += [f"- {_what(one)}: {one.said or 'failed'}" for one in failed]
    return "\n".join(lines) or "- nothing yet"


def _value(one: SettingTrial) -> float:
    return one.speed.value if one.speed is not None else 0.0


def _what(one: SettingTrial) -> str:
    """A setting by what differs from the file it belongs to; a rewrite by its direction."""
    differs = [
        f"{choice.name} {value}"
        for choice, value in zip(one.space.choices, one.point, strict=True)
        if value != choice.now
    ]
    if differs:
        return clip_text(", ".join(differs), LONGEST)
    return f"a rewrite ({one.idea.removeprefix(PREFIX)})" if one.idea else "the first right file"


def _speed(one: SettingTrial) -> str:
    speed = one.speed
    if speed is None or not speed.measured:
        return "right, not timed"
    ends = (_times(speed.low), _times(speed.high))
    return f"{_times(speed.value)}x ({ends[0]} to {ends[1]})"


def _times(log: float) -> str:
    return f"{math.exp(log):.3g}"
