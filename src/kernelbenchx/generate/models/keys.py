"""Keys of services: read from the environment, sent to the service, and never shown."""

import base64
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

import msgspec

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Reply

INSTEAD = "[key]"
SHORTEST = 8
"""Characters of a key that are hidden wherever they stand; what is shorter is found in ordinary
text. A whole key that is shorter is a placeholder for servers that want any."""
LONG = 16
"""A key that looks like words is hidden only if it is so long: many replies say 'password'."""
STRIDE = SHORTEST // 2
FEWEST = 3
"""Different characters that a part must have: zeros or dashes are found in ordinary text too."""


class Key:
    """A secret that hides itself in text; without a value it hides nothing."""

    def __init__(self, value: str, variable: str) -> None:
        if not value.isascii() or not value.isprintable():
            raise BadInput(f"{variable} holds characters that no key has")
        self.variable = variable
        self._value = value
        secret = len(value) >= LONG or (len(value) >= SHORTEST and _looks_drawn(value))
        self._spellings = _spellings(value) if secret else ()
        self._parts = _parts(self._spellings)
        self._halves = frozenset(
            part[at : at + STRIDE] for part in self._parts for at in range(SHORTEST - STRIDE + 1)
        )

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return f"Key({self.variable})"

    def header(self, prefix: str = "") -> str:
        """For the one place that may know it: the head of a request."""
        return prefix + self._value

    def scrub(self, text: str) -> str:
        """The text without the key, however it is spelled there, and without longer parts of it."""
        for spelling in self._spellings:
            text = text.replace(spelling, INSTEAD)
        kept, end = [], 0
        for begin, stop in self._find_parts(text):
            if begin > end:
                kept.append(text[end:begin])
            if begin > end or not kept:
                kept.append(INSTEAD)
            end = max(end, stop)
        return "".join([*kept, text[end:]]) if kept else text

    def _find_parts(self, text: str) -> Iterator[tuple[int, int]]:
        """Where parts stand, in order.

        Every part covers half of one at a multiple of that length, so that most of a long text is
        never looked at twice.
        """
        halves, parts = self._halves, self._parts
        if not parts:
            return
        for at in range(0, len(text) - STRIDE + 1, STRIDE):
            if text[at : at + STRIDE] in halves:
                for begin in range(max(0, at - STRIDE + 1), at + 1):
                    if text[begin : begin + SHORTEST] in parts:
                        yield begin, begin + SHORTEST

    def scrub_reply(self, reply: Reply) -> Reply:
        """The reply without the key, wherever it stands in it."""
        words = ("text", "reasoning", "model", "version", "detail")
        return msgspec.structs.replace(
            reply, **{name: self.scrub(getattr(reply, name)) for name in words}
        )


def key_from(environment: Mapping[str, str], variable: str) -> Key:
    """The key in a variable of the environment, which may be missing."""
    return Key(environment.get(variable, "").strip(), variable)


def _spellings(value: str) -> tuple[str, ...]:
    raw = value.encode()
    spelled = {value, quote(value, safe=""), raw.hex(), raw.hex().upper()}
    spelled |= {value.replace("\\", "\\\\").replace('"', '\\"')}
    for before in range(3):
        spelled |= _encode_base64(raw, before)
    return tuple(sorted(spelled, key=len, reverse=True))


def _encode_base64(raw: bytes, before: int) -> set[str]:
    """In base 64 after so many other bytes: the characters that depend on the key alone."""
    padded = bytes(before) + raw
    first, last = -(-8 * before // 6), 8 * len(padded) // 6
    whole = (base64.b64encode(padded), base64.urlsafe_b64encode(padded))
    inner = {one.decode()[first:last] for one in whole}
    # At the very end the last character holds what is left of the key.
    return inner | {one.decode().rstrip("=")[first:] for one in whole}


def _parts(spellings: Iterable[str]) -> frozenset[str]:
    every = (one[at : at + SHORTEST] for one in spellings for at in range(len(one) - SHORTEST + 1))
    return frozenset(part for part in every if len(set(part)) >= FEWEST and _looks_drawn(part))


def _looks_drawn(text: str) -> bool:
    """Digits, signs, or capitals among small letters: words of a reply seldom have any."""
    if any(not one.isalpha() and one not in "-_. " for one in text):
        return True
    return text.lower() != text and text.upper() != text
