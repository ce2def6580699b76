"""Prints the tables about random answers in docs/explanation/numerics.md."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from kernelbenchx.spec import Binomial, Close, Dropout, Evidence, Uniform, call
from kernelbenchx.spec.distribution import mask_statistics
from kernelbenchx.spec.families.binomials import WRONG_COUNTS
from kernelbenchx.spec.tail_bounds import CASE_ALPHA, EVALUATION_ALPHA, MOST_JUDGEMENTS, threshold

WIDE = (8, 50, 64)


@dataclass(frozen=True)
class Row:
    """One answer and what became of it."""

    what: str
    answer: str
    right: bool
    multiple: float

    def __str__(self) -> str:
        verdict = "right" if self.right else "wrong"
        return f"| {self.what} | {self.answer} | {verdict} | {self.multiple:.2g} |"


def draw(*shape: int, seed: int = 0) -> Tensor:
    """Normal numbers."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def keep_half(x: Tensor) -> float:
    """The rate of the table's dropout."""
    return x.numel() / (2 * x.numel())


DROPOUT = Dropout(keep_half, lambda x: 2 * x, Close())


def dropped(x: Tensor, masks: list[Tensor]) -> tuple[bool, float]:
    """Two calls of dropout with these masks."""
    outputs = tuple((torch.where(mask, 2 * x, 0.0),) for mask in masks)
    found = DROPOUT.judge(Evidence(call(x), outputs, (), outputs[0]))
    return found.ok, found.worst


def coins(rate: float, seed: int, shape: tuple[int, ...] = WIDE) -> Tensor:
    """A mask."""
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) < rate


def diagonal(stream: Tensor) -> Tensor:
    """The element at (row, column) is that of the stream at their sum."""
    return stream[torch.arange(400)[:, None] + torch.arange(64)].view(WIDE)


def patched(mask: Tensor, other: Tensor) -> Tensor:
    """With 512 elements of another mask."""
    found = mask.clone()
    found[3, :8] = other[3, :8]
    return found


def dropout_rows() -> Iterator[Row]:
    """Masks of 25,600 elements."""
    x, same = draw(*WIDE, seed=999_999), coins(0.5, 0)
    program = [coins(0.5, s, (1024,)).repeat(25).reshape(WIDE) for s in (0, 1)]
    masks = {
        "independent masks": [coins(0.5, 0), coins(0.5, 1)],
        "keep rate 0.55 instead of 0.5": [coins(0.55, 0), coins(0.55, 1)],
        "the same mask in both calls": [same, same],
        "one mask for all rows": [coins(0.5, s, (64,)).expand(WIDE) for s in (0, 1)],
        "one mask for all programs of 1,024": program,
        "one mask for each diagonal": [diagonal(coins(0.5, s, (500,))) for s in (0, 1)],
        "one stream, shifted by 777": [
            coins(0.5, 0, (30_000,))[at : at + 25_600].view(WIDE) for at in (0, 777)
        ],
        "512 elements that do not change": [patched(coins(0.5, s), same) for s in (0, 1)],
    }
    for label, pair in masks.items():
        yield Row("dropout, p = 0.5", label, *dropped(x, pair))


def uniform_rows() -> Iterator[Row]:
    """Numbers of 128 x 256 elements, three independent calls."""
    for bits in (24, 23, 20, 16, 8):
        drawn = [
            torch.randint(0, 2**bits, (128, 256), generator=torch.Generator().manual_seed(s))
            / 2**bits
            for s in range(3)
        ]
        outputs = tuple((x.float(),) for x in drawn)
        found = Uniform().judge(Evidence(call(), outputs, (), outputs[0]))
        yield Row("uniform numbers", f"{bits} random bits", found.ok, found.worst)
    for label, streams in streams_of_numbers().items():
        yield Row("90,000 uniform numbers", label, *uniform(streams))


def numbers(seed: int, count: int = 90_000) -> Tensor:
    """Of 24 bits."""
    drawn = torch.randint(0, 2**24, (count,), generator=torch.Generator().manual_seed(seed))
    return drawn / 2.0**24


def uniform(streams: list[Tensor]) -> tuple[bool, float]:
    """Calls with different seeds, 300 columns each."""
    outputs = tuple((one.reshape(-1, 300),) for one in streams)
    found = Uniform().judge(Evidence(call(), outputs, (), outputs[0]))
    return found.ok, found.worst


