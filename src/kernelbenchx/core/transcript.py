"""The transcript of a run: requests to a model and its replies, one exchange at a time."""

import hashlib
from typing import Literal

import msgspec

from kernelbenchx.core.record import Record
from kernelbenchx.core.text import clean_fields

Finish = Literal["stop", "length", "refusal", "filtered", "error"]
"""Why a reply ends; `error`: the server never sent one, so a second start requests it again."""
Recall = Literal["", "prompt", "place"]
"""How a recorded reply was found; empty if a model was called."""


class Message(Record, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Request(Record, frozen=True, kw_only=True):
    """Everything that a model receives."""

    model: str
    messages: tuple[Message, ...]
    temperature: float | None = None
    """None uses the model's default."""
    max_tokens: int
    """Limit of the reply, reasoning included."""
    seed: int | None = None

    def __post_init__(self) -> None:
        clean_fields(self, "model")

    @property
    def digest(self) -> str:
        """Content address of the conversation: recordings are looked up by it."""
        parts = [part for message in self.messages for part in (message.role, message.content)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Usage(Record, frozen=True, kw_only=True):
    """Tokens, as the server counts them."""

    prompt: int
    completion: int
    cached: int = 0
    """The prompt's tokens that the server had cached."""
    estimated: bool = False
    """The server reported no count; this is an upper bound from lengths."""

    @property
    def total(self) -> int:
        """The number that a token limit counts."""
        return self.prompt + self.completion


class Reply(Record, frozen=True, kw_only=True):
    """The reply of a model, or why there is none."""

    text: str
    finish: Finish
    usage: Usage
    model: str
    """The model's own name for itself."""
    version: str = ""
    """The version that the server reports, if any."""
    reasoning: str = ""
    detail: str = ""
    """Why there is no reply, or only a part of one."""
    seconds: float = 0.0
    """Seconds of the try that was answered."""
    tries: int = 1

    def __post_init__(self) -> None:
        clean_fields(self, "model", "version")


class Exchange(Record, frozen=True, kw_only=True):
    """A request, its reply, and the step of a method that made it."""

    key: str
    task: str
    """`category/name`."""
    step: str
    """The step of the method, such as `round 2/candidate 3/generator`."""
    request: Request
    reply: Reply
    cost: float | None = None
    """In dollars, if prices are known."""
    templates: dict[str, str] = msgspec.field(default_factory=dict)
    """The SHA-256 of every template the request was made from, by name."""
    method: str = ""
    """The method that made the request; empty if it has no name."""
    recalled: Recall = ""
    """Set if the reply was found by its step: the recorded prompt was a different one."""
    left_out: tuple[str, ...] = ()
    """Examples that the request leaves out, because their main operator is the task's own."""
