"""Requests and callers for tests of models."""

import random
import threading

from kernelbenchx.core.transcript import Message, Request
from kernelbenchx.generate.budget import Budget, Caps
from kernelbenchx.generate.in_flight import Flight
from kernelbenchx.generate.model import MethodStep
from kernelbenchx.generate.prices import Price
from kernelbenchx.generate.retry_loop import Caller
from kernelbenchx.generate.retry_policy import RetryPolicy

STEP = MethodStep("activation/relu", "sample 0")
QUICK = RetryPolicy(
    tries=4, busy_tries=4, first_s=0.001, longest_s=0.01, deadline_s=60.0, timeout_s=60.0
)


def request(text: str = "Write relu.", max_tokens: int = 100) -> Request:
    messages = (Message("system", "You write kernels."), Message("user", text))
    return Request(
        model="loopback-1", messages=messages, temperature=0.7, max_tokens=max_tokens, seed=5
    )


def caller(
    *,
    limit: int = 4,
    caps: Caps | None = None,
    price: Price | None = None,
    patience: RetryPolicy = QUICK,
    stop: threading.Event | None = None,
) -> Caller:
    ending = stop or threading.Event()
    budget = Budget(caps or Caps(), price, ending)
    return Caller(Flight(limit, ending), budget, patience, ending, random.Random(1))
