"""Where chance may come from."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Randomness, Report

Examine = Callable[..., Report]
SEED = "torch.randint(0, 2**31, (1,), device=x.device)"


def _f(body: str, signature: str = "x, y") -> str:
    return f"def f({signature}):\n    {body}\n    return launch(x)\n"


def _refused(report: Report) -> bool:
    return "randomness" in {finding.rule for finding in report.fatal}


def test_one_seed_is_drawn_where_the_task_says_so(around: Examine) -> None:
    drawn = _f(f"seed = {SEED}.item()")
    assert not _refused(around(drawn, randomness=Randomness.RANDINT))
    assert not _refused(around(drawn, randomness="generator"))
    assert _refused(around(drawn))


@pytest.mark.parametrize(
    "lines",
    [
        _f(f"a = {SEED}\n    b = {SEED}"),
        _f(f"for i in range(3):\n        a = {SEED}"),
        _f(f"a = [{SEED} for i in range(3)]"),
        _f("a = torch.rand(3)"),
        _f("a = x.bernoulli()"),
        _f("a = torch.nn.functional.dropout(x)"),
        _f("torch.manual_seed(0)"),
        _f("g = torch.Generator()"),
        _f("g = getattr(torch, 'rand')(3)"),
        "seed = torch.randint(0, 9, (1,))\n" + _f("pass"),
    ],
)
def test_other_chance_is_refused_even_there(lines: str, around: Examine) -> None:
    assert _refused(around(lines, randomness=Randomness.RANDINT))


def test_a_generator_of_the_signature_may_be_used(around: Examine) -> None:
    both = (
        f"if generator is None:\n        s = {SEED}\n    else:\n"
        f"        s = torch.randint(0, 9, (1,), generator=generator)"
    )
    lines = _f(both, "x, y, generator=None")
    assert not _refused(around(lines, randomness=Randomness.GENERATOR))
    assert _refused(around(lines, randomness=Randomness.RANDINT))
    initial = _f("s = generator.initial_seed()", "x, y, generator=None")
    assert not _refused(around(initial, randomness=Randomness.GENERATOR))
    seeded = _f("s = generator.manual_seed(0)", "x, y, generator=None")
    assert _refused(around(seeded, randomness=Randomness.GENERATOR))


def test_chance_in_a_main_part_never_runs(around: Examine) -> None:
    main = "if __name__ == '__main__':\n    torch.manual_seed(0)\n"
    assert not _refused(around(_f("pass") + main))
