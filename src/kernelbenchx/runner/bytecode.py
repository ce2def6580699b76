"""Bytecode of packages that were installed without it, kept once per machine.

Some installers leave bytecode out, and some packages lie in read-only folders. Every process that
loads torch then compiles thousands of files first, which takes longer than judging many a kernel.
Trusted processes keep what they compiled in the cache folder of the user; processes with a
submission in them never write there.
"""

import importlib.util
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from kernelbenchx.core.cache import cache_folder, own_folder


@lru_cache(maxsize=1)
def folder() -> Path | None:
    """Where bytecode is kept; None where it lies beside the sources, or cannot be kept."""
    if beside_sources("torch"):
        return None
    return own_folder(cache_folder(os.environ) / "bytecode")


def beside_sources(package: str) -> bool:
    """Whether a package was installed with bytecode; one that is not installed needs none."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return True
    name = Path(importlib.util.cache_from_source(found.origin)).name
    return (Path(found.origin).parent / "__pycache__" / name).exists()


def flags(kept: Path | None) -> list[str]:
    """Flags for an interpreter that reads no environment."""
    return [] if kept is None else ["-X", f"pycache_prefix={kept}"]


def environment(kept: Path | None, given: Mapping[str, str]) -> dict[str, str]:
    """Variables for an interpreter that reads its environment."""
    if kept is None:
        return dict(given)
    rest = {name: value for name, value in given.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**rest, "PYTHONPYCACHEPREFIX": str(kept)}
