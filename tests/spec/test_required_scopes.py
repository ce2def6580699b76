"""What a call asks for is read from its arguments, and an ordinary call asks for nothing."""

from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.core.scopes import Scope
from kernelbenchx.evaluate.calls import drawn_cases
from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.cases import Case
from kernelbenchx.spec.required_scopes import needs_of, resolve_needs
from tiers import mark_slow

X = torch.ones(4, 6)
OFFSET = torch.ones(9)[1:]
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("task", "arguments", "needs"),
    [
        ("activation/relu", call(X), ""),
        ("activation/relu", call(X.half()), ""),
        ("activation/relu", call(X, inplace=False), ""),
        ("activation/relu", call(X, inplace=True), "layout"),
        ("activation/relu", call(X.t()), "layout"),
        ("activation/relu", call(OFFSET), "layout"),
        ("activation/relu", call(X[:, :1].expand(4, 6)), "layout"),
        ("activation/relu", call(X.double()), "dtype"),
        ("activation/relu", call(X.int()), "dtype"),
        ("activation/relu", call(X * NAN), "values"),
        ("activation/relu", call(-X * INF), "values"),
        ("activation/relu", call(X.half() * 5000), "values"),
        ("activation/relu", call(X * 5000), ""),
        ("activation/relu", call(torch.tensor(1.0)), "degenerate"),
        ("activation/relu", call(torch.ones(1)), "degenerate"),
        ("activation/relu", call(torch.ones(3, 0)), "degenerate"),
        ("activation/relu", call(torch.full((1,), NAN)), "degenerate values"),
        ("math/add", call(X, X), ""),
        ("math/add", call(X, torch.tensor(2.0)), ""),
        ("math/add", call(X, X, out=torch.empty(4, 6)), "layout"),
        ("math/add", call(X, X, out=torch.full((4, 6), NAN)), "layout"),
        ("math/add", call(X, X.t().contiguous().t()), "layout"),
        ("math/add", call(X.int(), X), "dtype"),
        ("math/softmax", call(X, 1), ""),
        ("math/softmax", call(X, 1, dtype=torch.float64), "dtype"),
        ("reduce/argmax", call(X, 1), ""),
    ],
)
def test_arguments_tell_what_is_needed(task: str, arguments: Call, needs: str) -> None:
    found = needs_of(catalog.load(task), arguments)
    assert found == frozenset(map(Scope, needs.split()))


def test_an_argument_that_is_always_written_is_no_matter_of_layout() -> None:
    names = ("optimizer/AdamW", "normalization/batch_norm")
    for name in names:
        assert any(not one.needs for one in drawn_cases(name, 1)), name


@pytest.mark.parametrize("name", mark_slow(catalog.names(), fast=6))
def test_every_task_has_core_cases(name: str) -> None:
    task: Any = catalog.load(name)
    drawn = [(case, task.draw(case, 1)) for case in task.cases(0)]
    assert sum(not needs for needs in resolve_needs(task, drawn)) >= 2


def test_what_a_case_declares_wins() -> None:
    task = catalog.load("activation/relu")
    declared = Case({}, needs=frozenset({Scope.SCALE}))
    ordinary, strided = Case({}), Case({})
    found = resolve_needs(
        task, [(declared, call(X.t())), (ordinary, call(X)), (strided, call(X.t()))]
    )
    assert found == [{Scope.SCALE}, set(), {Scope.LAYOUT}]


def test_specials_in_every_case_are_ordinary_input() -> None:
    task = catalog.load("activation/relu")
    planted = [(Case({}), call(X * NAN)), (Case({}), call(X.t() * NAN))]
    assert resolve_needs(task, planted) == [set(), {Scope.LAYOUT}]
    plain = (Case({}), call(X))
    assert resolve_needs(task, [plain, *planted]) == [
        set(),
        {Scope.VALUES},
        {Scope.VALUES, Scope.LAYOUT},
    ]
