"""The errors of a whole output as a map of at most 32 by 32 cells."""

import math

import torch

from kernelbenchx.core.error_map import (
    BORDER,
    FULL,
    INFINITE,
    LEVELS,
    MOST_CELLS,
    NOTHING,
    ErrorMap,
    as_lines,
)

_LETTERS = LEVELS + INFINITE + NOTHING
_AT_INFINITE, _AT_NOTHING = len(LEVELS), len(LEVELS) + 1


def error_map(errors: torch.Tensor) -> ErrorMap | None:
    """A map reduced on the errors' device: only letters leave a GPU. None without elements."""
    if errors.numel() == 0:
        return None
    shape = tuple(errors.shape)
    lines = as_lines(shape)
    steps = (-(-lines[0] // MOST_CELLS), -(-lines[1] // MOST_CELLS))
    cells = _cells(errors, lines, steps)
    single = steps == (1, 1)
    return ErrorMap(
        shape=shape,
        lines=lines,
        steps=steps,
        cells=_letters(cells.amax((1, 3))),
        wrong="" if single else _shares(cells),
    )


def _cells(errors: torch.Tensor, lines: tuple[int, int], steps: tuple[int, int]) -> torch.Tensor:
    """As (down, lines of a cell, across, elements of a cell); -1 where there is no element."""
    (height, width), (down, across) = lines, steps
    flat = errors.detach().reshape(-1)
    missing = height * width - flat.numel()
    if missing:
        flat = torch.nn.functional.pad(flat, (0, missing), value=-1.0)
    below, beside = -height % down, -width % across
    page = flat.reshape(height, width)
    if below or beside:
        page = torch.nn.functional.pad(page, (0, beside, 0, below), value=-1.0)
    return page.reshape((height + below) // down, down, (width + beside) // across, across)


def _letters(worst: torch.Tensor) -> str:
    worst = worst.double().cpu()
    levels = torch.ceil(4 * torch.log10(worst.clamp(min=1e-9))) + BORDER
    levels = levels.clamp(0, len(LEVELS) - 1)
    # Rounding of the logarithm must not move an error across the border.
    levels = torch.where(worst <= 1, levels.clamp(max=BORDER), levels.clamp(min=BORDER + 1))
    levels[torch.isinf(worst) | torch.isnan(worst)] = _AT_INFINITE
    levels[worst < 0] = _AT_NOTHING
    return "".join(_LETTERS[level] for level in levels.flatten().int().tolist())


def _shares(cells: torch.Tensor) -> str:
    wrong = ((cells > 1) | cells.isnan()).sum((1, 3)).double().cpu()
    there = (~(cells < 0)).sum((1, 3)).double().cpu()
    shares = wrong / there.clamp(min=1)
    found = shares.flatten().tolist()
    return "".join(str(math.floor(share * (FULL - 1)) + 1 if share else 0) for share in found)
