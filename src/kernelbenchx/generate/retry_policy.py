"""When a request that came to nothing is worth another try, and how long to wait before it."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from kernelbenchx.core.transcript import Finish

AGAIN = frozenset({408, 409, 425, 429})
"""The client's errors that pass by themselves."""
BUSY = frozenset({429, 503, 529})
"""Those that are about all requests, not about this one."""


class Trouble(Exception):
    """One try failed; the message says why, for people."""

    def __init__(
        self,
        why: str,
        *,
        again: bool,
        wait_s: float | None = None,
        busy: bool = False,
        billed: bool = False,
        finish: Finish = "error",
    ) -> None:
        super().__init__(why)
        self.again = again
        """Whether another try may go better."""
        self.wait_s = wait_s
        """What the server asked for."""
        self.busy = busy
        """Whether others should wait too."""
        self.billed = billed
        """Whether the server may have worked, and count it, though nothing usable arrived."""
        self.finish = finish
        """How the reply ended, where the model had one and only its text is missing."""


class Unreached(Trouble):
    """There was not even a connection."""

    def __init__(self, why: str) -> None:
        super().__init__(why, again=True)


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How often and how long a request is retried."""

    tries: int = 8
    busy_tries: int = 50
    """Where the server says that it has too much to do: that is no failure, only a queue."""
    first_s: float = 1.0
    """The longest wait after the first failure; it doubles with every other."""
    longest_s: float = 60.0
    deadline_s: float = 1800.0
    """Of all tries and the waits between them; waiting for one's turn is not counted."""
    timeout_s: float = 600.0
    """Of one try."""
    reach_s: float = 5.0
    """Of all tries before the first answer: the address may be wrong, or no server runs there."""

    def wait_s(
        self, trouble: Trouble, *, failed: int, past_s: float, chance: random.Random
    ) -> float | None:
        """How long to wait after so many failures of this kind; None: give up.

        Full jitter, so that those who failed together do not come back together; what the server
        asks for is a lower bound.
        """
        if not trouble.again or failed >= (self.busy_tries if trouble.busy else self.tries):
            return None
        longest = min(self.longest_s, self.first_s * 2.0 ** (failed - 1))
        if trouble.wait_s is None:
            wait_s = chance.uniform(0.0, longest)
        else:
            wait_s = trouble.wait_s + chance.uniform(0.0, self.first_s)
        return wait_s if past_s + wait_s <= self.deadline_s else None


def worth_again(status: int) -> bool:
    """Whether the same request may get another status later."""
    return status in AGAIN or status >= 500


def asked_wait_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """What `Retry-After` asks for, in seconds or as a date; None where it says nothing usable."""
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000.0
    said = headers.get("retry-after")
    seconds = _number(said)
    if seconds is not None or said is None:
        return seconds
    try:
        when = parsedate_to_datetime(said)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())


def _number(said: str | None) -> float | None:
    try:
        number = float(said) if said is not None else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
