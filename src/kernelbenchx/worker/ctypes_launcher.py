"""Launches kernels without a C compiler, where Triton would build a module for each signature.

Triton 3.6 compiles a small C module for every kind of argument list: more time than many kernels
take. Inside `without_modules()` the same call of the driver is made through ctypes, which is slower
by some microseconds: for judging, not for timing. Signatures that are not known here, and versions
of Triton without such modules, are left to Triton.
"""

import ctypes
import importlib
import operator
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

_KNOWN_FORM = "iiiKKppOOOOOO"
"""How the modules of Triton 3.6 are called: grid, handles, flags, scratch, metadata and hooks."""

_INVALID_VALUE = 1
_DEVICE_POINTER = 3
_NON_PORTABLE_CLUSTERS = 14
_COOPERATIVE, _CLUSTER, _SCHEDULING, _SERIALIZATION = 2, 4, 5, 6
_SPREAD = 1
_LARGEST_PORTABLE = 8

_INTEGERS: dict[str, Any] = {
    "i1": ctypes.c_uint8,
    "i8": ctypes.c_uint8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u1": ctypes.c_uint8,
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
}
_FLOATS = ("fp16", "bf16", "fp32", "f32", "fp64")
_CHECKED = ("i1", "i8", "i16", "i32", "i64")


class _Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint32 * 16)]


class _Config(ctypes.Structure):
    _fields_ = [
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("count", ctypes.c_uint),
    ]


class _Types(str):
    """Replaces the source of a module and keeps the types from which it would be generated."""

    types: tuple[Any, ...]


@contextmanager
def without_modules() -> Iterator[bool]:
    """Launch without a C compiler inside; yields whether that makes a difference here."""
    nvidia: Any = importlib.import_module("triton.backends.nvidia.driver")
    if getattr(nvidia, "_BASE_ARGS_FORMAT", "") != _KNOWN_FORM:
        yield False
        return
    generated, compiled = nvidia.make_launcher, nvidia.compile_module_from_src

    def make_launcher(constants: Any, signature: Any, *rest: Any, **named: Any) -> Any:
        types = tuple(signature.values())
        if not all(map(_is_known_type, types)):
            return generated(constants, signature, *rest, **named)
        described = _Types(types)
        described.types = types
        return described

    def compile_module_from_src(*args: Any, **named: Any) -> Any:
        source = named.get("src", args[0] if args else None)
        if isinstance(source, _Types):
            return SimpleNamespace(launch=CtypesLauncher(source.types))
        return compiled(*args, **named)

    nvidia.make_launcher = make_launcher
    nvidia.compile_module_from_src = compile_module_from_src
    try:
        yield True
    finally:
        nvidia.make_launcher, nvidia.compile_module_from_src = generated, compiled


class CtypesLauncher:
    """Called like the `launch` of a module that Triton would have built for these types."""

    def __init__(self, types: Sequence[Any], library: str = "libcuda.so.1") -> None:
        self._types = tuple(types)
        self._driver = _LibCuda(library)

    def __call__(self, x: int, y: int, z: int, stream: int, function: int, *rest: Any) -> None:
        cooperative, serialized, scratch, profile, packed, metadata, enter, leave, *given = rest
        x, y, z = map(operator.index, (x, y, z))
        self._driver.ensure_context()
        places = [
            (p, *pair) for p, pair in enumerate(_flat(self._types, given)) if _is_passed(*pair)
        ]
        scalars = {p: packed_scalar(kind, one) for p, kind, one in places if kind[0] != "*"}
        if enter is not None:
            enter(metadata)
        both = [_pointer(self._driver, one, -1) for one in (scratch, profile)]
        values = [
            scalars[p] if p in scalars else _pointer(self._driver, one, p) for p, _, one in places
        ]
        # Triton asks the same of a C int: a grid of 2^31 programs and more may launch nothing.
        if ctypes.c_int(x * y * z).value > 0:
            warps, blocks, shared = packed
            config = _Config((x * blocks, y, z), (32 * warps, 1, 1), shared, stream)
            flags = (bool(serialized), bool(cooperative))
            self._driver.launch(config, function, values + both, flags, blocks)
        if leave is not None:
            leave(metadata)


