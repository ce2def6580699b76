"""A process is prepared only where that can work, and says in one line why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx.worker import interpreter
from kernelbenchx.worker.interpreter import Unsupported, install, watching

SOURCE = Path(__file__).parents[3] / "src" / "kernelbenchx"


def _python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(SOURCE), **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return done.stdout + done.stderr


def test_a_process_that_compiles_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    with pytest.raises(Unsupported, match="TRITON_INTERPRET=1"):
        install()


def test_watching_needs_an_installed_interpreter() -> None:
    with pytest.raises(Unsupported, match="install"), watching(0):
        pass


@pytest.mark.slow
def test_another_triton_is_refused_and_a_tested_one_is_not() -> None:
    code = (
        "import triton; triton.__version__ = {!r}\n"
        "from worker.interpreter import install, watching\n"
        "install(); install()\n"
        "with watching(0) as watch: print('installed', watch.launches)\n"
        "import sys; from worker.interpreter.launch_description import describe_argument\n"
        "known = set(sys.modules); describe_argument('n', 3, constexpr=False)\n"
        "print('late', *(set(sys.modules) - known))\n"
    )
    assert "triton 3.9.0 is not tested" in _python(code.format("3.9.0"), TRITON_INTERPRET="1")
    said = _python(code.format("3.7.1"), TRITON_INTERPRET="1")
    # Whatever describing an argument loads is loaded once, before workers are forked.
    assert said == "installed []\nlate\n"


@pytest.mark.slow
def test_setting_the_variable_too_late_is_refused() -> None:
    code = (
        "import os, triton, triton.language; os.environ['TRITON_INTERPRET'] = '1'\n"
        "from worker.interpreter import install\n"
        "install()\n"
    )
    assert "imported before TRITON_INTERPRET=1" in _python(code)


def test_the_package_offers_what_it_says() -> None:
    assert all(hasattr(interpreter, name) for name in interpreter.__all__)
