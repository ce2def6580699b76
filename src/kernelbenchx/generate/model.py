"""The interface of a model: a request in, a reply out."""

from dataclasses import dataclass
from typing import Protocol

from kernelbenchx.core.transcript import Recall, Reply, Request

ENDED = "the run was stopped"
"""The default reason of `Stopped`."""


class Stopped(Exception):
    """Ends a task's method for now; results stay, and a second start resumes from them."""

    def __init__(self, why: str = ENDED) -> None:
        super().__init__(why)


class OutOfBudget(Stopped):
    """The next request could cost more than what is left."""


class Unanswered(Stopped):
    """The server gave no reply, however often it was asked."""


@dataclass(frozen=True)
class MethodStep:
    """A place in a method: the same in every start of the run."""

    task: str
    """`category/name`."""
    path: str
    """Such as `round 2/candidate 3/generator`."""
    method: str = ""


@dataclass(frozen=True)
class RecalledReply:
    """A reply and what it was found by, where a recording gave it."""

    reply: Reply
    by: Recall


def as_recalled(said: Reply | RecalledReply) -> RecalledReply:
    """A model's own reply was found by nothing."""
    return said if isinstance(said, RecalledReply) else RecalledReply(said, "")


class Model(Protocol):
    """A model that answers requests; called from many threads."""

    @property
    def name(self) -> str:
        """As results name it: what was asked for, without the protocol it is reached by."""

    def complete(self, request: Request, step: MethodStep) -> Reply | RecalledReply:
        """Raises `Stopped` and nothing else: what a server does wrong is a reply with `error`."""
