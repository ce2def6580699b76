"""The time limit of calls: so many seconds, or the rule `auto`."""

from typing import Final, Literal

TimeLimit = float | Literal["auto"]
"""Seconds for all calls of a submission, or `auto` for a limit on each call."""
AUTO: Final = "auto"
TIMES, LEAST_S, MOST_S = 20, 3.0, 60.0
"""Limits of the rule: a multiple of the witness's slowest call, within these bounds."""


def call_limit(witness_s: float) -> float:
    """CPU seconds of one call, from those of the witness's slowest call."""
    return round(min(max(TIMES * witness_s, LEAST_S), MOST_S), 1)


def total_limit(limit: TimeLimit) -> float:
    """Seconds for all calls together; for `auto` the upper bound of one call."""
    return MOST_S if limit == AUTO else limit


def spell_rule(limit: TimeLimit) -> str:
    """For keys: the rule and not its value, which differs between machines."""
    return f"auto {TIMES} {LEAST_S} {MOST_S}" if limit == AUTO else str(limit)
