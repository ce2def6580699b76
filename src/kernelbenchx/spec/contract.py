"""When is an output right? What every contract is given, and what it answers."""

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import torch

from kernelbenchx.spec.call import Call

Rung = Literal["interpreter", "cuda"]


@dataclass(frozen=True)
class Evidence:
    """One case: what was asked, what came back, and what is true."""

    call: Call
    """The native arguments as they were before the call."""
    outputs: tuple[tuple[torch.Tensor, ...], ...]
    """For each repetition of the call: returned tensors, then declared written arguments."""
    truth: tuple[torch.Tensor, ...]
    """The same outputs of the reference in float64; empty where the contract needs none."""
    native: tuple[torch.Tensor, ...]
    """The outputs of the reference in its own dtypes: shapes and dtypes are already compared."""
    rung: Rung = "cuda"


@dataclass(frozen=True)
class Verdict:
    """Right or wrong, and where."""

    ok: bool
    worst: float
    """Largest error as a multiple of what the contract allows; 1.0 is the border."""
    detail: str = ""
    """What is wrong, in one sentence without a final stop; empty when right."""
    output: int = 0
    """Which output the worst element is in."""
    index: tuple[int, ...] = ()
    expected: str = ""
    got: str = ""
    bad: torch.Tensor | None = None
    """Which elements of that output are outside their budget, where that makes sense."""
    errors: torch.Tensor | None = None
    """The error of each of them as a multiple of its budget, where it is known."""


@runtime_checkable
class Contract(Protocol):
    """A rule that says when outputs are right."""

    @property
    def calls(self) -> int:
        """How often each case is called with the same arguments (generators differ)."""
        ...

    @property
    def needs_truth(self) -> bool:
        """Whether `Evidence.truth` is filled."""
        ...

    def judge(self, evidence: Evidence) -> Verdict:
        """Decide; never prints, never raises for what a submission returned."""
        ...


def right(worst: float) -> Verdict:
    """Every element is within its budget."""
    return Verdict(ok=True, worst=worst)
