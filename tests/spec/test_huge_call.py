"""Which tasks declare a huge call, and how large it is."""

import math

import pytest

from kernelbenchx import catalog
from kernelbenchx.core.scopes import Scope
from kernelbenchx.spec.huge_call import INT32, HugeCall

DECLARED = [name for name in catalog.names() if catalog.load(name).huge is not None]


def test_elementwise_binary_and_row_tasks_declare_a_huge_call() -> None:
    assert {"activation/relu", "math/add", "math/softmax", "reduce/sum"} <= set(DECLARED)
    assert not {"matrix_multiply/addmm", "index/scatter"} & set(DECLARED)


@pytest.mark.parametrize("name", DECLARED)
def test_a_huge_call_has_just_more_than_two_to_the_31_elements(name: str) -> None:
    huge = catalog.load(name).huge
    assert huge is not None
    elements = math.prod(huge.case().params["shape"])
    assert INT32 + huge.columns < elements < INT32 + 3 * 4099
    assert huge.params["dtype"].itemsize <= 2


def test_a_smaller_threshold_gives_a_smaller_call_of_the_same_form() -> None:
    vector, rows = HugeCall({"dim": 1}).case(1 << 15), HugeCall({}, columns=100).case(1 << 15)
    assert vector.name == "shape=(36868,),dim=1"
    assert rows.params["shape"] == (368, 100)
    assert vector.needs == frozenset({Scope.SCALE})
