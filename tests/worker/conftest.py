"""A warm compiler that tests can send submissions to, apart from the test's own process."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
WORKER = TESTS.parents[1] / "src" / "kernelbenchx"

HEADER = """\
import torch
import triton
import triton.language as tl

"""

Compile = Callable[..., Any]


@pytest.fixture(scope="session")
def compile_server() -> Iterator[subprocess.Popen[str]]:
    environment = {name: os.environ[name] for name in os.environ if "TRITON" not in name}
    environment |= {"PYTHONPATH": str(WORKER), "OMP_NUM_THREADS": "1"}
    if "PYTHONPATH" in os.environ:
        environment["PYTHONPATH"] += os.pathsep + os.environ["PYTHONPATH"]
    command = [sys.executable, str(TESTS / "compiler" / "probes" / "serve.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture
def compiled(compile_server: subprocess.Popen[str], tmp_path: Path) -> Compile:
    """Compiles a source: its `main()` is called, or `launches` are compiled."""

    def compile_source(
        source: str,
        target: str = "sm_90",
        *,
        all_configurations: bool = False,
        seed: int = 0,
        launches: list[dict[str, Any]] | None = None,
    ) -> Any:
        path = tmp_path / "submission.py"
        path.write_text(HEADER + source)
        order = {
            "path": str(path),
            "target": target,
            "all_configurations": all_configurations,
            "seed": seed,
            "launches": launches,
        }
        assert compile_server.stdin is not None and compile_server.stdout is not None
        print(json.dumps(order), file=compile_server.stdin, flush=True)
        return json.loads(compile_server.stdout.readline())

    return compile_source


@pytest.fixture
def line_of() -> Callable[[str, str], int]:
    """The line of the file at which a text stands in a source."""

    def find(source: str, text: str) -> int:
        lines = (HEADER + source).splitlines()
        (line,) = [number for number, line in enumerate(lines, start=1) if text in line]
        return line

    return find
