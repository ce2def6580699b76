"""Each probe passes in the repaired interpreter; what was cured fails in Triton's own."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

HERE = Path(__file__).parent
SOURCE = HERE.parents[2] / "src" / "kernelbenchx"


def _functions(tree: ast.Module) -> list[str]:
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("probe_")
    ]


def _cured(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CURED":
            return list(ast.literal_eval(node.value))
    return []


def _listed() -> tuple[list[str], list[str]]:
    probes, cured = [], []
    for path in sorted((HERE / "probes").glob("probing_*.py")):
        tree = ast.parse(path.read_text())
        probes += [f"{path.stem}::{name}" for name in _functions(tree)]
        cured += [f"{path.stem}::{name}" for name in _cured(tree)]
    return probes, cured


PROBES, CURED = _listed()
LACKS_A_DRIVER = {"probing_launches::probe_wrapper_for_cuda_runs"}
"""Fail in Triton's own interpreter only because it asks for the driver of a GPU."""


def _run(*options: str) -> dict[str, str | None]:
    environment = {
        **os.environ,
        "TRITON_INTERPRET": "1",
        "PYTHONPATH": str(SOURCE),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, str(HERE / "run_probes.py"), *options],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"probe"')]
    results = {record["probe"]: record["error"] for record in map(json.loads, lines)}
    assert results, done.stderr[-2000:]
    return results


@pytest.fixture(scope="module")
def repaired() -> dict[str, str | None]:
    """Errors of all probes in the repaired interpreter."""
    return _run()


@pytest.fixture(scope="module")
def stock() -> dict[str, str | None]:
    """Errors of the cured probes in Triton's own interpreter."""
    return _run("--stock")


@pytest.mark.parametrize("probe", PROBES)
def test_probe_passes(probe: str, repaired: dict[str, str | None]) -> None:
    assert probe in repaired, "the process ended before this probe"
    assert repaired[probe] is None, repaired[probe]


@pytest.mark.parametrize("probe", CURED)
def test_stock_interpreter_fails_what_was_cured(probe: str, stock: dict[str, str | None]) -> None:
    if probe in LACKS_A_DRIVER and torch.version.cuda:
        pytest.skip("with a torch for CUDA, Triton finds a driver")
    assert probe in PROBES
    assert stock.get(probe, "the process ended") is not None
