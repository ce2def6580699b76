import math

import torch

from kernelbenchx.spec.call import call
from kernelbenchx.spec.contract import Contract, Evidence
from kernelbenchx.spec.exact import Exact


def _ok(got: torch.Tensor, native: torch.Tensor, contract: Exact | None = None) -> bool:
    return (contract or Exact()).judge(Evidence(call(), ((got,),), (), (native,))).ok


def test_equal_values_pass_and_one_ulp_fails() -> None:
    native = torch.tensor([1.0, -2.5, math.inf])
    assert _ok(native.clone(), native)
    near = native.clone()
    near[0] = 1 + 2.0**-23
    assert not _ok(near, native)


def test_nan_equals_nan_and_nothing_else() -> None:
    native = torch.tensor([math.nan, 1.0])
    assert _ok(native.clone(), native)
    assert not _ok(torch.tensor([math.nan, math.nan]), native)
    assert not _ok(torch.tensor([0.0, 1.0]), native)


def test_the_sign_of_zero_counts_only_where_declared() -> None:
    native, got = torch.tensor([0.0]), torch.tensor([-0.0])
    assert _ok(got, native)
    assert not _ok(got, native, Exact(signed_zero=True))


def test_complex_integers_and_bools() -> None:
    for native in (
        torch.tensor([1 + 1j, complex(math.nan, 0)]),
        torch.tensor([1, 2]),
        torch.tensor([True]),
    ):
        assert _ok(native.clone(), native)
    assert not _ok(torch.tensor([1 + 2j]), torch.tensor([1 + 1j]))
    assert not _ok(torch.tensor([2]), torch.tensor([1]))
    assert not _ok(torch.tensor([False]), torch.tensor([True]))


def test_empty_outputs_are_right_and_other_shapes_wrong() -> None:
    assert _ok(torch.empty(0), torch.empty(0))
    assert not _ok(torch.empty(1), torch.empty(0))


def test_the_verdict_names_the_place() -> None:
    native = torch.zeros(2, 3)
    got = native.clone()
    got[1, 2] = 5
    found = Exact().judge(Evidence(call(), ((got,),), (), (native,)))
    assert (found.index, found.expected, found.got) == ((1, 2), "0", "5")


def test_it_is_a_contract() -> None:
    assert isinstance(Exact(), Contract) and not Exact().needs_truth
