"""Where the paper's tables contradict each other is found, and only there."""

from kernelbenchx.analysis.published_checks import categories, tabulate_arrangements, totals


def test_totals_that_disagree() -> None:
    rows = totals().records()
    apart = {
        (row["method"], row["outcome"]): (row["table_1"], row["summed"])
        for row in rows
        if row["agree"] == "no"
    }
    assert apart == {
        ("KernelAgent", "compile"): (113, 77),
        ("Claude", "correct"): (40, 39),
        ("KernelLLM", "compile"): (3, 1),
    }


def test_categories_whose_compile_rates_disagree() -> None:
    apart = {(r["category"], r["outcome"]) for r in categories().records() if r["agree"] == "no"}
    names = ("Activation", "Math", "MatrixMultiply", "SpatialOps")
    assert apart == {(name, "compile") for name in names}


def test_fusion_tasks_failing_everywhere_lie_between_the_arrangements() -> None:
    printed, alike, spread = (row["failing"] for row in tabulate_arrangements().records())
    assert (spread, printed, alike) == (34, 43, 46)
