"""What a plan of a recorded call can contain: memory, numbers, copies, launches.

There is no form for code, for a library or for an address: pointers are a buffer and an offset.
Launches in clusters, cooperative or overlapping ones cannot be expressed at all.
"""

from typing import Annotated, Any, Literal

import msgspec

MOST_STEPS = 4096
MOST_BUFFERS = 4096
MOST_PARAMETERS = 512
MOST_CUBINS = 256
MOST_CUBIN_BYTES = 16 << 20
MOST_BINARY_BYTES = 64 << 20
MOST_ALLOCATED_BYTES = 16 << 30
MOST_DIMENSIONS = 32
MOST_BYTES = 1 << 46

Index = Annotated[int, msgspec.Meta(ge=0, lt=MOST_BUFFERS)]
Size = Annotated[int, msgspec.Meta(ge=0, le=MOST_BYTES)]
Sizes = Annotated[tuple[Size, ...], msgspec.Meta(max_length=MOST_DIMENSIONS)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Whole = Literal["i1", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64"]
Floating = Literal["fp16", "bf16", "fp32", "fp64"]


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="t"):
    """Base of all records: unknown fields are refused."""


class ArgumentBuffer(_Strict, frozen=True, tag="argument"):
    """A storage of the call."""

    storage: Index
    nbytes: Size


class Allocation(_Strict, frozen=True, tag="allocation"):
    """Memory that the call allocated."""

    nbytes: Size


class View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a tensor lies in a buffer; strides and offset count elements."""

    buffer: Index
    dtype: Annotated[str, msgspec.Meta(max_length=32)]
    shape: Sizes
    strides: Sizes
    offset: Size


class Fill(_Strict, frozen=True, tag="fill"):
    """One number everywhere."""

    target: View
    value: dict[str, Any]
    """A tagged number, as everywhere at the boundary."""


class Copy(_Strict, frozen=True, tag="copy"):
    """Element by element, with the target's dtype."""

    target: View
    source: View


class Pointer(_Strict, frozen=True, tag="pointer"):
    """An address in a buffer."""

    buffer: Index
    offset: Size
    aligned: bool
    """Whether the kernel may rely on a multiple of 16 bytes."""


class Number(_Strict, frozen=True, tag="number"):
    """A scalar of one of the compiler's types."""

    type: Whole | Floating
    value: int | str
    """Floats are spelled in hexadecimal."""


class LaunchStep(_Strict, frozen=True, tag="launch"):
    """One kernel of one binary."""

    cubin: Digest
    kernel: Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
    grid: tuple[Size, Size, Size]
    warps: Annotated[int, msgspec.Meta(ge=1, le=32)]
    shared: Size
    scratch: Size
    """Bytes of memory that each program needs for itself."""
    parameters: Annotated[tuple[Pointer | Number, ...], msgspec.Meta(max_length=MOST_PARAMETERS)]


class ReplayPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One call from its arguments to its result."""

    buffers: Annotated[
        tuple[ArgumentBuffer | Allocation, ...], msgspec.Meta(max_length=MOST_BUFFERS)
    ]
    steps: Annotated[tuple[Fill | Copy | LaunchStep, ...], msgspec.Meta(max_length=MOST_STEPS)]
    cubins: Annotated[tuple[tuple[Digest, Size], ...], msgspec.Meta(max_length=MOST_CUBINS)]
    """Digest and size of each binary, in the order in which their bytes come."""
    result: dict[str, Any]
    """Tagged values whose tensors are views of buffers."""

    def document(self) -> dict[str, Any]:
        """As JSON, for the process that replays it."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made

    @property
    def launches(self) -> tuple[LaunchStep, ...]:
        """The kernels that it runs."""
        return tuple(step for step in self.steps if isinstance(step, LaunchStep))
