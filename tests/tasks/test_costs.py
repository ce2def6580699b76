"""No cost counts more than the cheapest kernel must move, else that would be called impossible."""

import subprocess
import sys
from typing import Any

import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.spec import Case
from kernelbenchx.spec.call import Call
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.memory_traffic import in_a_sector
from kernelbenchx.spec.task import Task

F32, F16 = torch.float32, torch.float16
COSTS = """
import sys
import torch, triton
from kernelbenchx import catalog
assert "sympy" not in sys.modules
for name in catalog.function_names():
    task = catalog.load(name)
    cases = task.cases(0)
    for case in cases + task.timings:
        task.cost(**case.params)
    for case in cases:
        task.draw(case, 1)
    assert "sympy" not in sys.modules, name
"""


def _drawn(name: str, seed: int = 1, **params: Any) -> tuple[Cost, Call]:
    task: Task = catalog.load(name)
    return task.cost(**params), task.draw(Case(params), seed)


def _sectors(touched: torch.Tensor, itemsize: int) -> int:
    """Bytes of all sectors in which a value is touched, of a tensor that is contiguous."""
    size = in_a_sector(itemsize)
    flat = touched.flatten()
    padded = torch.nn.functional.pad(flat, (0, -flat.numel() % size))
    return int(padded.reshape(-1, size).any(1).sum()) * size * itemsize


def test_numbers_written_to_out_are_not_read_there_before() -> None:
    task = catalog.load("random/rand")
    for dtype in (F32, torch.float64):
        fresh = task.cost(shape=(64, 32), dtype=dtype)
        assert task.cost(shape=(64, 32), dtype=dtype, out="contiguous") == fresh
        assert fresh.bytes == 64 * 32 * dtype.itemsize


@pytest.mark.parametrize(("ignore", "ignored"), [(-100, 0.2), (3, 0.2), (-100, 0.6)])
def test_rows_that_are_ignored_need_no_logits(ignore: int, ignored: float) -> None:
    params: dict[str, Any] = {"shape": (4096, 48), "dtype": F16, "reduction": "none"}
    for seed in range(20):
        cost, call = _drawn("loss/cross_entropy", seed, **params, ignore=ignore, ignored=ignored)
        kept = int((call.args[1] != ignore).sum())
        least = kept * 48 * 2 + 4096 * (2 + 8)
        assert 0.88 * least < cost.bytes <= least


def test_a_share_of_pixels_that_are_ignored_spares_nothing() -> None:
    """Their logits lie side by side with those of pixels that are not."""
    shape = (2, 8, 64, 64)
    cost, call = _drawn("loss/cross_entropy", shape=shape, dtype=F32, reduction="sum", ignore=3)
    kept = (call.args[1] != 3).unsqueeze(1).expand(shape)
    least = _sectors(kept, 4) + 8 * 2 * 64 * 64 + 4
    assert 0.99 * least < cost.bytes <= least


@pytest.mark.parametrize(
    ("shape", "to", "dtype", "padding"),
    [
        ((1, 1, 1024, 1024), (512, 512), F32, "zeros"),
        ((1, 1, 512, 512), (512, 512), F16, "border"),
        ((1, 1, 96, 96, 96), (96, 96, 96), F32, "reflection"),
        ((1, 1, 1024, 1024), (128, 128), F32, "zeros"),
    ],
)
def test_of_an_image_only_what_is_sampled_is_read(
    shape: tuple[int, ...], to: tuple[int, ...], dtype: torch.dtype, padding: str
) -> None:
    params: dict[str, Any] = {"shape": shape, "to": to, "dtype": dtype, "padding_mode": padding}
    cost, call = _drawn("spatial_ops/grid_sample", **params)
    image, places = (tensor.double() for tensor in call.args)
    image.requires_grad_()
    sampled = torch.nn.functional.grid_sample(
        image, places, padding_mode=padding, align_corners=False
    )
    (touched,) = torch.autograd.grad(sampled.sum(), image)
    rest = (places.numel() + sampled.numel()) * dtype.itemsize
    least = _sectors(touched != 0, dtype.itemsize)
    assert 0.85 * least < cost.bytes - rest <= least


@pytest.mark.parametrize(
    ("shape", "dim", "index", "src"),
    [
        ((1024, 64), 0, (512, 64), (512, 64)),
        ((64, 1024), 1, (64, 750), (64, 1024)),
        ((8, 64, 64), 1, (8, 40, 64), (8, 40, 64)),
        ((8, 64), 1, (8, 64), (8, 64)),
    ],
)
@pytest.mark.parametrize("dtype", [F32, F16])
def test_what_scatter_overwrites_and_what_no_index_names_is_not_read(
    shape: tuple[int, ...],
    dim: int,
    index: tuple[int, ...],
    src: tuple[int, ...],
    dtype: torch.dtype,
) -> None:
    params: dict[str, Any] = {
        "shape": shape,
        "dim": dim,
        "index": index,
        "src": src,
        "dtype": dtype,
    }
    cost, call = _drawn("index/scatter", **params)
    stays = torch.ones(shape, dtype=torch.bool).scatter(dim, call.args[2], False)
    written, named = stays.numel(), call.args[2].numel()
    least = _sectors(stays, dtype.itemsize) + (written + named) * dtype.itemsize + 8 * named
    assert 0.95 * least < cost.bytes <= least


def test_an_index_that_is_expanded_is_read_once() -> None:
    params: dict[str, Any] = {
        "shape": (64, 64),
        "dim": 0,
        "index": (32, 64),
        "src": (32, 64),
        "dtype": F32,
    }
    whole, _ = _drawn("index/scatter", **params)
    expanded, call = _drawn("index/scatter", **params, index_layout="expanded")
    assert call.args[2].untyped_storage().nbytes() <= 64 * 8
    assert expanded.bytes < whole.bytes - 8 * 31 * 64


@pytest.mark.parametrize(
    ("image", "kernel", "dtype", "options"),
    [
        ((2, 4, 28, 28), (8, 1, 1), F16, {"stride": 2}),
        ((2, 4, 56, 56), (8, 3, 3), F32, {"padding": 1}),
        ((1, 2, 40, 200), (4, 1, 1), F32, {"stride": (3, 20)}),
        ((1, 2, 31, 33), (4, 2, 2), F16, {"stride": 5, "dilation": (2, 1)}),
        ((1, 2, 9, 9), (4, 9, 9), F32, {"padding": "same"}),
    ],
)
def test_pixels_that_no_window_touches_are_not_read(
    image: tuple[int, ...], kernel: tuple[int, ...], dtype: torch.dtype, options: dict[str, Any]
) -> None:
    params: dict[str, Any] = {"image": image, "kernel": kernel, "dtype": dtype}
    cost, call = _drawn("convolution/conv2d", **params, **options)
    x = torch.ones(image, dtype=torch.float64, requires_grad=True)
    weight = torch.ones(call.args[1].shape, dtype=torch.float64)
    out = torch.nn.functional.conv2d(x, weight, None, **options)
    (touched,) = torch.autograd.grad(out.sum(), x)
    rest = (weight.numel() + out.numel() + kernel[0]) * dtype.itemsize
    least = _sectors(touched != 0, dtype.itemsize)
    assert 0.6 * least < cost.bytes - rest <= least


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_neither_costs_nor_inputs_load_a_computer_algebra_system() -> None:
    """It takes as long to load as a submission to judge."""
    command = [sys.executable, "-c", COSTS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
