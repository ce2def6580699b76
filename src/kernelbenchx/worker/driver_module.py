"""Builds Triton's module for the CUDA driver once, in the zygote, so that no child has to.

Loading it touches no GPU: the driver is not initialised before a child asks for it. Where anything
is missing (a C compiler, the driver's library), children build it themselves, as Triton does.
"""

import importlib
import tempfile
from types import ModuleType
from typing import Any


def build_ahead() -> bool:
    """Build and load the module; from then on Triton gets this one. False: nothing has changed."""
    try:
        nvidia = importlib.import_module("triton.backends.nvidia.driver")
        source, module = _compile_driver_module(nvidia)
    except Exception:  # noqa: BLE001 - only the head start is lost
        return False
    compiled = nvidia.compile_module_from_src

    def compile_module_from_src(*args: Any, **named: Any) -> Any:
        if not args and named.get("src") == source:
            return module
        return compiled(*args, **named)

    nvidia.compile_module_from_src = compile_module_from_src  # type: ignore[attr-defined]
    return True


def _compile_driver_module(nvidia: ModuleType) -> tuple[str, Any]:
    """The source that Triton's own class for the driver compiles, captured on its way."""
    from triton import knobs

    caught: list[tuple[str, Any]] = []
    compiled = nvidia.compile_module_from_src

    def compile_module_from_src(*args: Any, **named: Any) -> Any:
        caught.append((named["src"], compiled(*args, **named)))
        return caught[-1][1]

    nvidia.compile_module_from_src = compile_module_from_src  # type: ignore[attr-defined]
    try:
        with tempfile.TemporaryDirectory() as folder, knobs.cache.scope():
            knobs.cache.dir = folder
            nvidia.CudaUtils()
    finally:
        nvidia.compile_module_from_src = compiled  # type: ignore[attr-defined]
        # Children may be given another folder for temporary files than this process found.
        tempfile.tempdir = None
    (only,) = caught
    return only
