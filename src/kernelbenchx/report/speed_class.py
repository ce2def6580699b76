"""How a speed compares with its baseline in a word; the one place that reads it."""

from kernelbenchx.analysis.attempt import Speed

FASTER = "faster"


def speed_class(speed: Speed | None) -> str:
    """`faster`, `slower`, `tie` or `undecided`; empty where there is no speed."""
    return speed.speed_class if speed else ""
