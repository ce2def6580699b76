"""Requests to a model that several tests need."""

from typing import Any

from msgspec.structs import replace

from kernelbenchx.analysis.model_request import ModelRequest

_ONE = ModelRequest(
    key="key",
    created="2026-01-01T00:00:00.000+00:00",
    task="math/add",
    method="m",
    model="model",
    step="round 0",
    finish="stop",
    prompt_tokens=60,
    completion_tokens=40,
    cached_tokens=0,
    cost=0.25,
    seconds=1.0,
    tries=1,
)


def asked(step: str = "round 0", **changes: Any) -> ModelRequest:
    """A hundred tokens for a quarter of a dollar."""
    return replace(_ONE, step=step, **changes)
