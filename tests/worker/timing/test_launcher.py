"""What the driver is asked for, seen by one that only writes it down; tests/gpu asks the card's."""

import ctypes
from typing import Any

import pytest
import torch

from kernelbenchx.worker.timing.launcher import _MOST_PARAMETERS, CudaLauncher, LaunchFailed

OPTIN, STATIC = 232448, 1024
SIZES = [8, 4]


class _Stream:
    cuda_stream = 77


class _Library:
    """Answers like libcuda for one kernel with two parameters."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.fails: dict[str, int] = {}
        self.sizes = list(SIZES)

    def __getattr__(self, name: str) -> Any:
        function = _Function(self, name)
        self.__dict__[name] = function
        return function


class _Function:
    def __init__(self, library: _Library, name: str) -> None:
        self._library, self._name = library, name
        self.argtypes: list[Any] = []

    def __call__(self, *given: Any) -> int:
        self._library.asked.append((self._name, given))
        if self._name == "cuFuncGetParamInfo":
            index = given[1].value
            if index >= len(self._library.sizes):
                return 1
            given[3]._obj.value = self._library.sizes[index]
        if self._name in ("cuDeviceGetAttribute", "cuFuncGetAttribute"):
            given[0]._obj.value = OPTIN if self._name == "cuDeviceGetAttribute" else STATIC
        return self._library.fails.get(self._name, 0)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> _Library:
    made = _Library()
    zeros = torch.zeros
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: made)
    monkeypatch.setattr(torch, "zeros", lambda *sizes, **_: zeros(*sizes))
    monkeypatch.setattr(torch.cuda, "current_stream", _Stream)
    return made


def _asked(library: _Library, name: str) -> list[tuple[Any, ...]]:
    return [given for asked, given in library.asked if asked == name]


def test_a_binary_is_loaded_once_and_its_parameters_are_its_own(library: _Library) -> None:
    launcher = CudaLauncher()
    first = launcher.kernel(b"cubin", "_double", 0)
    launcher.kernel(b"cubin", "_add", 0)
    assert first.sizes == tuple(SIZES)
    assert len(_asked(library, "cuModuleLoadData")) == 1
    assert [given[2] for given in _asked(library, "cuModuleGetFunction")] == [b"_double", b"_add"]
    assert _asked(library, "cuFuncSetAttribute") == []


def test_a_driver_that_knows_of_ever_more_parameters_is_not_believed(library: _Library) -> None:
    library.sizes = [8] * (_MOST_PARAMETERS - 1)
    assert len(CudaLauncher().kernel(b"cubin", "_double", 0).sizes) == _MOST_PARAMETERS - 1
    library.sizes.append(8)
    with pytest.raises(LaunchFailed, match="too many parameters"):
        CudaLauncher().kernel(b"cubin", "_double", 0)


def test_much_shared_memory_is_asked_for(library: _Library) -> None:
    CudaLauncher().kernel(b"cubin", "_double", 49153)
    ((_, attribute, room),) = _asked(library, "cuFuncSetAttribute")
    assert (attribute, room.value) == (8, OPTIN - STATIC)


def test_a_launch_goes_to_the_current_stream_with_its_parameters(library: _Library) -> None:
    kernel = CudaLauncher().kernel(b"cubin", "_double", 512)
    call = kernel.bound((3, 2, 1), 128, 512, [b"\1" * 8, b"\2" * 4])
    assert _asked(library, "cuLaunchKernel") == []
    call()
    call()
    given = _asked(library, "cuLaunchKernel")
    assert len(given) == 2
    assert given[0][1:8] == (3, 2, 1, 128, 1, 1, 512)
    assert given[0][8].value == 77
    pointers = given[0][9]
    assert ctypes.string_at(pointers[0], 8) == b"\1" * 8
    assert ctypes.string_at(pointers[1], 4) == b"\2" * 4


@pytest.mark.parametrize("name", ["cuModuleLoadData", "cuModuleGetFunction", "cuFuncGetParamInfo"])
def test_an_error_of_the_driver_is_raised(library: _Library, name: str) -> None:
    library.fails[name] = 700
    with pytest.raises(LaunchFailed, match=name):
        CudaLauncher().kernel(b"cubin", "_double", 0)


def test_a_launch_that_fails_is_raised(library: _Library) -> None:
    call = CudaLauncher().kernel(b"cubin", "_double", 0).bound((1, 1, 1), 32, 0, [])
    library.fails["cuLaunchKernel"] = 1
    with pytest.raises(LaunchFailed, match="cuLaunchKernel"):
        call()
