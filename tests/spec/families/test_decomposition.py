"""Decompositions: what is drawn for them, and the mistakes that their spaces catch."""

from typing import Any

import pytest
import torch

from kernelbenchx.certify.answers import answered, is_rejected
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.core.scopes import Scope
from kernelbenchx.evaluate.calls import Drawn
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.spec import Call, Cost, Draw, Property, Reconstructs, Task, call
from kernelbenchx.spec.families.decomposition import (
    matrices,
    matrix,
    one_tile_only,
    squares_overflow,
)


def _twice(A: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return 2 * A, torch.eye(A.shape[-1], dtype=A.dtype)


def _inputs(draw: Draw, shape: Any, dtype: Any, layout: str, values: str = "") -> Call:
    return call(draw.laid_out(matrix(draw, shape, dtype, values, orders=6), layout))


TOY = Task(
    reference=_twice,
    inputs=_inputs,
    cost=lambda **_: Cost(flops=1, bytes=1),
    contract=Property(Reconstructs(lambda f: f[0] @ f[1], lambda call: 2 * call.args[0], 16.0)),
    timings=(),
    mutants=(),
    dtypes=(torch.float32,),
    difficulty=1,
    space=matrices(),
)


def _drawn(seed: int) -> list[Drawn]:
    found = []
    for case in TOY.cases(seed):
        made = TOY.draw(case, seed)
        found.append(Drawn(case, made, truth_of(TOY, made)))
    return found


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_reference_passes_and_near_misses_do_not(seed: int) -> None:
    drawn = _drawn(seed)
    for one in drawn:
        returned = [answered(TOY, _twice, one.call, 0)]
        verdict = judge_case(TOY, one.case, one.call, returned, "cuda", one.truth)
        assert not isinstance(verdict, Wrong), (one.case.name, verdict)
    for mutant in (one_tile_only(_twice), squares_overflow(_twice, 0)):
        assert sum(is_rejected(TOY, mutant.answer, one) for one in drawn) >= 2, mutant.name


def test_each_kind_of_matrix_is_what_its_name_says() -> None:
    draw = Draw.seeded(3)

    def of(kind: str) -> torch.Tensor:
        return matrix(draw, (9, 5), torch.float32, kind, orders=6)

    assert torch.linalg.matrix_rank(of("rank one")) == 1
    assert torch.equal(of("identity"), torch.eye(9, 5))
    assert not of("zero").any()
    assert of("huge").square().sum().isinf()
    assert of("tiny").any() and not of("tiny").square().any()
    columns = of("graded").norm(dim=0)
    assert columns[-1] / columns[0] > 1e5


def test_values_and_sizes_have_scopes_of_their_own() -> None:
    axes = matrices().by_name
    assert axes["values"].option("extreme").needs == {Scope.VALUES}
    assert axes["shape"].option("very tall").needs == {Scope.SCALE}
    assert axes["shape"].option("one element").needs == {Scope.DEGENERATE}
    assert axes["dtype"].option("float64").needs == {Scope.DTYPE}
    assert not axes["shape"].option("batch").needs
