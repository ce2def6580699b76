from collections import Counter
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.stability.kernels import KernelOrigin, draw_kernels, read_kernels, shipped_kernels

ADD, RELU = "math/add", "activation/relu"


def test_a_task_has_a_witness_near_misses_and_controls_of_its_own() -> None:
    found = shipped_kernels([ADD, RELU])
    kinds = Counter((one.submission.task, one.kind) for one in found)
    assert kinds[ADD, KernelOrigin.WITNESS] == kinds[RELU, KernelOrigin.WITNESS] == 1
    assert min(kinds[ADD, KernelOrigin.NEAR_MISS], kinds[RELU, KernelOrigin.NEAR_MISS]) >= 3
    assert {one.submission.task for one in found} == {ADD, RELU}


def test_controls_that_need_a_gpu_are_left_out() -> None:
    names = {one.submission.name for one in shipped_kernels(catalog.select())}
    assert "autotuned" in names and "timing_honest_gelu" not in names


def test_kernels_of_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "relu__mine.py").write_text(witness_source(RELU), encoding="utf-8")
    (kernel,) = read_kernels([tmp_path])
    assert (kernel.kind, kernel.submission.task) == (KernelOrigin.GIVEN, RELU)
    assert read_kernels([]) == []


def test_a_sample_does_not_depend_on_what_else_is_there() -> None:
    all_of_it = shipped_kernels([ADD, RELU])
    chosen = draw_kernels(all_of_it, 4)
    assert len(chosen) == 4 and chosen != all_of_it[:4]
    kept = [one for one in all_of_it if one in chosen or one.submission.task == ADD]
    assert [one for one in draw_kernels(kept, 4) if one in chosen] == chosen
    assert draw_kernels(all_of_it, 10_000) == all_of_it
