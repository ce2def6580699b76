"""Bitwise and of two tensors, times binomial random numbers: (input & other) * S.

S is drawn from Binomial(total_count, p), one number for every element of the result, independent of
all others and anew in every call. p is probs, or 1 / (1 + exp(-logits)); exactly one of them is
given. All tensors broadcast to the shape of the result, which is float32. input and other have one
dtype: int32, int64 or bool (True counts as 1); |input & other| is less than 2^17. total_count,
probs and logits are float32: total_count has whole numbers from 0 to 100, probs lie in [0, 1], and
logits are finite. Every product is exact. Where p is 0 or total_count is 0, S is 0; where p is 1,
it is total_count.

The published test asks for the numbers of torch's own stream and never looks at input & other; here
the law is judged. The only source of randomness is one torch.randint.
"""

import torch

from kernelbenchx.spec import Binomial, Mutant, Promise, Task, case
from kernelbenchx.spec.families import mistakes
from kernelbenchx.spec.families.axes import dtypes
from kernelbenchx.spec.families.binomials import (
    AXES,
    SHAPES,
    WRONG_COUNTS,
    factor_cost,
    factor_inputs,
    is_valid,
)
from kernelbenchx.spec.space import Space


def bitwise_and_binomial(
    input: torch.Tensor,
    other: torch.Tensor,
    total_count: torch.Tensor,
    probs: torch.Tensor | None = None,
    logits: torch.Tensor | None = None,
) -> torch.Tensor:
    source = torch.Generator(input.device).manual_seed(0)
    a, n, p = law(input, other, total_count, probs, logits)
    numbers: torch.Tensor = a * torch.binomial(n, p, generator=source)
    return numbers


def law(input, other, total_count, probs=None, logits=None):
    """Factors, n and p of every element."""
    p = torch.sigmoid(logits) if probs is None else probs
    return torch.broadcast_tensors(input & other, total_count, p)


def _with(numbers, law=law):
    """`numbers(n, p)` in place of binomial ones, or another law."""

    def answer(*args, **words):
        a, n, p = law(*args, **words)
        return (a * numbers(n, p)).float()

    return answer


def eager(input, other, total_count, probs=None, logits=None):
    a, n, p = law(input, other, total_count, probs, logits)
    return (a * torch.binomial(n, p)).float()


def _but(change):
    """The law of other factors or another n."""
    return _with(torch.binomial, lambda *args, **words: change(*law(*args, **words), *args))


def _drawn_once(input, other, total_count, probs=None, logits=None):
    """Elements with the same n and p share a number."""
    p = torch.sigmoid(logits) if probs is None else probs
    return (input & other) * torch.binomial(*torch.broadcast_tensors(total_count, p))


def _no_sigmoid(input, other, total_count, probs=None, logits=None):
    return eager(input, other, total_count, probs if logits is None else logits.clamp(0.0, 1.0))


_REFUSED = mistakes.refuses(eager, "0-d and empty refused", lambda x, *_: not x.dim() * x.numel())
TASK = Task(
    reference=bitwise_and_binomial,
    eager=eager,
    inputs=factor_inputs,
    cost=factor_cost,
    contract=Binomial(law),
    space=Space(
        (SHAPES, dtypes((torch.int32,), (torch.int64, torch.bool)), *AXES),
        valid=is_valid,
        corners=(
            *({"shape": "long"}, {"count": "0-d", "chances": "0-d"}, {"law": "logits"}),
            *({"dtype": "int64"}, {"dtype": "bool"}, {"values": "edges"}),
            {"shape": "cube", "other": "column", "count": "row", "chances": "column"},
            {"layout": "transposed", "law": "logits", "values": "edges"},
            *({"shape": "0-d"}, {"shape": "empty"}),
        ),
        calls=10,
    ),
    promises=(
        Promise("Any shape, also empty and 0-d.", "shape", ("0-d", "empty"), _REFUSED),
        mistakes.strides_promise(eager),
    ),
    # Large: what draws is timed from outside, where a short call shows how fast the host is.
    timings=case(shape=(2**25,), dtype=torch.int32)
    + case(shape=(8192, 4096), dtype=torch.int32, count=(4096,))
    + case(shape=(4095, 4097), dtype=torch.int64, law="logits", chances=(4097,)),
    mutants=(
        *(Mutant(name, _with(one), ("I-RNG", "probs")) for name, one in WRONG_COUNTS.items()),
        Mutant("numbers alone", _but(lambda a, n, p, *_: (a * 0 + 1, n, p)), ("I-REF",)),
        Mutant("or", _but(lambda _, n, p, x, y, *__: (x | y, n, p)), ("I-REF",)),
        Mutant("factors count the trials", _but(lambda a, n, p, *_: (n, a.abs().float() % 99, p))),
        Mutant("one number for equal trials", _drawn_once),
        Mutant("logits taken for probs", _no_sigmoid, ("logits",)),
    ),
    dtypes=(torch.int32, torch.int64, torch.bool),
    difficulty=2,
    randomness="randint",
    audit=("I-RNG", "I-REF"),
)
