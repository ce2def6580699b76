import pytest

from kernelbenchx import catalog
from kernelbenchx.core.errors import BadInput, BrokenTask


def test_every_category_has_a_task() -> None:
    assert {name.partition("/")[0] for name in catalog.function_names()} == set(
        catalog.PUBLISHED_CATEGORIES
    )


@pytest.mark.parametrize(
    "pattern",
    [
        "gelu",
        "activation/gelu",
        "Activation/gelu",
        "Activation/gelu.py",
        "gel?",
        "Gelu",
        "ACTIVATION/GELU",
    ],
)
def test_a_task_is_found_by_any_of_its_names(pattern: str) -> None:
    assert catalog.select(pattern) == ("activation/gelu",)


def test_globs_select_in_order_without_doubles() -> None:
    chosen = catalog.select("activation/*", "gelu")
    assert chosen == tuple(sorted(chosen))
    assert "activation/gelu" in chosen and len(set(chosen)) == len(chosen)


def test_a_name_that_means_nothing_is_an_error_with_a_hint() -> None:
    with pytest.raises(BadInput, match="did you mean gelu"):
        catalog.select("gelo")
    with pytest.raises(BadInput, match="did you mean RMSProp"):
        catalog.select("RMSPROb")
    assert catalog.find("adamw") == catalog.find("AdamW") != catalog.find("adam")


def test_no_two_names_differ_by_capitals_alone() -> None:
    every = [name.lower() for name in catalog.names()]
    assert len(set(every)) == len(every)


def test_a_file_that_is_no_task_is_an_error_never_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(BrokenTask, match="nothing_here"):
        catalog.load("activation/nothing_here")
    import kernelbenchx.tasks.activation.gelu as module

    monkeypatch.setattr(module, "TASK", 3)
    catalog.load.cache_clear()
    with pytest.raises(BrokenTask, match="TASK is a int"):
        catalog.load("activation/gelu")
    catalog.load.cache_clear()
