"""What the zygote loads before it forks, so that no child has to."""

import importlib
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from .gc_control import pause_gc, settle_memory
from .settings import WorkerSettings

Serve = Callable[[int, int], None]


def load(settings: WorkerSettings) -> Serve:
    """Import everything a child of this kind will need; never touches a GPU."""
    sys.path[:0] = [path for path in settings.paths if path not in sys.path]
    with pause_gc():
        if settings.policy.torch:
            _load_torch(settings.kind)
        module, _, function = settings.main.partition(":")
        serve: Serve = getattr(importlib.import_module(module), function)
    return serve


def load_more(kind: str) -> None:
    """Load what many wrappers need and torch loads late: `broadcast_shapes` takes a second."""
    if kind not in ("cuda", "ahead"):
        return
    with suppress(ImportError), keeping_bytecode():
        importlib.import_module("torch.fx.experimental.symbolic_shapes")
    settle_memory()


@contextmanager
def keeping_bytecode() -> Iterator[None]:
    """Write bytecode inside, if a folder was named for it: no submission is loaded here yet."""
    before = sys.dont_write_bytecode
    sys.dont_write_bytecode = before and sys.pycache_prefix is None
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _load_torch(kind: str) -> None:
    with keeping_bytecode():
        torch = importlib.import_module("torch")
        importlib.import_module("triton")
    importlib.import_module(".dispatch", __package__).use_once()
    if kind == "interpret":
        importlib.import_module(".interpreter", __package__).install()
    if kind in ("compile", "ahead"):
        # Children of other zygotes find what "ahead" compiled by the true name.
        importlib.import_module(".cross_compile", __package__).prewarm(by_version=kind == "compile")
    if kind == "cuda":
        importlib.import_module(".driver_module", __package__).build_ahead()
        importlib.import_module(".cross_compile", __package__).prewarm_for_gpu()
    torch.set_num_threads(1)
    if torch.cuda.is_initialized():
        raise RuntimeError("the warm worker touched CUDA: its children could not use the GPU")
    # torch probes the processor on first use of some operators; a child has fewer rights.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (torch.ones(4) @ torch.ones(4)).item()
