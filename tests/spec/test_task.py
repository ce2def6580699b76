from dataclasses import replace

import torch

from kernelbenchx.spec import Call, Close, Cost, Draw, Dropout, Exact, Task, call, grid


def running(x: torch.Tensor, seen: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
    seen.add_(x.sum())
    return x * 2 if out is None else out.copy_(x * 2)


def inputs(draw: Draw, n: int) -> Call:
    return call(draw.normal((n,), torch.float16), torch.zeros(1), out=torch.zeros(n).half())


TASK = Task(
    reference=running,
    inputs=inputs,
    cost=lambda n: Cost(n, 4 * n),
    contract=Close(),
    checks=grid(n=(5,)),
    timings=grid(n=(5,)),
    mutants=(),
    dtypes=(torch.float16,),
    difficulty=1,
    writes=("seen", "out"),
)


def test_outputs_are_what_is_returned_then_what_is_written() -> None:
    outputs = TASK.native(TASK.draw(TASK.checks[0], 1))
    assert [leaf.name for leaf in outputs.leaves] == ["out", "seen", "out"]
    assert outputs.returned == 1
    assert outputs.aliases == ("out",)


def test_a_reference_runs_on_copies() -> None:
    drawn = TASK.draw(TASK.checks[0], 1)
    TASK.native(drawn)
    TASK.exact(drawn)
    assert drawn.args[1].item() == 0
    assert drawn.kwargs["out"].abs().sum() == 0


def test_the_truth_is_in_float64() -> None:
    exact = TASK.exact(TASK.draw(TASK.checks[0], 1))
    assert {leaf.value.dtype for leaf in exact.leaves} == {torch.float64}


def test_tensors_know_the_argument_they_belong_to() -> None:
    assert TASK.tensor_names(TASK.draw(TASK.checks[0], 1)) == ("x", "seen", "out")


def test_tf32_is_what_the_contract_allows_or_the_one_inside_of_it() -> None:
    def within(close: Close) -> Dropout:
        return Dropout(keep=lambda *_: 0.5, given=running, close=close)

    for allowed in (False, True):
        close = Close(tf32=allowed)
        assert replace(TASK, contract=close).tf32 is allowed
        assert replace(TASK, contract=within(close)).tf32 is allowed
    assert not replace(TASK, contract=Exact()).tf32


def test_submissions_are_timed_against_what_a_user_would_call() -> None:
    assert TASK.baseline is running
    assert replace(TASK, eager=torch.mul).baseline is torch.mul


def test_faithful_is_the_reference_unless_that_leaves_out_what_is_drawn() -> None:
    assert replace(TASK, eager=torch.mul).faithful is running
    drawn = replace(TASK, eager=torch.mul, randomness="randint").faithful
    assert drawn(torch.ones(2).half(), 2.0).dtype == torch.float16


def test_form_entry_and_signature_come_from_the_reference() -> None:
    assert (TASK.form, TASK.entry) == ("function", "running")
    assert list(TASK.signature.parameters) == ["x", "seen", "out"]
