"""Resolves settings for this machine."""

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import ResolvedSettings, Settings, resolve_for
from kernelbenchx.evaluate.machine import has_gpu
from kernelbenchx.runner.toolchain import require_tested_triton, target_names


def resolve_settings(wanted: Settings) -> ResolvedSettings:
    """Decide the device and level; refuse in one line what this machine cannot do."""
    if wanted.stage is not Stage.CHECK:
        require_tested_triton()
    if wanted.target not in target_names():
        named = ", ".join(target_names())
        raise BadInput(f"unknown target {wanted.target!r}; choose one of {named}")
    if wanted.stage is Stage.PERF and wanted.device == "interpreter":
        raise BadInput("`stage='perf'` needs a CUDA GPU; the interpreter cannot time kernels")
    if wanted.device == "interpreter":
        return resolve_for(wanted, "interpreter")
    here = has_gpu()
    if wanted.stage is Stage.PERF and not here:
        raise BadInput("`stage='perf'` needs a CUDA GPU, and torch finds none; try `stage='exe'`")
    if wanted.device == "cuda" and not here:
        raise BadInput("`device='cuda'`: torch finds no CUDA GPU; try `device='interpreter'`")
    return resolve_for(wanted, "cuda" if here else "interpreter")
