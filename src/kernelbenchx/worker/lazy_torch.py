"""Loads the parts of torch that few submissions need, in the zygote, once a child needs them.

They take as long to load as everything else. A child must not load them itself: it has replaced
parts of torch, and what is loaded then keeps the replacements. So a child that needs them ends at
once, and its order is served again by a child that finds them loaded.
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
"""The exit code of a child that needs them. One that lies is run once more, and gains nothing."""

_KINDS = ("interpret", "compile")
"""Kinds whose children give verdicts with parts of torch replaced."""


class _TorchImportGuard(importlib.abc.MetaPathFinder):
    """Ends this process where it is about to load a part of torch."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    def find_spec(self, fullname: str, *_where: object) -> importlib.machinery.ModuleSpec | None:
        # A process that the child forked cannot request a restart: its exit code is not read.
        if fullname.partition(".")[0] == "torch" and os.getpid() == self._pid:
            os._exit(NEEDS_LAZY_TORCH)
        return None


class LazyTorch:
    """Whether a zygote of this kind has not loaded these parts yet."""

    def __init__(self, kind: str) -> None:
        self.missing = kind in _KINDS

    def watch(self) -> None:
        """Watch imports in a child, before anything untrusted runs."""
        if self.missing:
            sys.meta_path.insert(0, _TorchImportGuard())

    def load(self) -> None:
        """Load these parts in the zygote, where nothing of torch is replaced."""
        self.missing = False
        with suppress(ImportError), keeping_bytecode(), pause_gc():
            importlib.import_module("torch._dynamo")
        settle_memory()
