"""Autotune compiles every configuration, or one that the seed draws; what cannot fit is skipped."""

from collections.abc import Callable
from typing import Any

import pytest

Compile = Callable[..., Any]

TUNED = """
@triton.autotune(
    configs=[triton.Config({"SIZE": size}, num_warps=warps) for size, warps in CONFIGS],
    key=["n"],
    EXTRA
)
@triton.heuristics({"WIDE": lambda arguments: arguments["SIZE"] > 512})
@triton.jit
def scale(x, n, SIZE: tl.constexpr, WIDE: tl.constexpr):
    BODY
    place = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(x + place, tl.load(x + place, mask=place < n) * 2, mask=place < n)


def main():
    x = torch.ones(1000)
    for _ in range(2):
        scale[lambda meta: (triton.cdiv(1000, meta["SIZE"]),)](x, 1000)
    return [scale.best_config.kwargs["SIZE"], float(x.sum())]
"""

# Both operands lie in shared memory in float16: 256 bytes for each step of depth.
HUNGRY = """
@triton.autotune(
    configs=[triton.Config({"DEPTH": depth}, num_warps=8) for depth in DEPTHS],
    key=[],
)
@triton.jit
def hungry(x, y, DEPTH: tl.constexpr):
    row = tl.arange(0, 64)
    depth = tl.arange(0, DEPTH)
    left = tl.load(x + row[:, None] * DEPTH + depth[None, :])
    right = tl.load(x + depth[:, None] * 64 + row[None, :])
    tl.store(y + row[:, None] * 64 + row[None, :], tl.dot(left, right))


def main():
    x = torch.zeros(4096, 64, dtype=torch.float16)
    hungry[(1,)](x, torch.zeros(64, 64))
    return hungry.best_config.kwargs["DEPTH"]
"""


def tuned(configs: str = "[(128, 2), (256, 4), (1024, 8)]", extra: str = "", body: str = "") -> str:
    source = TUNED.replace("CONFIGS", configs).replace("EXTRA", extra)
    return source.replace("BODY", body or "pass")


def sizes(reply: Any) -> list[int]:
    return [kernel["configuration"]["SIZE"] for kernel in reply["kernels"]]


def depths(reply: Any) -> list[int]:
    return [kernel["configuration"]["DEPTH"] for kernel in reply["kernels"]]


@pytest.mark.slow
def test_all_configurations_are_compiled_and_listed(compiled: Compile) -> None:
    reply = compiled(tuned(), all_configurations=True)
    assert reply["raised"] is None
    assert sizes(reply) == [128, 256, 1024]
    assert [kernel["num_warps"] for kernel in reply["kernels"]] == [2, 4, 8]
    assert all(kernel["ok"] for kernel in reply["kernels"])
    assert reply["kernels"][0]["configuration"]["num_warps"] == 2
    assert [kernel["grid"][0] for kernel in reply["kernels"]] == [8, 4, 1]


def test_one_configuration_is_compiled_as_the_seed_draws_it(compiled: Compile) -> None:
    drawn = {}
    for seed in range(6):
        reply = compiled(tuned(), seed=seed)
        (kernel,) = reply["kernels"]
        drawn[seed] = kernel["configuration"]["SIZE"]
        assert reply["returned"] == [drawn[seed], 1000.0]
    assert len(set(drawn.values())) > 1
    assert sizes(compiled(tuned(), seed=3)) == [drawn[3]]


def test_a_single_configuration_is_named_too(compiled: Compile) -> None:
    assert sizes(compiled(tuned("[(128, 2)]"))) == [128]


def test_pruned_configurations_are_left_out(compiled: Compile) -> None:
    prune = (
        'prune_configs_by={"early_config_prune": '
        'lambda configs, args, **meta: [c for c in configs if c.kwargs["SIZE"] < 1000]},'
    )
    assert sizes(compiled(tuned(extra=prune), all_configurations=True)) == [128, 256]


def test_a_submissions_own_benchmark_is_not_needed(compiled: Compile) -> None:
    own = "do_bench=lambda fn, quantiles: torch.cuda.no_such_clock(),"
    assert compiled(tuned(extra=own), all_configurations=True)["raised"] is None


def test_what_cannot_fit_is_skipped_and_listed(compiled: Compile) -> None:
    reply = compiled(HUNGRY.replace("DEPTHS", "(512, 128)"), "sm_89", all_configurations=True)
    assert reply["raised"] is None
    assert reply["returned"] == 128
    large, small = reply["kernels"]
    assert small["ok"] and not small["skipped"]
    assert large["error"]["type"] == "OutOfResources"
    assert large["skipped"] and not large["ok"]
    assert reply["launched"] == ["hungry"]


@pytest.mark.slow
def test_the_draw_falls_to_the_next_configuration(compiled: Compile) -> None:
    replies = [
        compiled(HUNGRY.replace("DEPTHS", "(512, 128)"), "sm_89", seed=seed) for seed in range(4)
    ]
    assert {reply["returned"] for reply in replies} == {128}
    tried = [depths(reply) for reply in replies]
    assert [128] in tried
    assert [512, 128] in tried


def test_where_nothing_fits_the_kernel_has_the_error(compiled: Compile) -> None:
    reply = compiled(HUNGRY.replace("DEPTHS", "(512, 1024)"), "sm_89", all_configurations=True)
    assert reply["raised"]["type"] == "OutOfResources"
    assert [kernel["ok"] for kernel in reply["kernels"]] == [False, False]
    assert [kernel["skipped"] for kernel in reply["kernels"]] == [False, True]
    assert reply["launched"] == []


def test_an_assertion_skips_and_an_error_ends(compiled: Compile) -> None:
    assertion = compiled(tuned(body="tl.static_assert(SIZE < 1000)"), all_configurations=True)
    assert assertion["raised"] is None
    assert [kernel["skipped"] for kernel in assertion["kernels"]] == [False, False, True]
    # As on a card; the configurations after the failing one are still compiled and listed.
    error = compiled(
        tuned(body="\n    if SIZE == 256:\n        tl.no_such_name()\n"), all_configurations=True
    )
    assert error["raised"]["type"] == "CompilationError"
    assert [kernel["ok"] for kernel in error["kernels"]] == [True, False, True]
    assert not error["kernels"][1]["skipped"]
