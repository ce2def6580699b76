"""Which tasks are chosen by names, track and levels."""

import pytest

from kernelbenchx import catalog
from kernelbenchx.cli.task_choice import FUNCTIONS, KERNELBENCH, chosen_tasks
from kernelbenchx.core.errors import BadInput

ELU, GEMM = "level1/elu", "level2/gemm_multiply_leaky_relu"


def test_a_track_is_all_of_its_tasks() -> None:
    assert chosen_tasks([], KERNELBENCH) == catalog.problem_names()
    assert chosen_tasks([], FUNCTIONS) == catalog.function_names()


def test_levels_choose_among_problems() -> None:
    some = chosen_tasks([], KERNELBENCH, "2, 1")
    assert ELU in some and GEMM in some
    assert {name.partition("/")[0] for name in some} == {"level1", "level2"}


def test_names_choose_within_a_track_also_in_other_precisions() -> None:
    assert chosen_tasks([f"{GEMM},level1/elu:bf16"], KERNELBENCH) == (GEMM, "level1/elu:bf16")
    assert chosen_tasks(["relu"]) == chosen_tasks(["relu"], FUNCTIONS) == ("activation/relu",)


@pytest.mark.parametrize(
    ("patterns", "track", "levels", "why"),
    [
        ([], None, None, "give --tasks or --track"),
        ([" , "], KERNELBENCH, None, "--tasks selects no task"),
        ([], None, "1", "--levels belongs to --track kernelbench"),
        ([], FUNCTIONS, "1", "--levels belongs to --track kernelbench"),
        ([], KERNELBENCH, "1,4", "'4' is none of 1, 2, 3"),
        ([], KERNELBENCH, ",", "--levels names none of 1, 2, 3"),
        (["relu"], KERNELBENCH, None, "activation/relu is not in the track kernelbench"),
        ([GEMM], KERNELBENCH, "1", r"is not in the track kernelbench \(level1\)"),
        ([ELU], FUNCTIONS, None, r"level1/elu is not in the track functions"),
    ],
)
def test_a_choice_that_contradicts_itself_is_refused(
    patterns: list[str], track: str | None, levels: str | None, why: str
) -> None:
    with pytest.raises(BadInput, match=why):
        chosen_tasks(patterns, track, levels)
