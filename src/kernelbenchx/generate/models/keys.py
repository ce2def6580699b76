"""Keys of services: read from the environment, sent to the service, and shown to nobody."""

import base64
from collections.abc import Mapping
from urllib.parse import quote

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Reply

INSTEAD = "[key]"
SHORTEST = 8
"""A shorter word is a placeholder for servers that want any key: nothing to hide, and found in
ordinary text."""


class Key:
    """A secret that hides itself in text; without a value it hides nothing."""

    def __init__(self, value: str, variable: str) -> None:
        if not value.isascii() or not value.isprintable():
            raise BadInput(f"{variable} holds characters that no key has")
        self.variable = variable
        self._value = value
        self._spellings = _spellings(value) if len(value) >= SHORTEST else ()

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return f"Key({self.variable})"

    def header(self, prefix: str = "") -> str:
        """For the one place that may know it: the head of a request."""
        return prefix + self._value

    def scrubbed(self, text: str) -> str:
        """The text without the key, however it is spelled there."""
        for spelling in self._spellings:
            text = text.replace(spelling, INSTEAD)
        return text

    def hidden(self, reply: Reply) -> Reply:
        """The reply without the key, wherever it stands in it."""
        words = ("text", "reasoning", "model", "version", "detail")
        return msgspec.structs.replace(
            reply, **{name: self.scrubbed(getattr(reply, name)) for name in words}
        )


def key_from(environment: Mapping[str, str], variable: str) -> Key:
    """The key in a variable of the environment, which may be missing."""
    return Key(environment.get(variable, "").strip(), variable)


def _spellings(value: str) -> tuple[str, ...]:
    raw = value.encode()
    encoded = (base64.b64encode(raw), base64.urlsafe_b64encode(raw))
    spelled = {value, quote(value, safe=""), *(one.decode().rstrip("=") for one in encoded)}
    spelled |= {value.replace("\\", "\\\\").replace('"', '\\"'), raw.hex()}
    return tuple(sorted(spelled, key=len, reverse=True))
