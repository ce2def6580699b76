"""The product of two batches: what is drawn for it, what it costs, and which sizes have layouts."""

import torch

from kernelbenchx.spec import Draw
from kernelbenchx.spec.families.batched_product import (
    OPERANDS,
    SIZES,
    ProductCost,
    product_fits,
    product_inputs,
    product_rounding,
    wide_product,
)


def test_the_product_has_the_size_that_was_asked_for() -> None:
    for values in (1.0, 4.0):
        drawn = product_inputs(Draw.from_seed(0), (3, 40, 500, 50), torch.float32, values)
        assert abs(float(wide_product(*drawn.args).std()) / values - 1) < 0.1


def test_operands_and_out_are_laid_out_as_asked() -> None:
    sizes = (2, 3, 4, 5)
    drawn = product_inputs(
        Draw.from_seed(0), sizes, torch.float16, layout="transposed", out="strided", p=0.3
    )
    assert [tuple(one.shape) for one in drawn.args] == [(2, 3, 4), (2, 4, 5)]
    assert not drawn.args[0].is_contiguous() and drawn.args[1].is_contiguous()
    assert drawn.kwargs["out"].shape == (2, 3, 5) and not drawn.kwargs["out"].is_contiguous()
    assert drawn.kwargs["p"] == 0.3
    assert "out" not in product_inputs(Draw.from_seed(0), sizes, torch.float16).kwargs


def test_16_bits_are_summed_in_float32() -> None:
    x = torch.full((1, 1, 4096), 1.0, dtype=torch.float16)
    y = torch.full((1, 4096, 1), 1 + 2.0**-10, dtype=torch.float16)
    assert wide_product(x, y).item() == 4100.0  # float16 knows 4096 and 4100.0 is no sum there
    assert wide_product(x, y).dtype == torch.float32
    assert wide_product(x.double(), y.double()).dtype == torch.float64


def test_long_sums_may_be_off_by_more() -> None:
    short, long = torch.ones(1, 2, 64), torch.ones(1, 2, 6400)
    assert product_rounding(short, short.mT).max() == 64
    assert product_rounding(long, long.mT).max() == 6400 * 10


def test_steps_after_the_product_are_counted() -> None:
    cost = ProductCost(flops=10)(sizes=(2, 3, 4, 5), dtype=torch.float16)
    assert (cost.flops, cost.bytes) == (2 * 15 * (8 + 10), 2 * 2 * (12 + 20 + 15))


def test_what_has_no_element_has_no_layout() -> None:
    ordinary = {axis.name: axis.options[0].name for axis in (SIZES, *OPERANDS)}
    assert product_fits(ordinary | {"sizes": "none"})
    assert product_fits(ordinary | {"layout": "strided"})
    assert not product_fits(ordinary | {"sizes": "none", "layout": "strided"})
    assert not product_fits(ordinary | {"sizes": "one", "layout2": "transposed"})
