"""Turns what the compiler reported about kernels, sent by the submission's process, into
records."""

from collections.abc import Iterable
from typing import Any

from kernelbenchx.core.evaluation import KernelFacts

MOST = 16
"""Most variants of kernels that an evaluation keeps for their resources."""
_LARGEST = 1 << 31
_LONGEST_NAME = 200
_LONGEST_ERROR = 4000


def facts_of(kernels: Iterable[Any], target: str) -> list[KernelFacts]:
    """Records in order; an entry without a name is skipped."""
    named = (one for one in kernels if isinstance(one, dict) and isinstance(one.get("name"), str))
    return [_facts(one, target) for one in named]


def needs_of(kernels: Iterable[Any], target: str) -> list[KernelFacts]:
    """Needs of those that compiled, one per name; of very many, the most demanding."""
    found = dict.fromkeys(one for one in facts_of(kernels, target) if one.ok)
    return sorted(
        sorted(found, key=lambda one: one.need, reverse=True)[:MOST], key=lambda one: one.name
    )


def _facts(kernel: dict[str, Any], target: str) -> KernelFacts:
    said = kernel.get("error")
    error = said if isinstance(said, dict) else {}
    return KernelFacts(
        name=kernel["name"][:_LONGEST_NAME],
        ok=bool(kernel.get("ok") or kernel.get("skipped")),
        target=target,
        registers=_count(kernel.get("registers")),
        spills=_count(kernel.get("spills")),
        shared_bytes=_count(kernel.get("shared_bytes")),
        error=str(error.get("message", ""))[:_LONGEST_ERROR],
        line=_count(error.get("line")),
        column=_count(error.get("column")),
    )


def _count(said: Any) -> int:
    return said if type(said) is int and 0 <= said < _LARGEST else 0
