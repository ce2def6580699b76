"""The parts of torch that few submissions ask for: loaded once somebody does, by the warm parent.

They take as long to load as everything else. A child must not load them itself: it has replaced
parts of torch, and what is loaded then keeps the replacements. So a child that asks for them ends
at once, and its order is served anew by a child that finds them loaded.
"""

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
from contextlib import suppress

from .gc_control import pause_gc, settle_memory
from .preload import keeping_bytecode

NEEDS_LAZY_TORCH = 86
"""The exit code of a child that asks. One that lies is run once more, and gains nothing."""

_KINDS = ("interpret", "compile")
"""Kinds whose children give verdicts with parts of torch replaced."""


class _TorchImportGuard(importlib.abc.MetaPathFinder):
    """Ends this process where it is about to load a part of torch."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    def find_spec(self, fullname: str, *_where: object) -> importlib.machinery.ModuleSpec | None:
        # Who was forked by a child cannot ask: nobody would hear it.
        if fullname.partition(".")[0] == "torch" and os.getpid() == self._pid:
            os._exit(NEEDS_LAZY_TORCH)
        return None


class LazyTorch:
    """What a warm parent of this kind has not loaded yet."""

    def __init__(self, kind: str) -> None:
        self.missing = kind in _KINDS

    def watch(self) -> None:
        """In a child, before anything untrusted runs."""
        if self.missing:
            sys.meta_path.insert(0, _TorchImportGuard())

    def load(self) -> None:
        """In the parent, where nothing of torch is replaced."""
        self.missing = False
        with suppress(ImportError), keeping_bytecode(), pause_gc():
            importlib.import_module("torch._dynamo")
        settle_memory()
