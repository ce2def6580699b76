"""The benchmark of one evaluation's CPU time: what it says, and against what."""

from benchmark_files import benchmark

CPU = benchmark("evaluation_cpu")

BEFORE = {"a": {"judge": 0.5, "interpret": 0.5, "compile": 1.0}, "b": {"judge": 1.0}}
AFTER = {"a": {"judge": 0.5, "interpret": 0.5, "compile": 2.0}, "b": {"judge": 2.0}}


def test_a_line_has_the_parts_and_the_ratio_where_there_is_one() -> None:
    line = CPU._line("a", AFTER["a"], BEFORE["a"])
    assert line.startswith("a: 3.00 s (judge 0.50, interpret 0.50, compile 2.00)")
    assert line.endswith("1.50 times before")
    assert "before" not in CPU._line("a", AFTER["a"], None)


def test_medians_are_over_witnesses_and_ratios_over_those_measured_twice() -> None:
    assert list(CPU._closing(AFTER, BEFORE)) == [
        "median of 2: 2.50 s, sum 5.0 s",
        "median ratio of 2: 1.75",
    ]
    assert len(list(CPU._closing(AFTER, {}))) == 1
