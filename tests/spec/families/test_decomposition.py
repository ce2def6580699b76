"""Decompositions: what the family accepts and rejects, shown by a product and by Cholesky's."""

from typing import Any

import pytest
import torch

from kernelbenchx.certify.wrong_answers import is_rejected, run_answer
from kernelbenchx.core.outcome import Wrong
from kernelbenchx.evaluate.calls import DrawnCase
from kernelbenchx.judge.correctness import judge_case, truth_of
from kernelbenchx.spec import Draw, Mutant, Property, Reconstructs, Task, case, decomposition
from kernelbenchx.spec.families.decomposition import (
    any_matrices,
    change_factors,
    fill_out,
    square_shapes,
    surplus_zero,
)
from rejections import is_caught, scopes_of

Shape = tuple[int, ...]


def third(A: torch.Tensor, wide: bool = False, out: Any = None) -> Any:
    """A / 3 and a unit matrix, or both with a row and a column more."""
    extra = int(wide)
    left = torch.nn.functional.pad(A / 3, (0, extra), value=3.0)
    return fill_out((left, torch.eye(A.shape[-1] + extra, A.shape[-1], dtype=A.dtype)), out)


def _outputs(shape: Shape, wide: bool = False) -> tuple[Shape, Shape]:
    *lead, m, n = shape
    return (*lead, m, n + wide), (n + wide, n)


THIRD = decomposition(
    third,
    laws=Property(Reconstructs(lambda f: f[0] @ f[1], lambda call: call.args[0] / 3, 16.0)),
    outputs=_outputs,
    flops=lambda m, n, **_: m * n,
    matrices=any_matrices(orders=6),
    length=0,
    timings=case(shape=(2, 2), dtype=torch.float32),
    difficulty=1,
)


def cholesky(A: torch.Tensor) -> tuple[torch.Tensor]:
    return (torch.linalg.cholesky(A),)


def _positive(draw: Draw, shape: Shape, dtype: torch.dtype, kind: str) -> torch.Tensor:
    a = any_matrices(orders=2)(draw, shape, torch.float64, kind)
    return (a @ a.mT + torch.eye(shape[-1], dtype=torch.float64)).to(dtype)


CHOLESKY = decomposition(
    cholesky,
    laws=Property(Reconstructs(lambda f: f[0] @ f[0].mT, lambda call: call.args[0], 64.0)),
    outputs=lambda shape: (shape,),
    flops=lambda _, n: n**3 // 3,
    matrices=_positive,
    length=0,
    shapes=square_shapes(),
    kinds=("graded", "identity"),
    valid=lambda chosen: chosen["layout"] != "expanded",  # equal rows are not positive definite
    timings=case(shape=(2, 2), dtype=torch.float32),
    difficulty=1,
)


def _refused(task: Task, seed: int) -> list[str]:
    found = []
    for one in task.cases(seed):
        made = task.draw(one, seed)
        returned = [run_answer(task, task.reference, made, 0)]
        verdict = judge_case(task, one, made, returned, "cuda", truth_of(task, made))
        found += [one.name] if isinstance(verdict, Wrong) else []
    return found


@pytest.mark.parametrize("task", [THIRD, CHOLESKY])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_reference_passes(task: Task, seed: int) -> None:
    assert _refused(task, seed) == []


def test_wrong_answers_of_the_family_and_of_promises_are_seen() -> None:
    for mutant in THIRD.wrong_answers:
        assert isinstance(mutant, Mutant) and is_caught(THIRD, mutant.answer), mutant.name
    (first, *_) = CHOLESKY.mutants
    assert isinstance(first, Mutant) and is_caught(CHOLESKY, first.answer)


@pytest.mark.parametrize("leading", [1, 2])
def test_strides_are_not_ignored_with_one_leading_dimension_nor_with_two(leading: int) -> None:
    """In every run: only corners are asked."""

    def in_memory_order(A: torch.Tensor, **words: Any) -> Any:
        seen = A.mT.reshape(A.shape) if A.dim() == 2 + leading else A
        return third(seen, **words)

    corners = [one for one in THIRD.cases(0) if one.corner]
    drawn = [(one, THIRD.draw(one, 0)) for one in corners]
    rejected = {
        one.options["shape"]
        for one, made in drawn
        if is_rejected(THIRD, in_memory_order, DrawnCase(one, made, truth_of(THIRD, made)))
    }
    assert rejected == {"batch" if leading == 1 else "batches"}


def test_surplus_columns_are_padded_only_where_they_are_asked_for() -> None:
    padded = surplus_zero(third, _outputs, {"wide": False}).answer
    a = torch.ones(2, 3)
    assert torch.equal(padded(a)[0], third(a)[0])
    assert padded(a, wide=True)[0].shape == (2, 4)
    assert not torch.equal(padded(a, wide=True)[0], third(a, wide=True)[0])


def test_changed_factors_are_written_into_out() -> None:
    out = (torch.zeros(2, 2), torch.zeros(2, 2))
    negative = change_factors(third, lambda left, right: (-left, right))
    assert negative(torch.ones(2, 2), out=out)[0] is out[0]
    assert torch.equal(out[0], -torch.ones(2, 2) / 3)


def test_each_kind_of_matrix_is_what_its_name_says() -> None:
    draw = Draw.from_seed(3)

    def of(kind: str) -> torch.Tensor:
        return any_matrices(orders=6)(draw, (9, 5), torch.float32, kind)

    assert torch.linalg.matrix_rank(of("rank one")) == 1
    assert torch.equal(of("identity"), torch.eye(9, 5))
    assert not of("zero").any()
    assert of("huge").square().sum().isinf()
    assert of("tiny").any() and not of("tiny").square().any()
    columns = of("graded").norm(dim=0)
    assert columns[-1] / columns[0] > 1e5


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(THIRD)
    assert asked["values", "extreme"] == {"values"}
    assert asked["shape", "very tall"] == {"scale"}
    assert asked["shape", "one element"] == {"degenerate"}
    assert asked["dtype", "float64"] == {"dtype"}
    assert asked["shape", "batch"] == asked["shape", "batches"] == set()


def test_a_task_may_leave_out_kinds_shapes_and_out() -> None:
    asked = scopes_of(CHOLESKY)
    assert ("values", "graded") in asked and ("values", "rank one") not in asked
    assert ("shape", "tall") not in asked and not any(axis == "out" for axis, _ in asked)
    assert CHOLESKY.writes == () and THIRD.writes == ("out",)


def test_all_factors_of_all_matrices_are_counted() -> None:
    cost = THIRD.cost(shape=(4, 2, 3), dtype=torch.float32, layout="strided")
    assert (cost.flops, cost.bytes) == (4 * 6, 4 * (24 + 24 + 9))
