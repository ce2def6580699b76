"""Independent numbers: what the family accepts and rejects, shown by torch's uniform ones."""

from dataclasses import replace
from typing import Any

import torch

from kernelbenchx.spec import Draw, Mutant, Uniform, case, random_numbers
from kernelbenchx.spec.families.random_mistakes import WRONG_NUMBERS
from kernelbenchx.spec.families.random_numbers import resolve_options
from rejections import is_caught, living, rejecting, scopes_of


def numbers(
    *size: Any,
    generator: torch.Generator | None = None,
    out: torch.Tensor | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | None = None,
) -> torch.Tensor:
    shape, kind, where = resolve_options(size, generator, out, dtype, device)
    values = torch.rand(shape, generator=generator, dtype=kind, device=where)
    return values if out is None else out.copy_(values)


TASK = random_numbers(
    numbers,
    law=Uniform(),
    wrong_numbers={name: WRONG_NUMBERS[name] for name in ("squared", "rows repeat")},
    corners=({"dtype": "float64"},),
    timings=case(shape=(4,), dtype=torch.float32),
    difficulty=1,
)

# The rest is the certificates' work: many numbers take long to judge.
SMALL = tuple(
    one for one in TASK.cases(0) if one.corner and one.options["shape"] not in ("long", "often")
)
CORNERS = replace(TASK, space=None, checks=SMALL)


def test_torchs_own_numbers_are_right_and_every_wrong_answer_is_seen() -> None:
    assert list(rejecting(CORNERS, numbers, 0)) == []
    assert living(CORNERS) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(CORNERS, one.answer)] == []


def test_a_size_may_be_given_in_several_ways() -> None:
    def given(size: str) -> tuple[Any, ...]:
        return TASK.inputs(Draw.from_seed(0), (2, 3), torch.float32, size=size).args

    assert given("ints") == (2, 3)
    assert given("tuple") == ((2, 3),) and given("list") == ([2, 3],)
    assert isinstance(given("Size")[0], torch.Size)


def test_the_dtype_is_said_only_where_out_does_not_say_it() -> None:
    draw = Draw.from_seed(0)
    assert TASK.inputs(draw, (2,), torch.float64).kwargs["dtype"] == torch.float64
    into = TASK.inputs(draw, (2,), torch.float64, out="contiguous").kwargs
    assert "dtype" not in into and into["out"].dtype == torch.float64


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked_about = scopes_of(TASK)
    assert asked_about["shape", "0-d"] == {"degenerate"}
    assert asked_about["dtype", "float64"] == {"dtype"}
    assert asked_about["size", "list"] == asked_about["seeded", "no"] == set()
