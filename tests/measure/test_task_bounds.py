import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.measure.task_bounds import SHOWN, bound_on, bounds, find_sheet, ridge


def test_bounds_follow_from_the_data_sheet() -> None:
    assert ridge(find_sheet("H200"), "float32") == pytest.approx(67000 / 4800)
    assert bound_on("activation/relu", "NVIDIA H200") == "memory"
    assert bound_on("matrix_multiply/addmm", "NVIDIA H200") == "compute"
    assert bound_on("level1/no_such_problem", "H200") is None


def test_one_task_may_be_bound_differently_on_two_gpus() -> None:
    """58 operations for a byte: more than an H20 does in float32, less than an RTX 5090."""
    name = "fusion/fused_layer_norm_relu_linear"
    assert (bound_on(name, "NVIDIA H20"), bound_on(name, "RTX 5090")) == ("compute", "memory")


def test_names_without_the_maker_are_found_and_others_are_refused() -> None:
    assert find_sheet("RTX 5090") == find_sheet("NVIDIA GeForce RTX 5090")
    with pytest.raises(BadInput, match="no data sheet of 'abacus'"):
        find_sheet("abacus")
    assert all(find_sheet(name) for name in SHOWN)


def test_unknown_tasks_are_left_out() -> None:
    assert bounds(["math/abs", "level1/none"], "H200") == {"math/abs": "memory"}
