"""Mutants are single, readable, different from the original, and always the same."""

import ast

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.mutation.engine import mutants
from tiers import mark_slow

SOURCE = '''import torch
import triton
import triton.language as tl

EPS = tl.constexpr(1e-5)


@triton.jit
def _sum(y, x, n, BLOCK: tl.constexpr):
    """Adds 1 + 1."""
    acc = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(x + at, mask=at < n, other=-float("inf")).to(tl.float32)
    tl.store(y, tl.sum(acc, axis=0))


def total(input: torch.Tensor, scale: int = 1) -> torch.Tensor:
    x = input.contiguous()
    y = torch.empty((), dtype=x.dtype)
    if x.numel() == 0:
        return y
    _sum[(1,)](y, x, x.numel(), BLOCK=64, num_warps=4)
    return y
'''


def test_mutants_parse_and_differ_from_the_original_and_each_other() -> None:
    made = mutants(SOURCE, 1000)
    trees = {ast.dump(ast.parse(one.source)) for one in made}
    assert len(trees) == len({one.description for one in made}) == len(made)
    assert ast.dump(ast.parse(SOURCE)) not in trees


def test_the_choice_is_repeatable_and_spread() -> None:
    made = mutants(SOURCE, 12)
    assert made == mutants(SOURCE, 12)
    assert len(made) == 12
    assert len({one.operator for one in made}) >= 10
    assert set(made) < set(mutants(SOURCE, 1000))


@pytest.mark.parametrize("name", mark_slow(catalog.function_names(), fast=5))
def test_every_witness_has_thirty(name: str) -> None:
    made = mutants(witness_source(name))
    assert len({one.description for one in made}) == len(made) == 30
