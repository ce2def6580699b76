"""Numbers with few digits: enough to see what is wrong, too few to give an answer away."""

import re

DIGITS = 4
_REAL = re.compile(r"(?<![\w.])-?\d*\.\d+(?:[eE][+-]?\d+)?(?!\.\d)(?!(?!j\b)\w)")


def round_numbers(text: str) -> str:
    """Every real number in a text with at most that many digits."""
    return _REAL.sub(lambda found: _short(found[0]), text)


def compare_numbers(got: str, expected: str) -> str:
    """`0.2899, expected 0.2909`; by how much it is off where few digits show no difference."""
    mine, theirs = round_numbers(got), round_numbers(expected)
    if mine != theirs:
        return f"{mine}, expected {theirs}"
    try:
        off = f"{float(got) - float(expected):+.2g}"
    except ValueError:
        off = "a little"
    return f"{mine}, off by {off}"


def _short(number: str) -> str:
    digits = re.sub(r"[eE].*|\D", "", number).lstrip("0")
    return number if len(digits) <= DIGITS else f"{float(number):.{DIGITS}g}"
