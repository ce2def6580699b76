"""The messages between driver and actors: records that are sent as JSON."""

from kernelbenchx.core.environment import Environment
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.record import Record
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Submission


class ActorOrder(Record, frozen=True, kw_only=True):
    """The settings that an actor is started with."""

    settings: ResolvedSettings
    """`jobs` are the slots of the actor."""
    seed: int
    tasks: tuple[str, ...] = ()
    """Folders of tasks that the user added."""
    problems: tuple[str, ...] = ()
    """Folders of problem files."""
    run: str = ""
    """Shown to processes that wait for a GPU."""


class NodeFacts(Record, frozen=True, kw_only=True):
    """What an actor reports about its node before it is used."""

    environment: Environment
    level: str
    missing: tuple[str, ...] = ()
    gpus: tuple[str, ...] = ()
    """UUIDs."""
    refused: str = ""
    """Why the order cannot be met there."""


class EvaluationRequest(Record, frozen=True, kw_only=True):
    """A submission to be judged."""

    submission: Submission
    seed: int
    task_digest: str
    """Digest of the task, so that nodes with another catalogue are noticed."""
    limit_s: float | None = None
    """CPU seconds of one call, by the rule `auto`; None: not known yet."""
    was_put_off: bool = False
    seconds: float = 0.0
    """How long it was evaluated before it gave way."""


class EvaluationAnswer(Record, frozen=True, kw_only=True):
    """A verdict, and what was measured on the way to it."""

    evaluation: Evaluation
    limit_s: float | None = None


class TrialRequest(Record, frozen=True, kw_only=True):
    """A kernel and its author's own test."""

    task: str
    source: str
    test: str
    wall_s: float


class ActorEvent(Record, frozen=True, kw_only=True):
    """Something that happens in an actor before it replies."""

    kind: str
    """`stage`, `long` or `note`."""
    name: str = ""
    """Name of the submission; of the job if it runs long."""
    words: str = ""


ANSWER, PUT_OFF, BAD_INPUT, FAULT = "answer", "put off", "bad input", "fault"
"""How a job ended."""


def pack(kind: str, body: bytes = b"") -> bytes:
    """How a job ended, and its answer."""
    return kind.encode() + b"\n" + body


def unpack(data: bytes) -> tuple[str, bytes]:
    """The inverse of `pack`."""
    kind, _, body = data.partition(b"\n")
    return kind.decode(), body
