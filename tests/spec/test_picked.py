import math
from typing import Any

import torch

from kernelbenchx.catalog.contract_wording import contract_words
from kernelbenchx.catalog.facts import ContractFacts
from kernelbenchx.spec.call import Call, call
from kernelbenchx.spec.close import Close
from kernelbenchx.spec.contract import Contract, Evidence
from kernelbenchx.spec.picked import Picked

CONTRACT = Picked(close=Close(), scores=lambda input, *_, **__: input)
X = torch.tensor([[3.0, 1.0, 1.0 + 2.0**-23, 2.0], [math.nan, 0.0, math.nan, -math.inf]])


def _judged(values: torch.Tensor, indices: torch.Tensor, asked: Call | None = None) -> bool:
    asked = asked or call(X, 1)
    wide = asked.widen()
    truth = tuple(torch.min(wide.args[0], *wide.args[1:], **wide.kwargs))
    native = tuple(torch.min(asked.args[0], *asked.args[1:], **asked.kwargs))
    return CONTRACT.judge(Evidence(asked, ((values, indices),), truth, native)).ok


def _indices(*places: int) -> torch.Tensor:
    return torch.tensor(places)


VALUES = torch.tensor([1.0, math.nan])


def test_the_index_of_a_near_tie_passes_and_any_other_fails() -> None:
    assert isinstance(CONTRACT, Contract)
    assert _judged(VALUES, _indices(1, 0)) and _judged(VALUES, _indices(2, 0))
    assert not _judged(VALUES, _indices(3, 0))


def test_where_the_value_is_nan_only_one_index_is_right() -> None:
    assert not _judged(VALUES, _indices(1, 2))
    assert not _judged(VALUES, _indices(1, 3))


def test_an_index_outside_of_the_slice_fails() -> None:
    for place in (-3, 4, 2**40, -(2**63)):
        assert not _judged(VALUES, _indices(place, 0))


def test_a_right_index_does_not_excuse_a_wrong_value() -> None:
    assert not _judged(torch.tensor([1.1, math.nan]), _indices(1, 0))
    assert not _judged(torch.tensor([1.0, 0.0]), _indices(1, 0))


def test_equal_infinities_may_be_named_by_any_index() -> None:
    asked = call(torch.full((1, 3), math.inf), 1)
    assert _judged(torch.tensor([math.inf]), _indices(2), asked)
    assert not _judged(torch.tensor([0.0]), _indices(2), asked)


def test_kept_and_named_dimensions() -> None:
    x = torch.tensor([[1.0, 5.0], [1.0, 4.0], [2.0, 4.0]])
    for asked in (call(x, dim=0, keepdim=True), call(x, -2, keepdim=True)):
        values = torch.tensor([[1.0, 4.0]])
        assert _judged(values, torch.tensor([[1, 2]]), asked)
        assert not _judged(values, torch.tensor([[2, 1]]), asked)


def test_a_0d_input_has_one_index_and_no_slice_has_none() -> None:
    one = call(torch.tensor(2.0), 0)
    assert _judged(torch.tensor(2.0), torch.tensor(0), one)
    assert not _judged(torch.tensor(2.0), torch.tensor(1), one)
    none: Any = call(torch.empty(0, 3), 1)
    assert _judged(torch.empty(0), torch.empty(0, dtype=torch.int64), none)


def test_values_alone_are_judged_as_close_does() -> None:
    truth, native = (torch.tensor(1.0).double(),), (torch.tensor(1.0),)
    right = Evidence(call(X), ((torch.tensor(1.0),),), truth, native)
    wrong = Evidence(call(X), ((torch.tensor(1.1),),), truth, native)
    assert CONTRACT.judge(right).ok and not CONTRACT.judge(wrong).ok


def test_a_model_is_told_which_indices_are_right() -> None:
    words = contract_words(ContractFacts(kind="Picked", parts=(ContractFacts(kind="Close"),)))
    assert "any may be named" in words and "compared with the exact result" in words
