import random

import pytest

from attempt_samples import attempt
from kernelbenchx.analysis import quality
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.quality import (
    IN_ALL,
    MISSING,
    MOST,
    choose_digests,
    most_of_a_method,
    tables,
)
from many_sources import broken_source, kernel_source

PLAIN = """def a(x):
    return x


def b(x):
    # why
    if x and x > 1:
        return 2
    return 1
"""


def _given(count: int = 30) -> tuple[list[Attempt], dict[str, str]]:
    draw = random.Random(1)
    attempts, sources = [], {}
    for number in range(count):
        digest = f"{number:064d}"
        sources[digest] = kernel_source("math/add", draw, length=4 if number % 2 else 20)
        method = "short" if number % 2 else "long"
        attempts.append(attempt(task=f"math/t{number}", digest=digest, method=method))
    return attempts, sources


def test_what_radon_says_of_a_source() -> None:
    pytest.importorskip("radon")
    found = quality.quality_of(PLAIN)
    assert found is not None
    assert (found.complexity_mean, found.complexity_max) == (2.0, 3)
    assert (found.lines, found.code_lines) == (9, 6)
    assert found.comment_ratio == pytest.approx(1 / 9)
    assert quality.quality_of("def def x(") is None
    assert quality.quality_of("x = 1\0") is None


def test_maintainability_is_radons_own() -> None:
    metrics = pytest.importorskip("radon.metrics")
    source = kernel_source("math/add", random.Random(4))
    found = quality.quality_of(source)
    assert found is not None
    assert found.maintainability == pytest.approx(metrics.mi_visit(source, multi=True))


def test_means_by_method_with_an_interval_over_tasks() -> None:
    pytest.importorskip("radon")
    attempts, sources = _given()
    rows = {(r["method"], r["measure"]): r for r in tables(attempts, sources)[0].records()}
    short, long = rows["short", "code_lines"], rows["long", "code_lines"]
    assert short["kernels"] == long["kernels"] == 15
    assert isinstance(short["high"], float) and isinstance(long["low"], float)
    assert short["high"] < long["low"]


def test_a_source_that_is_not_python_is_counted_and_left_out() -> None:
    pytest.importorskip("radon")
    attempts, sources = _given(4)
    sources[attempts[0].digest] = broken_source("math/add", random.Random(2))
    found = tables(attempts, sources)
    assert "4 sources read" in found[0].notes[0] and "1 of them are not Python" in found[0].notes[0]
    kernels = {row["outcome"]: row["kernels"] for row in found[1].records()}
    assert kernels == {"correct": 3}


def test_equal_sources_of_a_method_count_once_and_void_ones_not() -> None:
    attempts, _ = _given(4)
    again = [*attempts, *attempts, attempt(digest="v", outcome="void")]
    assert choose_digests(again) == sorted(one.digest for one in attempts)


def test_only_so_many_sources_of_a_method_are_wanted() -> None:
    many = [attempt(digest=f"{n:064d}", method=m) for n in range(MOST + 50) for m in "ab"]
    assert len(choose_digests(many)) == MOST
    assert choose_digests(many) == choose_digests(many[::-1])


@pytest.mark.parametrize(("methods", "most"), [(0, MOST), (1, MOST), (20, IN_ALL // 20), (9999, 1)])
def test_the_more_methods_the_fewer_sources_of_each(methods: int, most: int) -> None:
    assert most_of_a_method(methods) == most


def test_without_radon_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts, sources = _given(4)
    monkeypatch.setattr(quality, "find_spec", {}.get)
    for found in tables(attempts, sources):
        assert found.rows == () and found.notes == (MISSING,)
    assert "\n" not in MISSING and "metrics" in MISSING


def test_no_source_at_all_gives_empty_tables() -> None:
    pytest.importorskip("radon")
    assert [one.rows for one in tables([], {})] == [(), ()]
