"""More on arguments: what is declared, what must stay, what shares memory."""

from dataclasses import replace

import torch

from kernelbenchx.judge.side_effects import changed_arguments, find_spurious_write
from kernelbenchx.spec import Close, Cost, Task, call
from kernelbenchx.spec.call import Call


def both(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    return x.mul_(2) if inplace else x * 2


TASK = Task(
    reference=both,
    inputs=lambda draw: call(draw.normal((4,), torch.float32)),
    cost=lambda: Cost(4, 32),
    contract=Close(),
    checks=(),
    timings=(),
    mutants=(),
    dtypes=(torch.float32,),
    difficulty=1,
    writes=("x",),
)


def _after(before: Call, value: float) -> Call:
    after = before.copy()
    after.args[0][1] = value
    return after


def test_a_declared_argument_may_change_where_the_reference_changes_it() -> None:
    before = call(torch.ones(4), inplace=True)
    native = TASK.native(before)
    assert changed_arguments(TASK, before, _after(before, 2.0)) == ()
    assert find_spurious_write(TASK, before, native, _after(before, 2.0)) == ""


def test_it_may_not_where_the_reference_leaves_it_alone() -> None:
    before = call(torch.ones(4), inplace=False)
    native = TASK.native(before)
    assert find_spurious_write(TASK, before, native, before.copy()) == ""
    assert find_spurious_write(TASK, before, native, _after(before, 2.0)) == "x"


def test_a_nan_may_get_other_bits_but_no_other_value() -> None:
    before = call(torch.tensor([1.0, float("nan")]))
    other_nan = torch.tensor([1.0, float("nan")])
    other_nan.view(torch.int32)[1] ^= 1
    native = TASK.native(before)
    assert find_spurious_write(TASK, before, native, call(other_nan)) == ""
    assert find_spurious_write(TASK, before, native, call(torch.tensor([1.0, 2.0]))) == "x"


def pair(x: torch.Tensor, out: tuple[torch.Tensor, torch.Tensor]) -> tuple[torch.Tensor, ...]:
    return out[0].copy_(x), out[1].copy_(2 * x)


def test_each_tensor_of_a_written_tuple_counts() -> None:
    task = replace(TASK, reference=pair, writes=("out",))
    before = call(torch.ones(2), (torch.zeros(2), torch.zeros(2)))
    native = task.native(before)
    assert [leaf.name for leaf in native.leaves[native.returned :]] == ["out[0]", "out[1]"]
    assert native.aliases == ("out", "out")
    after = before.copy()
    after.args[1][1].fill_(2.0)
    assert changed_arguments(task, before, after) == ()
    assert [leaf.value[0].item() for leaf in task.collect_written(after)] == [0.0, 2.0]
    assert changed_arguments(replace(task, writes=()), before, after) == ("out",)
