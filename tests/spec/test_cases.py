import torch

from kernelbenchx.spec.cases import case, grid


def test_a_grid_is_every_combination_in_order() -> None:
    cases = grid(n=(1, 2), dtype=(torch.float16, torch.float32))
    assert [one.name for one in cases] == [
        "n=1,dtype=float16",
        "n=1,dtype=float32",
        "n=2,dtype=float16",
        "n=2,dtype=float32",
    ]


def test_a_single_case_adds_to_a_grid() -> None:
    cases = grid(n=(1,)) + case(n=7, layout="strided")
    assert cases[1].params == {"n": 7, "layout": "strided"}
    assert cases[1].name == "n=7,layout=strided"
    assert grid(shape=((2, 3),))[0].name == "shape=(2,3)"
