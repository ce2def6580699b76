import copy
import struct
from typing import Any

import pytest
import torch

from kernelbenchx.worker.frames import pack
from kernelbenchx.worker.order import Arguments
from kernelbenchx.worker.timing import replay_program
from kernelbenchx.worker.timing.replay_program import BadPlan, ReplayProgram
from replay_samples import BINARY, KERNELS, FakeLauncher, number, pointer, sample, view


def _arguments(values: torch.Tensor) -> Arguments:
    storage = values.to(torch.float16).view(torch.uint8).clone()
    return Arguments((storage.view(torch.float16),), {}, (), {}, {0: storage})


def _loaded(document: dict[str, Any], **kernels: Any) -> tuple[ReplayProgram, FakeLauncher]:
    launcher = FakeLauncher(**{**KERNELS, **kernels})
    program = ReplayProgram(launcher)
    program.load({}, pack(document, BINARY))
    return program, launcher


def test_a_plan_gives_the_result_of_the_call_it_was_recorded_from() -> None:
    program, launcher = _loaded(sample())
    values = torch.arange(16.0)
    result = program.bind(_arguments(values))()
    torch.testing.assert_close(result, (values + 1).view(4, 4))
    assert launcher.launched == ["_double", "_add"]


def test_a_call_is_known_by_its_steps() -> None:
    program, launcher = _loaded(sample())
    call: Any = program.bind(_arguments(torch.arange(16.0)))
    assert len(call.parts) == len(sample()["steps"])
    call.parts[2]()
    assert launcher.launched == ["_double"]


def test_a_call_can_be_made_again_and_sees_new_values() -> None:
    program, _ = _loaded(sample())
    arguments = _arguments(torch.zeros(16))
    call = program.bind(arguments)
    call()
    arguments.args[0].fill_(3)
    torch.testing.assert_close(call(), torch.full((4, 4), 4.0))


def test_outputs_belong_to_one_call_and_workspaces_to_all() -> None:
    program, _ = _loaded(sample())
    bound = [program.bind(_arguments(torch.full((16,), float(n)))) for n in (1, 2)]
    results = [call() for call in bound]
    torch.testing.assert_close(results[0], torch.full((4, 4), 2.0))
    torch.testing.assert_close(results[1], torch.full((4, 4), 3.0))
    assert len(program._shared) == 2  # one workspace, and scratch memory of one launch
    program.release()
    assert program._shared == {}
    torch.testing.assert_close(bound[0](), torch.full((4, 4), 2.0))


def test_memory_that_nothing_was_written_to_is_poison() -> None:
    document = sample()
    document["steps"] = document["steps"][:1]
    program, _ = _loaded(document)
    assert program.bind(_arguments(torch.ones(16)))().isnan().all()


def test_a_result_may_be_nested_and_may_be_an_argument() -> None:
    document = sample()
    document["result"] = {
        "t": "dict",
        "v": {
            "buffer": {"t": "tensor", **view(0, 16, dtype="float16")},
            "rest": {"t": "tuple", "v": [{"t": "int", "v": 3}, {"t": "tensor", **view(2, 16)}]},
        },
    }
    program, _ = _loaded(document)
    arguments = _arguments(torch.ones(16))
    result = program.bind(arguments)()
    assert result["buffer"].data_ptr() == arguments.storages[0].data_ptr()
    assert result["rest"][0] == 3
    torch.testing.assert_close(result["rest"][1], torch.full((16,), 2.0))


@pytest.mark.parametrize(
    "sizes",
    [(8, 8, 8, 8), (8, 4, 8, 4), (8,), (8, 4, 8, 8, 8), (4, 4, 8, 8)],
)
def test_a_kernel_that_takes_other_parameters_is_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(BadPlan, match="other parameters"):
        _loaded(sample(), _double=(sizes, KERNELS["_double"][1]))


def test_scratch_memory_needs_a_parameter() -> None:
    with pytest.raises(BadPlan, match="other parameters"):
        _loaded(sample(), _add=((8, 8, 4), KERNELS["_add"][1]))


def test_scratch_memory_is_as_large_as_the_grid_asks_for() -> None:
    document = copy.deepcopy(sample())
    seen: list[int] = []
    document["steps"][3]["grid"] = [5, 2, 1]

    def add(_grid: Any, *parameters: bytes) -> None:
        seen.extend(struct.unpack("<Q", one)[0] for one in parameters[3:])

    program, _ = _loaded(document, _add=(KERNELS["_add"][0], add))
    program.bind(_arguments(torch.ones(16)))()
    room = program._shared["scratch", 3]
    assert room.numel() == 8 * 10
    assert seen == [room.data_ptr(), 0]


def test_arguments_of_another_size_are_refused() -> None:
    program, _ = _loaded(sample())
    with pytest.raises(BadPlan, match="an argument"):
        program.bind(_arguments(torch.ones(17)))


def test_memory_that_is_less_aligned_than_promised_is_refused() -> None:
    program, _ = _loaded(sample())
    document = sample()
    document["steps"][2]["parameters"][0] = pointer(1, 4)
    program.load({}, pack(document, BINARY))
    with pytest.raises(BadPlan, match="less aligned"):
        program.bind(_arguments(torch.ones(16)))


@pytest.mark.parametrize(
    ("parameter", "packed"),
    [
        (number("i1", 1), b"\1"),
        (number("i8", -1), b"\xff"),
        (number("i32", -2), struct.pack("<i", -2)),
        (number("u64", (1 << 64) - 1), b"\xff" * 8),
        (number("fp64", "0x1.8p+1"), struct.pack("<d", 3.0)),
        (number("fp32", "0x1.8p+1"), struct.pack("<f", 3.0)),
        (number("fp32", "0x1.0p+300"), struct.pack("<f", float("inf"))),
        (number("fp32", "nan"), struct.pack("<f", float("nan"))),
        (number("fp16", "0x1.8p+1"), struct.pack("<e", 3.0)),
        (number("bf16", "0x1.8p+1"), struct.pack("<f", 3.0)[2:]),
    ],
)
def test_numbers_are_packed_as_the_compiler_expects_them(
    parameter: dict[str, Any], packed: bytes
) -> None:
    assert replay_program._pack_parameter(parameter, []) == packed
    assert replay_program._size(parameter) == len(packed)


def test_there_is_nothing_to_record_or_tune() -> None:
    program, _ = _loaded(sample())
    arguments = _arguments(torch.ones(16))
    program.prepare(arguments)
    program.tune(arguments)
    assert program.obstacle(arguments)
    with pytest.raises(TypeError):
        program.record(arguments)
