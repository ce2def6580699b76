import torch

from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed, call


def test_a_copy_has_values_strides_and_sharing_but_no_common_memory() -> None:
    base = torch.arange(12.0)
    original = call(base.view(3, 4).t(), [base[2:5], 7], other=base)
    copied = original.copy()
    assert torch.equal(copied.args[0], original.args[0])
    assert copied.args[0].stride() == original.args[0].stride()
    copied.kwargs["other"].zero_()
    assert copied.args[1][0].sum() == 0, "views of one storage still share it"
    assert base.sum() == 66, "the original is untouched"


def test_widening_leaves_integers_alone() -> None:
    wide = call(torch.ones(2, dtype=torch.bfloat16), torch.ones(2, dtype=torch.int8)).widen()
    assert [tensor.dtype for tensor in wide.tensors()] == [torch.float64, torch.int8]
    assert call(torch.ones(1, dtype=torch.complex64)).widen().args[0].dtype == torch.complex128


def test_stand_ins_become_real_where_the_call_is_made() -> None:
    real = call(generator=GeneratorSeed(7), device=CaseDevice()).concrete()
    assert real.kwargs["generator"].initial_seed() == 7
    assert real.kwargs["device"] == torch.device("cpu")


def test_repeated_calls_take_another_seed_and_then_the_first_again() -> None:
    seeds = [call(GeneratorSeed(7)).repeat(n).args[0].seed for n in range(3)]
    assert seeds == [7, 8, 7]


def test_tensors_are_found_in_every_corner() -> None:
    parts = [torch.full((1,), float(n)) for n in range(4)]
    whole = Call(
        args=(parts[0], (parts[1],)), kwargs={"x": parts[2], "n": 3}, state={"w": parts[3]}
    )
    assert [int(tensor) for tensor in whole.tensors()] == [0, 1, 2, 3]


def test_widened_tensors_share_nothing_with_the_call() -> None:
    wide, whole = torch.ones(2, dtype=torch.float64), torch.arange(4)
    asked = call(torch.ones(2), wide, whole, whole[1:])
    copy = asked.widen()
    for tensor in copy.args:
        tensor.zero_()
    assert asked.args[0].all() and wide.all() and whole.tolist() == [0, 1, 2, 3]
    assert copy.args[2].untyped_storage().data_ptr() == copy.args[3].untyped_storage().data_ptr()
    assert copy.args[0].dtype == torch.float64


def test_a_call_is_where_its_tensors_are() -> None:
    assert call(1, [torch.ones(2, device="meta")]).device.type == "meta"
    assert call(1, GeneratorSeed(3)).device.type == "cpu"
    assert call(torch.ones(1), CaseDevice()).concrete().args[1] == torch.device("cpu")
