"""Binaries for tests that the assembler which comes with Triton makes of a few lines."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path

import triton.backends.nvidia

_PTX = """
.version 8.0
.target sm_90
.address_size 64
{variables}
.visible .entry kernel(.param .u64 out) {{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    {body}
    st.global.u32 [%rd1], %r1;
    ret;
}}
"""
COUNTS = "atom.global.add.u32 %r1, [state], 1;"
READS = "ld.global.u32 %r1, [state+4];"
NOTHING = "mov.u32 %r1, 1;"


@cache
def assembled(variables: str, body: str) -> bytes:
    """A binary with these variables, and a kernel that does this with them."""
    tool = Path(triton.backends.nvidia.__file__).parent / "bin" / "ptxas"
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(_PTX.format(variables=variables, body=body))
        subprocess.run([tool, "-arch=sm_90", source, "-o", made], check=True, timeout=60)
        return made.read_bytes()
