import pytest
import torch

from kernelbenchx.spec.inputs import Draw


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    one, same, other = (Draw.from_seed(seed).normal((50,), torch.float32) for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


def test_planted_values_are_there_whatever_the_draw() -> None:
    draw = Draw.from_seed(3)
    tensor = draw.plant(draw.normal((4, 5), torch.float16), (float("inf"), -7.0))
    assert tensor.isinf().sum() == 1
    assert (tensor == -7).sum() == 1
    assert draw.plant(torch.zeros(1), (1.0, 2.0)).shape == (1,)


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "strided", "padded rows", "offset"])
def test_a_layout_changes_memory_and_no_value(layout: str) -> None:
    draw = Draw.from_seed(4)
    tensor = draw.normal((3, 4, 6), torch.float32)
    laid = draw.laid_out(tensor, layout)
    assert torch.equal(laid, tensor)
    assert laid.is_contiguous() == (layout in ("contiguous", "offset"))
    assert (laid.storage_offset() > 0) == (layout == "offset")


def test_padded_rows_have_gaps_between_rows_and_none_within_them() -> None:
    draw = Draw.from_seed(4)
    padded = draw.laid_out(draw.normal((5, 7), torch.float32), "padded rows")
    assert padded.stride(1) == 1 and padded.stride(0) > 7
    assert draw.laid_out(padded, "contiguous").stride(0) == 7


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="diagonal"):
        Draw.from_seed(1).laid_out(torch.zeros(2, 2), "diagonal")


def test_ranges_are_kept() -> None:
    draw = Draw.from_seed(5)
    assert draw.integers((100,), -3, 4).min() >= -3 and draw.integers((100,), -3, 4).max() < 4
    assert 0.2 < draw.booleans((1000,), 0.3).double().mean() < 0.4
    assert sorted(draw.permutation(5).tolist()) == [0, 1, 2, 3, 4]
    uniform = draw.uniform((1000,), torch.float64, -1.0, 3.0)
    assert uniform.min() >= -1 and uniform.max() < 3


def test_distinct_numbers_are_distinct_along_their_dimension_only() -> None:
    draw = Draw.from_seed(6)
    for shape, dim, high in (((40, 3), 0, 64), ((512, 256), 0, 1024), ((9, 20_000), 1, 32_768)):
        drawn = draw.distinct(shape, dim, high)
        assert drawn.shape == shape and drawn.is_contiguous()
        assert drawn.min() >= 0 and drawn.max() < high
        assert (drawn.sort(dim).values.diff(dim=dim) > 0).all()
        assert not torch.equal(drawn.select(1 - dim, 0), drawn.select(1 - dim, 1))
    assert draw.distinct((), 0, 1).item() == 0


def test_places_of_large_tensors_are_found_without_an_order_of_all() -> None:
    draw = Draw.from_seed(7)
    for count, many in ((5, 9), (1000, 10), (1 << 20, 12), (1 << 16, 1 << 13)):
        places = draw.places(count, many)
        assert torch.unique(places).numel() == places.numel() == min(count, many)
        assert places.min() >= 0 and places.max() < count
    one, same = (Draw.from_seed(8).places(1 << 20, 12) for _ in range(2))
    assert torch.equal(one, same)
    assert not torch.equal(one, one.sort().values)  # a value is not bound to a part


def test_a_large_permutation_holds_every_number_once() -> None:
    for count in (1 << 16, (1 << 16) + 1):
        order = Draw.from_seed(9).permutation(count)
        assert torch.equal(order.sort().values, torch.arange(count))
        assert not torch.equal(order, torch.arange(count))


@pytest.mark.parametrize("count", [1, 40, 1 << 16, (1 << 16) + 1])
def test_exactly_so_many_are_chosen(count: int) -> None:
    for many in (0, 1, count // 3, count - 1, count):
        for seed in range(4):
            assert int(Draw.from_seed(seed).choose_mask(count, many).sum()) == many
    first = Draw.from_seed(3).choose_mask(count, count // 3)
    assert torch.equal(first, Draw.from_seed(3).choose_mask(count, count // 3))
    assert count == 1 or not torch.equal(first, Draw.from_seed(4).choose_mask(count, count // 3))


@pytest.mark.parametrize("rate", [0.25, 0.9])
def test_those_chosen_lie_everywhere(rate: float) -> None:
    count = 1 << 18
    chosen = Draw.from_seed(5).choose_mask(count, round(rate * count))
    shares = chosen.view(64, -1).double().mean(dim=1)
    spread = (rate * (1.0 - rate) / (count / 64)) ** 0.5
    assert (shares - rate).abs().max() < 5.0 * spread
    neighbours = (chosen[1:] & chosen[:-1]).double().mean()
    assert abs(neighbours - rate**2) < 5.0 * (rate**2 * (1.0 - rate**2) * 2 / count) ** 0.5


def test_where_few_places_do_not_do_all_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    places = Draw.places

    def first_none(self: Draw, count: int, many: int) -> torch.Tensor:
        asked.append(many)
        found = places(self, count, many)
        return found[:0] if len(asked) == 1 else found

    monkeypatch.setattr(Draw, "places", first_none)
    count = 1 << 16
    assert int(Draw.from_seed(3).choose_mask(count, count // 3).sum()) == count // 3
    assert asked[0] < asked[1] == count
