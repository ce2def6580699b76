"""Where an output is wrong, small enough to be kept: a grid of cells with a letter each.

Made by the judge for readers of results. No submission ever receives one.
"""

import math
from collections.abc import Iterator
from string import ascii_letters, digits

from kernelbenchx.core.record import Record

MOST_CELLS = 32
"""Most cells along each side of a map."""
LEVELS = digits + ascii_letters
"""The letter of an error: each stands for errors 10^(1/4) times as large as the one before."""
BORDER = 8
"""Errors of this level and below are within the budget, those above are not."""
INFINITE = "*"
NOTHING = "-"
"""Marks cells behind the last element."""
FULL = 9
"""The digit of a cell in which every element is wrong; 1 to 8 are eighths, 0 is none."""


class ErrorMap(Record, frozen=True, kw_only=True):
    """An output as lines of elements, reduced to cells."""

    shape: tuple[int, ...]
    lines: tuple[int, int]
    """Number of lines, and elements in each; an output with one axis is folded into lines."""
    steps: tuple[int, int]
    """Lines and elements that one cell covers."""
    cells: str
    """The largest error in each cell as a letter, line by line."""
    wrong: str = ""
    """The share of wrong elements as a digit; empty if a cell is one element."""

    @property
    def size(self) -> tuple[int, int]:
        """Number of cells down and across."""
        (height, width), (down, across) = self.lines, self.steps
        return -(-height // down), -(-width // across)

    def rows(self) -> Iterator[str]:
        """The letters of each line of cells."""
        _, columns = self.size
        for at in range(0, len(self.cells), columns):
            yield self.cells[at : at + columns]


def bounds(letter: str) -> tuple[float, float]:
    """The errors that a letter stands for: more than the first, at most the second."""
    if letter == INFINITE:
        return math.inf, math.inf
    level = LEVELS.index(letter)
    low = 0.0 if level == 0 else 10 ** ((level - 1 - BORDER) / 4)
    return low, math.inf if level == len(LEVELS) - 1 else 10 ** ((level - BORDER) / 4)


def is_wrong(letter: str) -> bool:
    """Whether a cell with this letter holds an element outside its budget."""
    return letter == INFINITE or (letter != NOTHING and LEVELS.index(letter) > BORDER)


def as_lines(shape: tuple[int, ...]) -> tuple[int, int]:
    """The last axis lies across and all others down; a single axis is folded."""
    axes = [size for size in shape if size != 1]
    if len(axes) > 1:
        return math.prod(axes[:-1]), axes[-1]
    count = axes[0] if axes else 1
    if count <= MOST_CELLS:
        return 1, count
    # A power of two: blocks of kernels then begin where cells do.
    width = max(MOST_CELLS, 1 << (-(-count // MOST_CELLS) - 1).bit_length())
    return -(-count // width), width
