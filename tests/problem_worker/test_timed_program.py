"""A published problem at its published size: what it draws, answers, and is timed as."""

import pytest
import torch

from kernelbenchx.problem_worker.timed_program import (
    ANSWER,
    DRAW,
    INPUTS,
    ROUTES,
    WEIGHTS,
    PublishedProgram,
)
from kernelbenchx.worker.order import Arguments
from published_problems import FORWARD, RANDOM, SCALED

NORMED = SCALED.replace(
    "self.scale = nn", "self.norm = nn.LayerNorm(wide)\n        self.scale = nn"
)


def _program(source: str = SCALED, role: str = DRAW) -> PublishedProgram:
    program = PublishedProgram(source, "cpu", "fp32")
    program.load({"role": role}, b"")
    return program


def _arguments(*args: torch.Tensor, **state: torch.Tensor) -> Arguments:
    init = (33,) if state else ()
    return Arguments(args, {}, init, dict(state), {})


def _drawn(program: PublishedProgram, seed: int, what: int, route: str = "drawn") -> list:  # type: ignore[type-arg]
    asked = torch.tensor([seed, what, ROUTES.index(route)])
    return list(program.bind(_arguments(asked))())


def test_inputs_are_the_published_ones_of_a_seed() -> None:
    program = _program()
    (first,), (again,), (other,) = (_drawn(program, seed, INPUTS) for seed in (1, 1, 2))
    assert first.shape == (5, 33) and float(first.min()) >= 0 and float(first.max()) < 1
    assert torch.equal(first, again) and not torch.equal(first, other)


def test_weights_are_drawn_or_come_from_a_seed() -> None:
    program = _program(NORMED)
    names = list(program.record(_arguments())[0]["state"])
    found = {
        route: dict(zip(names, _drawn(program, 7, WEIGHTS, route), strict=True)) for route in ROUTES
    }
    drawn, seeded, alone = (found[route] for route in ROUTES)
    assert bool((alone["norm.weight"] == 1).all()) and bool((drawn["norm.weight"] != 1).all())
    assert torch.equal(seeded["norm.weight"], drawn["norm.weight"]), "constants are still drawn"
    torch.manual_seed(7)
    assert torch.equal(seeded["scale"], torch.randn(33)), "as a submission draws its own"


def test_it_says_the_form_of_a_call() -> None:
    found, _ = _program().record(_arguments())
    assert found["args"]["v"][0]["shape"] == [5, 33] and found["init"]["v"][0]["v"] == 33
    assert found["state"]["scale"]["shape"] == [33] and found["buffers"] == []
    (leaf,) = found["leaves"]
    assert (leaf["kind"], leaf["shape"], leaf["dtype"]) == ("tensor", [5, 33], "float32")


def test_an_answer_has_the_truth_and_its_budget() -> None:
    x, scale = torch.rand(5, 33), torch.randn(33)
    native, truth, moves = _program(role=ANSWER).bind(_arguments(x, scale=scale))()
    wide = torch.relu(x.double() * scale.double() + 1)
    assert native.dtype == torch.float32 and torch.equal(truth, wide)
    assert bool((moves[wide > 0] > 0).all())
    assert float(((native.double() - truth).abs() / (16 * moves + 1e-7)).max()) < 1


def test_the_baseline_is_the_module_as_its_author_wrote_it() -> None:
    """A seed set in each call would be work that no user of the module has."""
    x, scale = torch.rand(5, 33), torch.randn(33)
    eager = _program(RANDOM, "eager").bind(_arguments(x, scale=scale))
    assert not torch.equal(eager(), eager())
    answers = _program(RANDOM, ANSWER).bind(_arguments(x, scale=scale))
    assert torch.equal(answers()[0], answers()[0])


def test_tensors_that_are_no_parameters_follow_the_dtype_of_a_call() -> None:
    source = SCALED.replace("super().__init__()", "super().__init__(); self.one = torch.ones(1)")
    source = source.replace(FORWARD, "torch.relu(x * self.scale + self.one)")
    half = torch.ones(5, 33, dtype=torch.bfloat16)
    eager = _program(source, "eager").bind(_arguments(half, scale=half[0]))
    assert eager().dtype == torch.bfloat16


def test_what_the_file_raises_is_raised_by_the_call() -> None:
    program = _program("raise ValueError('no such file')")
    with pytest.raises(ValueError, match="no such file"):
        _drawn(program, 1, INPUTS)
