"""Detects a program that waits for another one: run one by one, it would wait for ever."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import ModuleType
from typing import Any

import numpy as np

from .errors import Waiting
from .storages import Storages

__all__ = ["Snapshot", "SpinCounter", "may_wait"]

_BYTE = np.dtype(np.uint8)

_LIMIT = 2000
"""Reads of places already seen, with no write in between, that count as waiting."""


class SpinCounter:
    """Counts how often a program looks at the same places while nothing changes."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._looks = 0

    def look(self, address: int) -> None:
        """Count a read, or an atomic that changed nothing; a new address counts as progress."""
        if address not in self._seen:
            self._seen.add(address)
            self._looks = 0
            return
        self._looks += 1
        if self._looks > _LIMIT:
            raise Waiting

    def progress(self) -> None:
        """Note that something was written, or another program began."""
        self._seen.clear()
        self._looks = 0


class Snapshot:
    """Bytes of all storages before a launch."""

    def __init__(self, storages: Storages) -> None:
        self._copies = [(region, _bytes_of(region).copy()) for region in storages.regions]

    def restore(self) -> None:
        """Put everything back as if the launch had not begun."""
        for region, copy in self._copies:
            _bytes_of(region)[:] = copy


def _bytes_of(region: Any) -> Any:
    return region.view(_BYTE)


def may_wait(kernel: Any) -> bool:
    """Whether a kernel, or a function it calls by name, has a `while` loop."""
    return _has_loop(kernel, set())


def _has_loop(kernel: Any, visited: set[Any]) -> bool:
    function = kernel.fn
    while not inspect.isfunction(function):
        function = function.fn
    if function in visited or function.__module__.startswith("triton."):
        return False
    visited.add(function)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        # Without its source nothing can be ruled out.
        return True
    if any(isinstance(node, ast.While) for node in ast.walk(tree)):
        return True
    callees = [_resolve(node, function.__globals__) for node in ast.walk(tree)]
    return any(_has_loop(callee, visited) for callee in callees if hasattr(callee, "rewrite"))


def _resolve(node: ast.AST, names: dict[str, Any]) -> Any:
    """Object that a name or a dotted name stands for, None for everything else."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, names)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None
