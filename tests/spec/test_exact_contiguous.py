"""Exact and contiguous: what is accepted, and what is rejected beside it."""

import math

import pytest
import torch

from kernelbenchx.catalog.contract_wording import contract_words
from kernelbenchx.catalog.facts import ContractFacts
from kernelbenchx.spec import Evidence, call
from kernelbenchx.spec.exact import Exact
from kernelbenchx.spec.exact_contiguous import ExactContiguous

X = torch.tensor([[1.0, -0.0, math.nan], [2.0, 3.0, 4.0]])


def judged(answer: torch.Tensor, contract: Exact) -> bool:
    evidence = Evidence(call=call(X), outputs=((answer,),), truth=(), native=(X,))
    return contract.judge(evidence).ok


@pytest.mark.parametrize("contract", [ExactContiguous(), ExactContiguous(signed_zero=True)])
def test_a_contiguous_answer_passes_and_the_same_values_in_another_order_do_not(
    contract: ExactContiguous,
) -> None:
    turned = X.T.contiguous().T
    assert judged(X.clone(), contract) and not judged(turned, contract)
    assert judged(turned, Exact())


def test_wrong_values_and_signs_are_still_wrong() -> None:
    assert not judged(X + 1, ExactContiguous())
    assert judged(X.abs(), ExactContiguous())
    assert not judged(X.abs(), ExactContiguous(signed_zero=True))
    assert not judged(X[:1], ExactContiguous())


def test_a_dimension_of_size_one_may_have_any_stride() -> None:
    one = torch.empty_strided((2, 1, 3), (3, 77, 1)).copy_(X.view(2, 1, 3))
    evidence = Evidence(call=call(X), outputs=((one,),), truth=(), native=(X.view(2, 1, 3),))
    assert ExactContiguous().judge(evidence).ok


def test_a_model_is_told() -> None:
    words = contract_words(ContractFacts(kind="ExactContiguous", options={}, parts=()))
    assert "contiguous" in words and "exactly" in words
    assert "contiguous" not in contract_words(ContractFacts(kind="Exact", options={}, parts=()))
