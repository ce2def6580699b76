"""Launches through ctypes, against a driver that writes down what it is asked for.

The stand-in for the driver's library is compiled against the real header, so that what arrives
there is what a driver would see.
"""

import ctypes
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import triton.backends.nvidia.driver as nvidia

from kernelbenchx.worker.ctypes_launcher import CtypesLauncher, packed_scalar, without_modules

TYPES = ("*fp32", "i32", "constexpr", ("i64", ("fp64", "constexpr")), "bf16", "i1")
SIZES = (8, 4, 8, 8, 2, 1, 8, 8)
"""Bytes of each parameter, the two kinds of scratch memory last."""

SOURCE = """
#include "cuda.h"
#include <string.h>
static int context, function_set;
static struct {
  unsigned launches, grid[3], block[3], shared, attributes, ids[4], values[4][3];
  unsigned long long stream, function;
  unsigned char parameters[16][8];
} seen;
static const int sizes[] = {SIZES_HERE};
void *what_was_seen(void) { return &seen; }
int what_was_set(void) { return function_set; }
CUresult cuCtxGetCurrent(CUcontext *c) { *c = context ? (CUcontext)1 : 0; return 0; }
CUresult cuDeviceGet(CUdevice *d, int ordinal) { *d = ordinal; return 0; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) { *c = (CUcontext)1; return 0; }
CUresult cuCtxSetCurrent(CUcontext c) { context = 1; return 0; }
CUresult cuPointerGetAttribute(void *there, CUpointer_attribute what, CUdeviceptr p) {
  if (p == 13) return CUDA_ERROR_INVALID_VALUE;
  *(CUdeviceptr *)there = what == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ? p : 0;
  return 0;
}
CUresult cuGetErrorString(CUresult code, const char **said) { *said = "refused"; return 0; }
CUresult cuFuncSetAttribute(CUfunction f, CUfunction_attribute what, int value) {
  function_set = what == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED ? value : -1;
  return 0;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **given, void **extra) {
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  if (c->gridDimX == 777) return CUDA_ERROR_INVALID_VALUE;
  memset(&seen.ids, 0, sizeof(seen.ids) + sizeof(seen.values));
  seen.launches++;
  seen.grid[0] = c->gridDimX; seen.grid[1] = c->gridDimY; seen.grid[2] = c->gridDimZ;
  seen.block[0] = c->blockDimX; seen.block[1] = c->blockDimY; seen.block[2] = c->blockDimZ;
  seen.shared = c->sharedMemBytes; seen.attributes = c->numAttrs;
  for (unsigned i = 0; i < c->numAttrs; i++) {
    seen.ids[i] = c->attrs[i].id;
    memcpy(seen.values[i], &c->attrs[i].value, sizeof(seen.values[i]));
  }
  seen.stream = (unsigned long long)c->hStream; seen.function = (unsigned long long)f;
  for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
    memcpy(seen.parameters[i], given[i], sizes[i]);
  return 0;
}
"""


class Seen(ctypes.Structure):
    _fields_ = [
        ("launches", ctypes.c_uint),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("attributes", ctypes.c_uint),
        ("ids", ctypes.c_uint * 4),
        ("values", (ctypes.c_uint * 3) * 4),
        ("stream", ctypes.c_uint64),
        ("function", ctypes.c_uint64),
        ("parameters", (ctypes.c_ubyte * 8) * 16),
    ]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Something that looks like libcuda."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("driver")
    source, made = folder / "driver.c", folder / "driver.so"
    source.write_text(SOURCE.replace("SIZES_HERE", ",".join(map(str, SIZES))))
    header = Path(nvidia.__file__).parent / "include"
    command = [compiler, "-shared", "-fPIC", f"-I{header}", str(source), "-o", str(made)]
    subprocess.run(command, check=True)
    return made


@pytest.fixture
def seen(library: Path) -> Callable[[], Any]:
    driver = ctypes.CDLL(str(library))
    driver.what_was_seen.restype = ctypes.POINTER(Seen)
    ctypes.memset(driver.what_was_seen(), 0, ctypes.sizeof(Seen))
    return lambda: driver.what_was_seen().contents


class Tensor:
    def __init__(self, address: Any) -> None:
        self._address = address

    def data_ptr(self) -> Any:
        return self._address


ARGUMENTS = (Tensor(1 << 40), -5, "constant", (1 << 35, (2.25, "constant")), 0.5, True)


def _launch(
    library: Path,
    arguments: tuple[Any, ...] = ARGUMENTS,
    *,
    grid: tuple[Any, Any, Any] = (5, 6, 7),
    flags: tuple[bool, bool] = (False, False),
    packed: tuple[int, int, int] = (4, 1, 1000),
) -> list[str]:
    hooks: list[str] = []
    notes = (lambda _: hooks.append("before"), lambda _: hooks.append("after"))
    launch = CtypesLauncher(TYPES, str(library))
    launch(*grid, 99, 1234, *flags, Tensor(77), None, packed, "metadata", *notes, *arguments)
    return hooks


