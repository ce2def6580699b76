"""Checks in a process of their own: the same reports, and none that takes longer than its limit."""

import os

import pytest

from kernelbenchx.checks import checker_process
from kernelbenchx.checks.check_source import check
from kernelbenchx.checks.checker_process import check_bounded
from kernelbenchx.checks.rule import Expectation, Form, Randomness, SignatureParameter

KERNEL = """\
import torch
import triton
import triton.language as tl

@triton.jit
def k(x, n, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), 1.0)

def f(x):
    k[(1,)](x, 3, B=4)
    return x
"""
EXPECTED = Expectation(entries=("f",), parameters=(SignatureParameter("x"),))


@pytest.mark.parametrize(
    "source",
    [KERNEL, KERNEL.replace("return x", "return x.relu()"), "def f(:", "s = '\ud800'", "", "\0"],
    ids=["kernel", "torch", "no Python", "half a pair", "empty", "null byte"],
)
def test_the_report_is_that_of_the_checks(source: str) -> None:
    assert check_bounded(source, EXPECTED) == check(source, EXPECTED)


def test_every_part_of_an_expectation_reaches_the_process() -> None:
    expected = Expectation(
        entries=("M",),
        parameters=(SignatureParameter("x"),),
        init=(SignatureParameter("n", has_default=True),),
        form=Form.MODULE,
        randomness=Randomness.RANDINT,
    )
    assert check_bounded(KERNEL, expected) == check(KERNEL, expected)
    assert check_bounded(KERNEL, expected) != check(KERNEL, EXPECTED)


def test_a_source_that_takes_too_long_is_refused_and_the_next_one_is_checked() -> None:
    refused = check_bounded(KERNEL * 700, EXPECTED, limit_s=0.02)
    assert [finding.why for finding in refused.fatal] == [
        "source too complex: checking it takes more than 0.02 s of CPU time"
    ]
    assert check_bounded(KERNEL, EXPECTED).fatal == ()


def test_a_process_that_was_killed_is_replaced() -> None:
    check_bounded(KERNEL, EXPECTED)
    checker = checker_process._idle_or_new()
    checker._process.kill()
    checker_process._idle.put(checker)
    assert check_bounded(KERNEL, EXPECTED).fatal == ()


def test_one_process_checks_many_sources() -> None:
    check_bounded(KERNEL, EXPECTED)
    checker = checker_process._idle_or_new()
    checker_process._idle.put(checker)
    for number in range(20):
        check_bounded(f"{KERNEL}# {number}\n", EXPECTED)
    assert checker_process._idle_or_new() is checker
    checker_process._idle.put(checker)


def test_the_process_ends_with_the_one_that_asks() -> None:
    check_bounded(KERNEL, EXPECTED)
    checker = checker_process._idle_or_new()
    assert checker._process.stdin is not None
    checker._process.stdin.close()
    assert checker._process.wait(timeout=60) == 0
    checker.close()


def test_a_forked_child_starts_a_process_of_its_own() -> None:
    check_bounded(KERNEL, EXPECTED)
    checker = checker_process._idle_or_new()
    checker.owner = os.getppid()
    checker_process._idle.put(checker)
    mine = checker_process._idle_or_new()
    assert mine is not checker
    mine.close()
    checker.close()