class _LibCuda:
    """The calls of libcuda that a launch needs; errors read as in Triton."""

    def __init__(self, library: str) -> None:
        self._library = ctypes.CDLL(library)
        self._library.cuLaunchKernelEx.argtypes = [ctypes.c_void_p] * 4
        self._library.cuFuncSetAttribute.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]

    def ensure_context(self) -> None:
        """A thread that the submission started has none of its own."""
        context, device = ctypes.c_void_p(), ctypes.c_int()
        self._check(self._library.cuCtxGetCurrent(ctypes.byref(context)))
        if not context:
            self._check(self._library.cuDeviceGet(ctypes.byref(device), 0))
            self._check(self._library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
            self._check(self._library.cuCtxSetCurrent(context))

    def device_address(self, address: int, place: int) -> int:
        """The address of an argument on the GPU."""
        there = ctypes.c_uint64()
        code = self._library.cuPointerGetAttribute(
            ctypes.byref(there), _DEVICE_POINTER, ctypes.c_uint64(address)
        )
        if code == _INVALID_VALUE:
            raise ValueError(
                f"Pointer argument (at {place}) cannot be accessed from Triton (cpu tensor?)"
            )
        self._check(code)
        return there.value

    def launch(
        self,
        config: _Config,
        function: int,
        values: Sequence[Any],
        flags: tuple[bool, bool],
        blocks: int,
    ) -> None:
        """Launch with the arguments `values`; `blocks` is the size of a cluster."""
        attributes = _attributes(flags, blocks)
        held = (_Attribute * max(len(attributes), 1))(*attributes)
        config.attributes, config.count = held, len(attributes)
        if blocks > _LARGEST_PORTABLE:
            self._check(self._library.cuFuncSetAttribute(function, _NON_PORTABLE_CLUSTERS, 1))
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        self._check(
            self._library.cuLaunchKernelEx(ctypes.addressof(config), function, pointers, None)
        )

    def _check(self, code: int) -> None:
        if code:
            said = ctypes.c_char_p()
            self._library.cuGetErrorString(code, ctypes.byref(said))
            raise RuntimeError(f"Triton Error [CUDA]: {(said.value or b'').decode()}")


def packed_scalar(kind: str, value: Any) -> Any:
    """A number as the kernel reads it; refuses what does not fit, as Triton does."""
    if kind in _FLOATS:
        number = float(value)
        if kind == "fp16":
            return ctypes.c_uint16(struct.unpack("<H", struct.pack("<e", number))[0])
        if kind == "bf16":  # cut off, as Triton does
            return ctypes.c_uint16(struct.unpack("<I", bytes(ctypes.c_float(number)))[0] >> 16)
        return ctypes.c_double(number) if kind == "fp64" else ctypes.c_float(number)
    whole = operator.index(value)
    made = _INTEGERS[kind](whole)
    if kind in _CHECKED and made.value != whole:
        raise OverflowError(f"{whole} does not fit into {kind}")
    return made


def _pointer(driver: _LibCuda, value: Any, place: int) -> Any:
    if value is None:
        return ctypes.c_uint64(0)
    if isinstance(value, int):
        return ctypes.c_uint64(value)
    ask: Callable[[], Any] | None = getattr(value, "data_ptr", None)
    if ask is None:
        raise TypeError("Pointer argument must be either uint64 or have data_ptr method")
    address = ask()
    if not isinstance(address, int):
        raise TypeError("data_ptr method of Pointer object must return 64-bit int")
    return ctypes.c_uint64(driver.device_address(address, place) if address else 0)


def _attributes(flags: tuple[bool, bool], blocks: int) -> list[_Attribute]:
    serialized, cooperative = flags
    found: list[tuple[int, tuple[int, ...]]] = []
    if serialized:
        found.append((_SERIALIZATION, (1,)))
    if cooperative:
        found.append((_COOPERATIVE, (1,)))
    if blocks != 1:
        found += [(_CLUSTER, (blocks, 1, 1)), (_SCHEDULING, (_SPREAD,))]
    return [_Attribute(name, 0, (ctypes.c_uint32 * 16)(*value)) for name, value in found]


def _is_known_type(kind: Any) -> bool:
    if isinstance(kind, tuple):
        return all(map(_is_known_type, kind))
    return kind[0] == "*" or kind == "constexpr" or kind in _INTEGERS or kind in _FLOATS


def _flat(types: Sequence[Any], given: Sequence[Any]) -> list[tuple[str, Any]]:
    """Each argument with its type, tuples opened."""
    found: list[tuple[str, Any]] = []
    for kind, value in zip(types, given, strict=True):
        found += _flat(kind, value) if isinstance(kind, tuple) else [(kind, value)]
    return found


def _is_passed(kind: str, _: Any) -> bool:
    """Constants are compiled into the kernel."""
    return kind != "constexpr"
