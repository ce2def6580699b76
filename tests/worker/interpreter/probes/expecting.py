"""What probes expect: near values, and errors that say the right thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import torch


def near(actual: torch.Tensor, expected: torch.Tensor, within: float = 0.0) -> None:
    """Same shape, same NaNs, and no element further off than `within` of the larger of 1 and it."""
    assert actual.shape == expected.shape, (actual.shape, expected.shape)
    a, e = actual.double(), expected.double()
    assert torch.equal(a.isnan(), e.isnan()), "NaN in different places"
    same = (a == e) | a.isnan()
    off = ((a - e).abs() / e.abs().clamp(min=1)).masked_fill(same, 0)
    assert not off.numel() or off.max() <= within, f"off by {off.max():.3g}"


@contextmanager
def fails(kind: str, saying: str = "") -> Iterator[None]:
    """The body raises an error of that type whose text matches."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - which one it is, is checked below
        names = [base.__name__ for base in type(error).__mro__]
        assert kind in names, f"{type(error).__name__}: {error}"
        assert re.search(saying, str(error)), f"{error!r} does not say {saying!r}"
    else:
        raise AssertionError(f"no {kind}")
