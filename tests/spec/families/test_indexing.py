"""Elements moved bit for bit: what the family accepts and rejects, shown by torch.gather."""

from collections.abc import Mapping
from typing import Any

import torch

from kernelbenchx.spec import Call, Cost, Draw, Mutant, call, case, indexing
from kernelbenchx.spec.families.indexing import (
    always_first_dim,
    dims,
    elements,
    index_fits,
    indices,
    negative_dim,
    places,
)
from rejections import is_caught, living, rejecting, scopes_of

Shape = tuple[int, ...]


def gather(input: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    return input.gather(dim, index)


def _inputs(
    draw: Draw, shape: Shape, dim: int, index: Shape, dtype: torch.dtype, **how: str
) -> Call:
    x = draw.laid_out(elements(draw, shape, dtype, "values" in how), how["layout"])
    return call(x, dim, places(draw, shape, dim, index, how["index_layout"]))


TASK = indexing(
    gather,
    tensors={"index": 2},
    strides="Both may have any strides.",
    other_dtypes=(torch.float64, torch.int64),
    dtype_text="input has any real dtype.",
    arguments=(dims(), indices()),
    valid=index_fits,
    corners=({}, {"shape": "matrix", "dim": "last"}, {"index": "shorter", "dtype": "int64"}),
    promises=(negative_dim(gather),),
    mutants=(always_first_dim(gather),),
    inputs=_inputs,
    cost=lambda **_: Cost(flops=0, bytes=1),
    timings=case(shape=(4,), dim=0, index=(4,), dtype=torch.float32),
    difficulty=1,
)


def test_the_reference_is_right_and_every_wrong_answer_is_seen() -> None:
    assert list(rejecting(TASK, gather, 0)) == []
    assert living(TASK) == []
    wrong = [one for one in TASK.mutants if isinstance(one, Mutant)]
    assert [one.name for one in wrong if not is_caught(TASK, one.answer)] == []


def test_a_sign_of_zero_is_moved_too() -> None:
    def unsigned(input: torch.Tensor, *rest: Any) -> torch.Tensor:
        return gather(input + 0 if input.is_floating_point() else input, *rest)

    assert is_caught(TASK, unsigned)


def test_special_values_are_planted_only_where_they_are_asked_for() -> None:
    draw = Draw.from_seed(0)
    assert elements(draw, (50,), torch.float32, special=True).isnan().any()
    assert elements(draw, (50,), torch.float32, special=False).isfinite().all()
    assert elements(draw, (50,), torch.int64, special=True).abs().max() > 2**53


def test_no_place_is_named_twice_and_an_expanded_index_has_one_row() -> None:
    draw = Draw.from_seed(0)
    found = places(draw, (9, 5), 0, (7, 5), "contiguous")
    assert all(len(set(column.tolist())) == 7 for column in found.T)
    assert not torch.equal(found[:, 0], found[:, 1])
    expanded = places(draw, (9, 5), 0, (7, 5), "expanded")
    assert torch.equal(expanded[:, 0], expanded[:, 1]) and expanded.stride(1) == 0


def _fits(**chosen: str) -> bool:
    ordinary: Mapping[str, str] = {
        "shape": "matrix",
        "dim": "first",
        "index": "as input",
        "index_layout": "contiguous",
    }
    return index_fits({**ordinary, **chosen})


def test_dims_and_indices_fit_the_rank() -> None:
    assert _fits(dim="inner", shape="four dimensions") and not _fits(dim="inner")
    assert _fits(index="smaller") and not _fits(index="smaller", shape="0-d")
    assert _fits(index_layout="expanded") and not _fits(index_layout="expanded", index="empty")


def test_axes_ask_about_the_scopes_that_they_are_for() -> None:
    asked = scopes_of(TASK)
    assert asked["index", "empty"] == {"degenerate"}
    assert asked["index_layout", "strided"] == {"layout"}
    assert asked["dim", "first, negative"] == set()
    assert asked["dtype", "int64"] == {"dtype"}
