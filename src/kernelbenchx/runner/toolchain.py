"""What the worker side supports, found without starting a worker."""

from kernelbenchx.core.errors import BadInput
from kernelbenchx.worker.targets import TARGETS
from kernelbenchx.worker.versions import require_tested


def target_names() -> tuple[str, ...]:
    """Names of the GPUs that can be cross-compiled for."""
    return tuple(TARGETS)


def require_tested_triton() -> None:
    """Refuse a version of Triton on which nothing was tested, in one line."""
    try:
        require_tested()
    except RuntimeError as error:
        raise BadInput(str(error)) from error


def can_run(language: str) -> bool:
    """Whether a worker knows how to load submissions in this language."""
    from kernelbenchx.worker.submission_loader import (
        LOADERS,  # with torch, which is not needed to start
    )

    return language in LOADERS