def test_the_driver_sees_grid_block_and_every_parameter(
    library: Path, seen: Callable[[], Any]
) -> None:
    assert _launch(library) == ["before", "after"]
    there = seen()
    assert (list(there.grid), list(there.block), there.shared) == ([5, 6, 7], [128, 1, 1], 1000)
    assert (there.stream, there.function, there.attributes) == (99, 1234, 0)
    got = b"".join(bytes(there.parameters[number][:size]) for number, size in enumerate(SIZES))
    assert got == struct.pack("<QiqdHBQQ", 1 << 40, -5, 1 << 35, 2.25, 0x3F00, 1, 77, 0)


def test_clusters_and_cooperation_are_asked_for(library: Path, seen: Callable[[], Any]) -> None:
    _launch(library, flags=(True, True), packed=(8, 16, 0))
    there = seen()
    assert list(there.grid) == [80, 6, 7]
    assert list(there.ids) == [6, 2, 4, 5]
    assert [value[0] for value in there.values] == [1, 1, 16, 1]
    assert list(there.values[2]) == [16, 1, 1]
    assert ctypes.CDLL(str(library)).what_was_set() == 1


def test_an_empty_grid_launches_nothing(library: Path, seen: Callable[[], Any]) -> None:
    assert _launch(library, grid=(0, 6, 7)) == ["before", "after"]
    assert seen().launches == 0
    _launch(library)
    assert seen().launches == 1


@pytest.mark.parametrize(
    ("place", "value", "error"),
    [
        (0, Tensor(13), "at 0.*cpu tensor"),
        (0, Tensor("a"), "64-bit int"),
        (0, object(), "data_ptr"),
        (1, 2**31, "fit into i32"),
        (1, 1.5, "integer"),
        (5, -1, "fit into i1"),
    ],
)
def test_what_a_kernel_cannot_be_given_is_refused(
    library: Path, seen: Callable[[], Any], place: int, value: Any, error: str
) -> None:
    given = list(ARGUMENTS)
    given[place] = value
    with pytest.raises((ValueError, TypeError, OverflowError), match=error):
        _launch(library, tuple(given))
    assert seen().launches == 0


def test_what_the_driver_refuses_reads_as_in_triton(library: Path) -> None:
    with pytest.raises(RuntimeError, match=r"Triton Error \[CUDA\]: refused"):
        _launch(library, grid=(777, 1, 1))
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        _launch(library, grid=(1.5, 1, 1))


def test_numbers_are_packed_as_triton_packs_them() -> None:
    assert packed_scalar("fp16", 0.333).value == struct.unpack("<H", struct.pack("<e", 0.333))[0]
    assert packed_scalar("bf16", 0.777).value == 0x3F46  # cut off, not rounded
    assert packed_scalar("fp32", 1e300).value == float("inf")
    assert packed_scalar("u64", 2**64 - 1).value == 2**64 - 1
    assert packed_scalar("i16", -7).value == -7


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Triton as it was when it built a module for each signature."""
    built: list[str] = []

    def compile_module_from_src(src: str, name: str) -> Any:
        built.append(f"{name}: {src}")
        return SimpleNamespace(launch=None)

    def make_launcher(_constants: Any, signature: dict[str, str], _meta: Any) -> str:
        return f"source for {', '.join(signature.values())}"

    monkeypatch.setattr(nvidia, "_BASE_ARGS_FORMAT", "iiiKKppOOOOOO", raising=False)
    monkeypatch.setattr(nvidia, "make_launcher", make_launcher, raising=False)
    monkeypatch.setattr(nvidia, "compile_module_from_src", compile_module_from_src)
    return built


def _launcher(signature: dict[str, Any]) -> Any:
    """As Triton makes one."""
    source = nvidia.make_launcher({}, signature, None)
    return nvidia.compile_module_from_src(src=source, name="launcher").launch


def test_known_signatures_need_no_module(older: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        ctypes,
        "CDLL",
        lambda _: SimpleNamespace(
            cuLaunchKernelEx=SimpleNamespace(), cuFuncSetAttribute=SimpleNamespace()
        ),
    )
    with without_modules() as changed:
        assert changed
        assert isinstance(_launcher({"x": "*fp16", "n": "i32", "B": "constexpr"}), CtypesLauncher)
    assert older == []
    _launcher({"x": "*fp16"})
    assert older == ["launcher: source for *fp16"]


def test_other_signatures_and_modules_are_triton_s(older: list[str]) -> None:
    with without_modules():
        _launcher({"x": "tensordesc<fp16[64,64]>"})
        nvidia.compile_module_from_src("int x;", "other")
    assert older == ["launcher: source for tensordesc<fp16[64,64]>", "other: int x;"]


def test_another_form_of_launching_is_left_alone(
    older: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvidia, "_BASE_ARGS_FORMAT", "iiiKKpp", raising=False)
    with without_modules() as changed:
        assert not changed
        _launcher({"x": "*fp16"})
    assert older == ["launcher: source for *fp16"]
