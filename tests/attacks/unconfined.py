"""Runs an attack outside of the sandbox: what it can do where nothing holds it back."""

import subprocess
import sys
import tempfile
from pathlib import Path

from kernelbenchx.attacks.attack import SUITE, read_attack

_PROGRAM = """
import sys
from unittest.mock import MagicMock
sys.modules.update({name: MagicMock() for name in ("torch", "triton", "triton.language")})
exec(open(sys.argv[1]).read())
"""


def reaches(name: str, folder: Path, environment: dict[str, str] | None = None) -> bool:
    """Whether it finds what it looks for; from this folder, without torch or Triton."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as attack:
        attack.write(read_attack(SUITE / f"{name}.py").source)
        attack.flush()
        command = [sys.executable, "-c", _PROGRAM, attack.name]
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    assert ran.returncode == 0 or "PermissionError" in ran.stderr, ran.stderr
    return ran.returncode == 0
