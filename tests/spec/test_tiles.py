"""Sizes that fill several tiles and leave a tail, beside sizes that do not."""

import pytest

from kernelbenchx.spec.tiles import (
    SMALL_TILE,
    TILE,
    fills_tiles,
    has_several_matrices,
    spans_tiles,
    with_many,
)


@pytest.mark.parametrize("shape", [(1650,), (25, 69), (5, 7, 3, 11)])
def test_more_than_a_tile_with_a_tail_spans_tiles(shape: tuple[int, ...]) -> None:
    assert spans_tiles({"shape": shape})


@pytest.mark.parametrize("shape", [(), (3, 6), (TILE,), (3, 2048), (28, 48), (0, 1025)])
def test_one_tile_or_whole_steps_do_not(shape: tuple[int, ...]) -> None:
    assert not spans_tiles({"shape": shape})


def test_a_smaller_tile_is_filled_by_fewer_elements() -> None:
    assert fills_tiles((17, 17), SMALL_TILE) and not fills_tiles((17, 17))


def test_of_a_product_the_result_counts_and_not_the_sum() -> None:
    assert spans_tiles({"sizes": (41, 73, 49)})
    assert spans_tiles({"sizes": (3, 41, 73, 49)})
    assert not spans_tiles({"sizes": (4, 4099, 6)})
    assert not spans_tiles({"sizes": (64, 73, 49)})


def test_a_vector_in_a_product_leaves_one_row() -> None:
    sizes = {"sizes": (41, 73, 49)}
    assert spans_tiles(sizes | {"ranks": ((), ())})
    assert not spans_tiles(sizes | {"ranks": (None, ())})


def test_a_mask_of_one_element_chooses_nothing() -> None:
    spans = with_many("mask")
    assert spans({"shape": (25, 69)}) and spans({"shape": (25, 69), "mask": (25, 1)})
    assert not spans({"shape": (25, 69), "mask": (1, 1)})


def test_a_batch_has_several_matrices_and_one_matrix_has_not() -> None:
    assert has_several_matrices({"shape": (2, 5, 3)})
    assert not has_several_matrices({"shape": (5, 3)})
    assert not has_several_matrices({"shape": (1, 5, 3)})


def test_a_call_without_sizes_is_taken_as_it_is() -> None:
    assert spans_tiles({"values": "ordinary"})
