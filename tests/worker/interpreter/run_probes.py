"""Runs every probe in this process and prints one JSON line for each.

Interpreting and compiling cannot share a process, so the tests start this one. With `--stock`
Triton's interpreter is left as it comes, and only the probes run that a module lists as CURED.
"""

from __future__ import annotations

import importlib
import json
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROBES = Path(__file__).parent / "probes"


def run(probe: Callable[[], None]) -> str | None:
    """What went wrong, None where all went well."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            probe()
    except BaseException:  # noqa: BLE001 - a probe may end in any way, and the next one must run
        return traceback.format_exc(limit=-6)
    return None


def chosen(module: Any, *, stock: bool) -> list[str]:
    """Names of the probes of a module."""
    names = [name for name in vars(module) if name.startswith("probe_")]
    return [name for name in names if not stock or name in getattr(module, "CURED", ())]


def main() -> None:
    """Run all probes."""
    stock = "--stock" in sys.argv
    if not stock:
        interpreter = importlib.import_module("worker.interpreter")
        interpreter.install()
        interpreter.install()
    sys.path.insert(0, str(PROBES))
    for path in sorted(PROBES.glob("probing_*.py")):
        module = importlib.import_module(path.stem)
        for name in chosen(module, stock=stock):
            result = {"probe": f"{path.stem}::{name}", "error": run(getattr(module, name))}
            sys.stdout.write(json.dumps(result) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
