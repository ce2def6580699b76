"""What a method may spend on one task: requests, tokens, evaluations.

Counted in the method's own thread, remembered replies and verdicts like fresh ones, so that a
second start stops where the first would have. Two methods are compared fairly where both get the
same allowance.
"""

import math
from dataclasses import dataclass

from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Reply


class Allowance(Record, frozen=True, kw_only=True):
    """For one task; nothing stands for no limit."""

    requests: int | None = None
    evaluations: int | None = None
    tokens: int | None = None
    """Of prompts and replies together; the request that reaches it is the last."""


@dataclass
class AllowanceUse:
    """What was used of one allowance."""

    allowed: Allowance
    requests: int = 0
    evaluations: int = 0
    tokens: int = 0

    def count_reply(self, reply: Reply) -> None:
        """Count a request that was answered."""
        self.requests += 1
        self.tokens += reply.usage.total

    def count_evaluation(self) -> None:
        """Count a kernel that was evaluated."""
        self.evaluations += 1

    @property
    def requests_left(self) -> int | float:
        """None once the tokens are spent."""
        if self.allowed.tokens is not None and self.tokens >= self.allowed.tokens:
            return 0
        return _compute_remaining(self.allowed.requests, self.requests)

    @property
    def evaluations_left(self) -> int | float:
        """Infinite without a limit."""
        return _compute_remaining(self.allowed.evaluations, self.evaluations)


def _compute_remaining(allowed: int | None, spent: int) -> int | float:
    return math.inf if allowed is None else max(0, allowed - spent)
