"""The metadata note of an AMD code object is found and read, and nonsense is refused."""

import struct

import pytest

from kernelbenchx.worker.compiler.hsaco import BrokenCodeObject, kernel_metadata

KERNEL = (
    b"\x84\xab.vgpr_count\xcc\x80\xa5.name\xd9\x03add\xa6.spill\xff\xa4.ids\x92\x01\xcd\x01\x00"
)


def code_object(kernels: bytes, *, name: bytes = b"AMDGPU\0", kind: int = 32) -> bytes:
    content = b"\x81\xaeamdhsa.kernels" + kernels
    note = struct.pack("<III", len(name), len(content), kind)
    note += name.ljust(8, b"\0") + content.ljust((len(content) + 3) & ~3, b"\0")
    ignored = struct.pack("<IIQQQQ", 1, 0, 0, 0, 0, 0).ljust(56, b"\0")
    start = 64 + 2 * 56
    segment = struct.pack("<IIQQQQ", 4, 0, start, 0, 0, len(note)).ljust(56, b"\0")
    header = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q", 64)
    header = header.ljust(54, b"\0") + struct.pack("<HH", 56, 2)
    return header.ljust(64, b"\0") + ignored + segment + note


def test_numbers_texts_and_lists_of_the_one_kernel_are_read() -> None:
    assert kernel_metadata(code_object(b"\x91" + KERNEL)) == {
        ".vgpr_count": 128,
        ".name": "add",
        ".spill": -1,
        ".ids": [1, 256],
    }


@pytest.mark.parametrize(
    "binary",
    [
        b"",
        b"\x7fELF\x01\x01".ljust(64, b"\0"),
        code_object(b"\x90"),
        code_object(b"\x92" + KERNEL + KERNEL),
        code_object(b"\x91" + KERNEL, kind=1),
        code_object(b"\x91" + KERNEL, name=b"GNU\0"),
        code_object(b"\x91" + KERNEL[:-8]),
        code_object(b"\x91\xc1"),
    ],
    ids=["empty", "32 bits", "none", "two", "other kind", "other name", "cut", "bad tag"],
)
def test_anything_else_is_refused(binary: bytes) -> None:
    with pytest.raises(BrokenCodeObject):
        kernel_metadata(binary)
