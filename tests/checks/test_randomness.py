"""Where chance may come from."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Randomness, Report
from kernelbenchx.checks.signatures import parse_signature

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
        "seed = torch.randint(0, 9, (1,))\n" + _f("launch(seed)"),
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


def test_a_generator_may_have_another_name(around: Examine) -> None:
    wanted = tuple(parse_signature("f(x, y, generator=None)")[1])
    renamed = _f("s = chance.initial_seed()", "a, b, chance=None")
    found = around(renamed, randomness=Randomness.GENERATOR, parameters=wanted)
    assert not _refused(found)
    assert not found.fatal
    other = _f("s = a.initial_seed()", "a, b, chance=None")
    assert _refused(around(other, randomness=Randomness.GENERATOR, parameters=wanted))


@pytest.mark.parametrize(
    "demo",
    [
        "if __name__ == '__main__':\n    torch.manual_seed(0)\n",
        "data = torch.randn(1024)\nprint(f(data, data))\n",
        "def test_f():\n    f(torch.randn(3), torch.rand(3))\n",
        "class Demo:\n    def run(self):\n        return torch.randn(3)\nDemo().run()\n",
    ],
)
def test_chance_in_demo_code_is_no_matter(demo: str, around: Examine) -> None:
    assert not around(_f("pass") + demo).fatal


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("data = torch.randn(9)\n", "launch(data)"),
        ("data = []\ndata.append(torch.randn(9))\n", "launch(data[0])"),
        ("data = {}\ndata['k'] = torch.randn(9)\n", "launch(data['k'])"),
        ("def draw():\n    return torch.randn(9)\n", "launch(draw())"),
        ("class D:\n    def run(self):\n        return torch.randn(3)\n", "D().run()"),
        ("draw = [torch.randn]\n", "launch(draw[0](3))"),
    ],
)
def test_chance_that_the_entry_uses_is_refused(before: str, body: str, around: Examine) -> None:
    assert _refused(around(before + _f(body)))
