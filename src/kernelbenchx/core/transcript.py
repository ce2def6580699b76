"""What was asked of a model and what it said: the transcript of a run, one exchange at a time."""

import hashlib
from typing import Literal

import msgspec

from kernelbenchx.core.record import Record
from kernelbenchx.core.text import clean_fields

Finish = Literal["stop", "length", "refusal", "filtered", "error"]
"""Why a reply ends; `error`: the server never gave one, so a second start asks again."""
Recall = Literal["", "prompt", "place"]
"""What a reply of a recording was found by; nothing where a model was asked."""


class Message(Record, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Request(Record, frozen=True, kw_only=True):
    """Everything a model is told."""

    model: str
    messages: tuple[Message, ...]
    temperature: float | None = None
    """None leaves it to the model."""
    max_tokens: int
    """Of the reply, reasoning included."""
    seed: int | None = None

    def __post_init__(self) -> None:
        clean_fields(self, "model")

    @property
    def digest(self) -> str:
        """Content address of the conversation: what a recording is looked up by."""
        parts = [part for message in self.messages for part in (message.role, message.content)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class Usage(Record, frozen=True, kw_only=True):
    """Tokens, as the server counts them."""

    prompt: int
    completion: int
    cached: int = 0
    """Of the prompt's tokens, those that the server had kept from earlier."""
    estimated: bool = False
    """The server did not say; an upper bound from lengths stands here."""

    @property
    def total(self) -> int:
        """What a cap on tokens counts."""
        return self.prompt + self.completion


class Reply(Record, frozen=True, kw_only=True):
    """What came back."""

    text: str
    finish: Finish
    usage: Usage
    model: str
    """The model's own name for itself."""
    version: str = ""
    """What the server says of its version, where it says anything."""
    reasoning: str = ""
    detail: str = ""
    """Why there is no reply, or none that is whole."""
    seconds: float = 0.0
    """Of the try that was answered."""
    tries: int = 1

    def __post_init__(self) -> None:
        clean_fields(self, "model", "version")


class Exchange(Record, frozen=True, kw_only=True):
    """A request, its reply, and the place in a method where it was made."""

    key: str
    task: str
    """`category/name`."""
    step: str
    """Where in the method, such as `round 2/candidate 3/generator`."""
    request: Request
    reply: Reply
    cost: float | None = None
    """In dollars, where prices are known."""
    templates: dict[str, str] = msgspec.field(default_factory=dict)
    """The SHA-256 of every template the request was made from, by name."""
    method: str = ""
    """The one that asked; empty where it has no name."""
    recalled: Recall = ""
    """By its place: the prompt that the model had answered was another one."""
    left_out: tuple[str, ...] = ()
    """Examples that the request leaves out, because their main operator is the task's own."""
