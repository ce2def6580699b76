"""Numbers as people read them: three or four digits, never an exponent."""

import math

from kernelbenchx.analysis.table import near_one


def factor(value: float) -> str:
    """A speedup without its sign: 0.034, 1.23, 12.3, 123."""
    return _format_fixed(value, _digits(value))


def _digits(value: float) -> int:
    size = abs(value)
    return 3 if size < 0.1 else 2 if size < 10 else 1 if size < 100 else 0


def _format_fixed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else str(value)


def interval(speedup: float, low: float | None = None, high: float | None = None) -> str:
    """A speedup and the ends of its interval, if any; all in thousandths where one is near 1, and
    with a digit more where rounding would hide what the interval says."""
    fine = near_one(speedup, low, high)

    def format_value(value: float, more: int = 0) -> str:
        return _format_fixed(value, (3 if fine and abs(value) < 10 else _digits(value)) + more)

    if low is None or high is None:
        return f"{format_value(speedup)}x"
    more = 1 if _hides((low, high), (format_value(low), format_value(high))) else 0
    return f"{format_value(speedup, more)}x [{format_value(low, more)}, {format_value(high, more)}]"


def _hides(ends: tuple[float, float], said: tuple[str, str]) -> bool:
    """Whether an interval looks like a point, or an end like the border of a tie it is beyond."""
    from kernelbenchx.measure.statistics import TIE_HIGH, TIE_LOW  # not for help, which is instant

    borders = (TIE_LOW, TIE_HIGH)
    if ends[0] != ends[1] and said[0] == said[1]:
        return True
    return any(
        float(word) in borders and end not in borders for end, word in zip(ends, said, strict=True)
    )


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


def format_count(number: int, one: str, many: str = "") -> str:
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
