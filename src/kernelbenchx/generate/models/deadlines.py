"""A limit on the time of a whole answer, kept where bytes arrive.

A client's own limit is for one read. A server that sends its head byte by byte, or one
provisional answer after another, would keep a request for ever.
"""

import math
import threading
import time
from typing import Any


class Deadline(threading.local):
    """When this thread's answer must be there."""

    until: float = math.inf

    def within(self, seconds: float) -> None:
        """From now on."""
        self.until = time.monotonic() + seconds

    def left_s(self, timeout_s: float | None) -> float:
        """For one read; raises where there is nothing left."""
        import httpcore

        left_s = self.until - time.monotonic()
        if left_s <= 0:
            raise httpcore.ReadTimeout("late")
        return left_s if timeout_s is None else min(left_s, timeout_s)


def keep(client: Any, deadline: Deadline) -> None:
    """Let every connection that a client of httpx will make keep it.

    The library has no word for this: where a later version has other insides, the limit is as
    before that of one read, and of the body.
    """
    mounted = getattr(client, "_mounts", {}).values()
    for transport in (getattr(client, "_transport", None), *mounted):
        pool = getattr(transport, "_pool", None)
        backend = getattr(pool, "_network_backend", None)
        if pool is not None and backend is not None:
            pool._network_backend = _DeadlineBackend(backend, deadline)


class _DeadlineBackend:
    """Makes connections that keep it; all else is the library's."""

    def __init__(self, inner: Any, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def connect_tcp(self, *words: Any, **options: Any) -> "_DeadlineStream":
        return _DeadlineStream(self._inner.connect_tcp(*words, **options), self._deadline)


class _DeadlineStream:
    """A connection, plain or encrypted."""

    def __init__(self, inner: Any, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        found: bytes = self._inner.read(max_bytes, self._deadline.left_s(timeout))
        return found

    def start_tls(self, *words: Any, **options: Any) -> "_DeadlineStream":
        return _DeadlineStream(self._inner.start_tls(*words, **options), self._deadline)