def streams_of_numbers() -> dict[str, list[Tensor]]:
    """Honest ones, and defects that show in no single number."""
    one, count = numbers(0), torch.arange(90_000)
    turned = (one.double() + 0.3).frac().float()
    order = numbers(1).argsort()
    return {
        "independent": [one, numbers(1)],
        "a period of 2^16": [numbers(s, 65_536).repeat(2)[:90_000] for s in (0, 1)],
        "one stream, shifted by 54,321": [numbers(0, 180_000)[at:][:90_000] for at in (0, 54_321)],
        "one stream in another order": [one, one[order]],
        "one stream plus 0.3, modulo 1": [one, turned],
        "positions crossed by 21,845": [one[:65_400], one[(count ^ 21_845)[:65_400]]],
        "low 13 bits that count": [
            (numbers(s) * 2048).floor() / 2048 + count % 8192 / 2.0**24 for s in (0, 1)
        ],
    }


def binomial_rows() -> Iterator[Row]:
    """70,000 numbers with laws of their own, times factors."""
    chance = torch.Generator().manual_seed(3)
    shape = (140, 500)
    factor = torch.randint(-1000, 1000, shape, generator=chance)
    n = torch.randint(1, 9, shape, generator=chance).float()
    p = 0.2 + 0.6 * torch.rand(shape, generator=chance)
    wrong = ("a normal number, rounded", "one trial too few", "rows repeat", "a period of 2^16")
    chosen = {name: WRONG_COUNTS[name] for name in wrong}
    for label, numbers in {"independent": torch.binomial, **chosen}.items():
        torch.manual_seed(11)
        answers = tuple(((factor * numbers(n, p)).float(),) for _ in range(2))
        given = Evidence(call(factor, n, p), answers, (), ((factor * n).float(),))
        found = Binomial(lambda factor, n, p: (factor, n, p)).judge(given)
        yield Row("70,000 binomial numbers", label, found.ok, found.worst)


def rows() -> Iterator[Row]:
    """Everything in the first table."""
    yield from dropout_rows()
    yield from uniform_rows()
    yield from binomial_rows()


def statistics_per_case() -> int:
    """Tests of one dropout case of 25,600 elements."""
    known = torch.ones(math.prod(WIDE), dtype=torch.bool)
    return len(mask_statistics([known, known], known, torch.Size(WIDE), 0.5))


def smallest_rejected(off: float) -> int:
    """Smallest size, in steps of 1,024, from which 20 of 20 masks with that rate are rejected."""
    for size in range(1024, 40_960, 1024):
        x = draw(size, seed=999_999)
        pairs = [
            [coins(0.5 + off, 2 * s, (size,)), coins(0.5 + off, 2 * s + 1, (size,))]
            for s in range(20)
        ]
        if not any(dropped(x, pair)[0] for pair in pairs):
            return size
    return -1


def main() -> None:
    """Print both tables."""
    print("| what | answer | verdict | surprise, of the border |\n|---|---|---|---|")
    for row in rows():
        print(row)
    count = statistics_per_case()
    x = draw(*WIDE, seed=999_999)
    honest = [dropped(x, [coins(0.5, 2 * s), coins(0.5, 2 * s + 1)]) for s in range(200)]
    print("\n| figure | value |\n|---|---|")
    print(f"| false alarms allowed per evaluation | {EVALUATION_ALPHA:.1e} |")
    print(f"| judgements that share it | {MOST_JUDGEMENTS} |")
    print(f"| false alarms allowed per judgement of a case | {CASE_ALPHA:.1e} |")
    print(f"| statistics of such a dropout case | {count} |")
    print(f"| false alarms allowed per statistic | {CASE_ALPHA / count:.1e} |")
    print(f"| surprise at the border | {threshold(count):.1f} |")
    largest = max(worst for _, worst in honest)
    print(f"| 200 honest dropout cases: rejected | {sum(not ok for ok, _ in honest)} |")
    print(f"| 200 honest dropout cases: largest surprise, of the border | {largest:.2f} |")
    found = [uniform([numbers(2 * s), numbers(2 * s + 1)]) for s in range(100)]
    largest = max(worst for _, worst in found)
    print(f"| 100 honest cases of 90,000 numbers: rejected | {sum(not ok for ok, _ in found)} |")
    print(f"| 100 honest cases of numbers: largest surprise, of the border | {largest:.2f} |")
    size = smallest_rejected(0.05)
    print(f"| size from which 20 of 20 masks kept at 0.55 are rejected | {size:,} |")


if __name__ == "__main__":
    main()
