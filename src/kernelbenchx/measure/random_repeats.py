"""Detects random numbers that come again in another call: they were stored, not drawn.

Each output by itself obeys the law. So a sample of every output of a process is noted, also of
those that are not judged: with more of them, a pool must be larger to escape detection.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import torch

from kernelbenchx.spec.binomial import Binomial
from kernelbenchx.spec.distribution import Dropout
from kernelbenchx.spec.task import Task

SAMPLES, MOST = 256, 32
"""Words of each output that are searched for elsewhere, and how many may be found: storing an
eighth of an output or less gains little."""
_SHARE = 8
"""Outputs that repeat are more than this share of all: a seed may repeat once by chance, if it is
drawn from a million."""
_PLACES, _FEWEST = 4096, 64
"""Elements of each mask that are noted, and the fewest of either kind, below which it proves
nothing."""
_WORD, _ODD = 16, -0x61C8864680B583EB
"""Bytes of a word, so many that none repeats by chance: numbers may have 23 random bits in any
dtype. The factor combines the halves of a word into one number."""


class RepeatDetector(Protocol):
    """What is noted of the outputs of one process in one case."""

    def note(self, output: torch.Tensor) -> None: ...

    def has_repeats(self, taken: Sequence[torch.Tensor]) -> bool:
        """Whether one of them was there before or came later; sampled outputs are whole."""
        ...


@dataclass
class NumberRepeats:
    """Searches everywhere in other outputs: a section of a pool may begin anywhere."""

    samples: list[torch.Tensor] = field(default_factory=list)

    def note(self, output: torch.Tensor) -> None:
        self.samples.append(_sample(output))

    def has_repeats(self, taken: Sequence[torch.Tensor]) -> bool:
        """Whether a sample lies in an output other than its own."""
        if len(self.samples) < 2:
            return False
        again = [
            sum(one > MOST for one in _count_matches(each, self.samples)) > 1 for each in taken
        ]
        return _SHARE * sum(again) > 2 * len(again)


@dataclass
class MaskRepeats:
    """Compares the same places: what is always zero is zero everywhere, since inputs differ."""

    rows: list[torch.Tensor] = field(default_factory=list)
    _places: dict[int, torch.Tensor] = field(default_factory=dict)
    """By the number of elements: another form is noted separately, and differs there by chance."""

    def note(self, output: torch.Tensor) -> None:
        flat = output.reshape(-1)
        size = flat.numel()
        if size and size not in self._places:
            self._places[size] = torch.randint(size, (_PLACES,), device=flat.device)
        if size:
            self.rows.append((flat[self._places[size]] != 0).to(torch.float32))

    def has_repeats(self, taken: Sequence[torch.Tensor]) -> bool:  # noqa: ARG002 - all are in rows
        rows = [one for one in self.rows if _FEWEST <= float(one.sum()) <= _PLACES - _FEWEST]
        if len(rows) < 2:
            return False
        masks = torch.stack(rows)
        kept = masks.mean(1)
        by_chance = torch.outer(kept, 1.0 - kept) + torch.outer(1.0 - kept, kept)
        alike = masks @ masks.T + (1.0 - masks) @ (1.0 - masks).T
        differs = 1.0 - alike / _PLACES
        differs.fill_diagonal_(1.0)
        again = (differs < by_chance / 2.0).any(1)
        return _SHARE * int(again.sum()) > len(rows)


def make_repeat_detector(task: Task) -> RepeatDetector:
    """The detector for what a random task must draw newly in each call.

    Few trials give many zeros, whose words repeat by chance; their places do not.
    """
    return MaskRepeats() if isinstance(task.contract, Dropout | Binomial) else NumberRepeats()


def _flat(output: torch.Tensor) -> tuple[torch.Tensor, int]:
    """All elements, and how many of them make a word."""
    real = torch.view_as_real(output) if output.is_complex() else output
    return real.reshape(-1), _WORD // real.dtype.itemsize


def _words(elements: torch.Tensor) -> torch.Tensor:
    """One number for each row of elements."""
    halves = elements.contiguous().view(torch.int64)
    return halves[:, 0] * _ODD + halves[:, 1]


def _rows(flat: torch.Tensor, together: int, shift: int) -> torch.Tensor:
    """All words from one element on; a copy unless they begin at a word."""
    count = max(0, flat.numel() - shift) // together
    whole = flat[shift : shift + count * together]
    return (whole.clone() if shift else whole).view(count, together)


def _sample(output: torch.Tensor) -> torch.Tensor:
    flat, together = _flat(output)
    count = flat.numel() // together
    if count <= SAMPLES:
        return _words(_rows(flat, together, 0))
    at = together * torch.randint(count, (SAMPLES, 1), device=flat.device)
    return _words(flat[at + torch.arange(together, device=flat.device)])


def _count_matches(output: torch.Tensor, samples: Sequence[torch.Tensor]) -> list[int]:
    """Of each sample, how many words lie in an output, counted once for each place."""
    wanted, which = torch.unique(torch.cat(list(samples)), return_inverse=True)
    hits = torch.zeros_like(wanted)
    flat, together = _flat(output)
    for shift in range(together if wanted.numel() else 0):
        words = _words(_rows(flat, together, shift))
        places = torch.bucketize(words, wanted).clamp_(max=wanted.numel() - 1)
        hits += places[wanted[places] == words].bincount(minlength=wanted.numel())
    each = torch.split(hits[which], [one.numel() for one in samples])
    return [int(one.sum()) for one in each]
