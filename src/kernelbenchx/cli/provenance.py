"""The provenance of a result in words: versions, machine, GPU and isolation."""

from collections.abc import Sequence

from kernelbenchx.core.environment import Environment


def versions(here: Environment) -> str:
    """The versions that kernels were compiled and run with, and the machine."""
    return f"torch {here.torch}, triton {here.triton}, Python {here.python}, {here.machine}"


def describe_isolation(level: str, missing: Sequence[str]) -> str:
    """The isolation level, and which protections the machine lacks."""
    lacks = f" (missing: {', '.join(missing)})" if missing else ""
    return f"isolation {level}{lacks}"


def setting(here: Environment, level: str, missing: Sequence[str], *, checks: bool) -> str:
    """All of it in one line, for results of one run."""
    parts = (
        f"kernelbenchx {here.harness}",
        versions(here),
        here.gpu or "no GPU",
        describe_isolation(level, missing),
        f"source checks {'on' if checks else 'switched off'}",
    )
    return ", ".join(parts)
