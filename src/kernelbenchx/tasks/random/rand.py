"""Independent numbers, uniform on [0, 1).

size is given as ints, rand(2, 3), or as one sequence of ints, rand((2, 3)). 1.0 never occurs. The
result lies on the device of out, else on `device`, else on the generator's: every call gives one.
The only source of randomness is one torch.randint, from generator where one is given: the same
state of the generator gives the same tensor again, another state an independent one. Without a
generator every call gives other numbers.
The published test asks for the very numbers of torch.rand; here any stream that keeps the law is
right.
"""

from typing import Any

import torch

from kernelbenchx.spec import Uniform, case, random_numbers
from kernelbenchx.spec.families.random_mistakes import WRONG_NUMBERS
from kernelbenchx.spec.families.random_numbers import resolve_options


def rand(
    *size: Any,
    generator: torch.Generator | None = None,
    out: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> torch.Tensor:
    shape, kind, where = resolve_options(size, generator, out, dtype, device)
    source = torch.Generator(where).manual_seed(0) if generator is None else generator
    values = torch.rand(shape, generator=source, dtype=kind, device=where)
    return values if out is None else out.copy_(values)


def eager(*size, generator=None, out=None, dtype=None, device=None, **_):
    shape, kind, where = resolve_options(size, generator, out, dtype, device)
    return torch.rand(shape, generator=generator, out=out, dtype=kind, device=where)


TASK = random_numbers(
    rand,
    law=Uniform(),
    wrong_numbers=WRONG_NUMBERS,
    eager=eager,
    # Large: what draws is timed from outside, where a call of 60 us shows how fast the host is.
    timings=case(shape=(2**25,), dtype=torch.float32)
    + case(shape=(2**25,), dtype=torch.float64)
    + case(shape=(4095, 4097), dtype=torch.float32, out="contiguous"),
    difficulty=2,
)
