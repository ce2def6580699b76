"""Compiles a submission for a GPU without using one, so that the GPU need not wait for it.

The wrapper is called on zeros for every form of call that will come. Each launch is compiled and
none is executed; what Triton then has in its cache is the result.
"""

import importlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from .binding import binding_in
from .replies import Replies
from .shape_only import ShapeOnlyMode, zeros
from .submission_loader import LOADERS, entry_of
from .timing.layout import Layout
from .timing.submission_program import SubmissionProgram
from .triton_cache import KERNELS, OBSTACLE, NewCacheEntries, cache_folder

if TYPE_CHECKING:
    from .cross_compile import Compilation

_KINDNESS = 10
"""Niceness: other submissions are timed meanwhile."""
_MOST_KERNELS = 256
"""At most so many kernels are reported with the resources that they need."""


def serve(header: dict[str, Any], replies: Replies) -> None:
    """Write a frame as soon as a kernel is compiled: no frame is lost at the time limit.

    What the submission raises is no verdict: it sees zeros, and the real calls are still to come.
    """
    with suppress(OSError):
        os.nice(_KINDNESS)
    fresh = NewCacheEntries(cache_folder())

    def tell() -> None:
        for frame in fresh.frames():
            replies.write(frame)

    for_times = bool(header["all_configurations"])
    with _compiling(header, tell, modules=for_times) as made, suppress(BaseException):
        module = LOADERS[header["language"]](header["source"], Path.cwd())
        _, entry = entry_of(module, header["entries"])
        program = SubmissionProgram(entry, header["form"], binding_in(header))
        layouts = [Layout.from_json(text) for text in header["layouts"]]
        if for_times:
            replies.say({"kind": OBSTACLE, "why": _as_for_times(program, layouts)})
        else:
            _as_for_checks(program, layouts, int(header["seed"]))
    tell()
    told = [kernel for kernel in made.kernels if kernel["ok"]]
    replies.say({"kind": KERNELS, "kernels": told[:_MOST_KERNELS]})


def _as_for_times(program: SubmissionProgram, layouts: list[Layout]) -> str:
    """Compile every configuration of autotuned kernels, as a timed process prepares itself.

    Returns why launches are unlikely to be replayable, or an empty text.
    """
    obstacles = [""]
    for layout in layouts:
        with suppress(BaseException):
            arguments = _arguments(layout)
            program.prepare(arguments)
            obstacles.append(program.obstacle(arguments))
    return max(obstacles, key=len)


def _as_for_checks(program: SubmissionProgram, layouts: list[Layout], seed: int) -> None:
    """Compile the configurations that the same seed draws on a GPU for the same calls."""
    from .gpu_autotune import drawing_configurations

    with drawing_configurations(seed):
        for layout in layouts:
            with suppress(BaseException):
                program.bind(_arguments(layout))()


def _arguments(layout: Layout) -> Any:
    return layout.arguments(lambda _start, size: zeros(size), 0, torch.device("cuda", 0))


@contextmanager
def _compiling(
    header: dict[str, Any], tell: Callable[[], None], *, modules: bool
) -> Iterator["Compilation"]:
    """Use a driver that answers for the GPU, and report every kernel that it is given."""
    from triton.runtime.driver import driver

    from .cross_compile import install
    from .devices import redirect_cuda

    made = install(str(header["target"]), all_configurations=True, seed=int(header["seed"]))
    launcher = driver.active.launcher_cls

    def launching(source: Any, metadata: Any) -> Any:
        if modules:
            build_module(source, metadata)
        tell()
        return launcher(source, metadata)

    driver.active.launcher_cls = launching
    with redirect_cuda(), ShapeOnlyMode():
        yield made


def build_module(source: Any, metadata: Any) -> bool:
    """Build the C module with which Triton 3.6 launches such a kernel; False: impossible here.

    Later versions need none. Triton's own class builds it, keeps it in the cache and loads it,
    without touching a GPU.
    """
    try:
        nvidia = importlib.import_module("triton.backends.nvidia.driver")
        if not hasattr(nvidia, "make_launcher"):
            return False
        nvidia.CudaLauncher(source, metadata)
    except Exception:  # noqa: BLE001 - no compiler, no library of the driver: only time is lost
        return False
    return True
