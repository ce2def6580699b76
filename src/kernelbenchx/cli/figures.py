"""Numbers as people read them: three or four digits, never an exponent."""

import math

from kernelbenchx.analysis.table import near_one


def factor(value: float) -> str:
    """A speedup without its sign: 0.034, 1.23, 12.3, 123."""
    if not math.isfinite(value):
        return str(value)
    digits = 3 if abs(value) < 0.1 else 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{digits}f}"


def interval(speedup: float, low: float | None = None, high: float | None = None) -> str:
    """A speedup and the ends of its interval, if any; all in thousandths where one is near 1."""
    fine = near_one(speedup, low, high)

    def said(value: float) -> str:
        return f"{value:.3f}" if fine and abs(value) < 10 else factor(value)

    if low is None or high is None:
        return f"{said(speedup)}x"
    return f"{said(speedup)}x [{said(low)}, {said(high)}]"


def microseconds(value: float) -> str:
    """A time: 1.234, 33.54, 123.4, 16023."""
    if not math.isfinite(value):
        return str(value)
    digits = 3 if value < 10 else 2 if value < 100 else 1 if value < 1000 else 0
    return f"{value:.{digits}f}"


def duration(seconds: float) -> str:
    """As a clock shows it: 0:07, 12:34, 3:00:05."""
    whole = max(0, round(seconds))
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{whole % 60:02}"
    return f"{minutes}:{whole % 60:02}"


def short(text: str, most: int = 240) -> str:
    """One line of at most so many characters."""
    flat = one_line(text)
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def one_line(text: str) -> str:
    """Without what ends a line, moves a cursor or colours a terminal."""
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """Lines without what moves a cursor or colours a terminal."""
    return "".join(one if one.isprintable() or one == "\n" else " " for one in text.expandtabs(4))


def counted(number: int, one: str, many: str = "") -> str:
    """So many of something: 1 case, 2,000 cases."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tokens(number: int) -> str:
    """As one speaks of them: 950, 12.3k, 1.23M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{factor(number / size)}{letter}"
    return str(number)


def dollars(amount: float) -> str:
    """With cents, and more digits where there is less than a dollar."""
    return f"${amount:.2f}" if amount >= 1 or amount == 0 else f"${amount:.4f}"
