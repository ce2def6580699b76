"""Registers and stack are read from a binary as NVIDIA's own tool reads them."""

import re
import subprocess
from pathlib import Path

import pytest
import triton.backends.nvidia

from kernelbenchx.worker.compiler.cubin import BrokenCubin, registers_and_stack

TOOLS = Path(triton.backends.nvidia.__file__).parent / "bin"
HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
PLAIN = ".visible .entry plain() { ret; }"
WITH_STACK = """
.visible .entry with_stack(.param .u64 out) {
    .local .align 4 .b8 depot[64];
    .reg .b64 %x<4>;
    .reg .b32 %y<2>;
    ld.param.u64 %x0, [out];
    ld.global.u64 %x1, [%x0];
    mov.u64 %x2, depot;
    add.u64 %x3, %x2, %x1;
    st.local.u32 [%x3], 7;
    ld.local.u32 %y0, [depot];
    st.global.u32 [%x0], %y0;
    ret;
}
"""
CALLING = """
.func (.reg .b32 %r) doubled(.reg .b32 %a) { add.u32 %r, %a, %a; ret; }
.visible .entry calling(.param .u64 out) {
    .reg .b64 %x;
    .reg .b32 %y<2>;
    ld.param.u64 %x, [out];
    ld.global.u32 %y0, [%x];
    call (%y1), doubled, (%y0);
    st.global.u32 [%x], %y1;
    ret;
}
"""


def assembled(source: str, tmp_path: Path) -> Path:
    code, binary = tmp_path / "code.ptx", tmp_path / "code.cubin"
    code.write_text(HEAD + source)
    ran([str(TOOLS / "ptxas"), "--gpu-name=sm_80", str(code), "-o", str(binary)])
    return binary


def ran(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("source", "stack"), [(PLAIN, 0), (WITH_STACK, 64), (CALLING, 0)])
def test_the_kernel_needs_what_the_tool_says(source: str, stack: int, tmp_path: Path) -> None:
    binary = assembled(source, tmp_path)
    said = ran([str(TOOLS / "cuobjdump"), "--dump-resource-usage", str(binary)])
    entry = said.partition(re.findall(r"entry (\w+)", source)[0])[2]
    found = re.search(r"REG:(\d+) STACK:(\d+) SHARED:\d+ LOCAL:(\d+)", entry)
    assert found is not None
    assert registers_and_stack(binary.read_bytes()) == (int(found[1]), stack)
    assert int(found[2]) + int(found[3]) == stack


def test_a_binary_with_two_kernels_is_refused(tmp_path: Path) -> None:
    binary = assembled(PLAIN + WITH_STACK, tmp_path)
    with pytest.raises(BrokenCubin, match="one kernel"):
        registers_and_stack(binary.read_bytes())


@pytest.mark.parametrize("binary", [b"", b"nothing", b"\x7fELF\x02\x01" + bytes(60)])
def test_what_is_no_binary_is_refused(binary: bytes) -> None:
    with pytest.raises(BrokenCubin):
        registers_and_stack(binary)
