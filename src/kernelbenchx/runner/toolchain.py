"""What the worker side can do, asked without starting a worker."""

from kernelbenchx.core.errors import BadInput
from kernelbenchx.worker.loading import LOADERS
from kernelbenchx.worker.red_zones import WIDTH as RED_ZONE
from kernelbenchx.worker.targets import TARGETS
from kernelbenchx.worker.versions import require_tested

__all__ = ["RED_ZONE", "can_run", "require_tested_triton", "target_names"]


def target_names() -> tuple[str, ...]:
    """Cards that can be compiled for without having them."""
    return tuple(TARGETS)


def require_tested_triton() -> None:
    """Refuse a version of Triton on which nothing was tested, in one line."""
    try:
        require_tested()
    except RuntimeError as error:
        raise BadInput(str(error)) from error


def can_run(language: str) -> bool:
    """Whether a worker knows how to load submissions in this language."""
    return language in LOADERS
