import torch

from kernelbenchx import catalog

TASK = catalog.load("optimizer/SGD")


def test_the_first_step_has_no_buffer() -> None:
    assert TASK.space is not None
    chosen = {axis.name: axis.options[0].name for axis in TASK.space.axes}
    assert "none" in {option.name for option in TASK.space.by_name["buffer"].options}
    assert TASK.space.valid(chosen | {"buffer": "none"})
    words = {case.params.get("buffer", True) for seed in range(5) for case in TASK.cases(seed)}
    assert words == {True, False}


def test_it_is_left_out_or_none() -> None:
    seen = set()
    for seed in range(5):
        for case in TASK.cases(seed):
            if case.params.get("buffer", True):
                continue
            args = TASK.draw(case, 1).args
            seen.add(len(args))
            assert args[2:] in ((), (None,))
            assert isinstance(args[0], torch.Tensor)
    assert seen == {2, 3}


def test_the_promise_has_a_wrong_answer() -> None:
    (promise,) = (one for one in TASK.promises if one.axis == "buffer")
    assert promise.mutant in TASK.wrong_answers
