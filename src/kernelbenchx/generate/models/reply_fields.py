"""Picks what is needed out of a document that a server sent, whatever it holds."""

import json
from typing import Any

import msgspec

from kernelbenchx.core.text import replace_surrogates
from kernelbenchx.core.transcript import Reply, Request, Usage
from kernelbenchx.generate.budget import worst
from kernelbenchx.generate.retry_policy import Trouble

MOST_TOKENS = 10**9
"""No reply takes more: a larger count is nonsense."""
LONGEST = 32
"""Characters of a token, on average over a reply: no text in any language comes near."""
MOST_LABEL = 200
"""Characters of a name or a version."""
MOST_WHY = 500
"""Characters of an error's message."""


def document(body: bytes) -> dict[str, Any]:
    """The body as an object of JSON; anything else is a reply that was garbled on its way."""
    try:
        read = json.loads(body.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        raise Trouble("the server's reply is not JSON", again=True, billed=True) from error
    if not isinstance(read, dict):
        raise Trouble("the server's reply is not an object of JSON", again=True, billed=True)
    return read


def mapping(value: object) -> dict[str, Any]:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    """The text, that of a list of parts, or none; halves of characters are replaced."""
    if isinstance(value, list):
        return "".join(text(mapping(part).get("text")) for part in value)
    return replace_surrogates(value) if isinstance(value, str) else ""


def label(value: object) -> str:
    """A short text on one line, such as a name."""
    return " ".join(printable(text(value)).split())[:MOST_LABEL]


def why(value: object) -> str:
    """The message of an error: an object with one, or the text itself."""
    said = mapping(value).get("message", value)
    return " ".join(printable(text(said)).split())[:MOST_WHY]


def printable(said: str) -> str:
    """Without what moves a cursor or colours a terminal."""
    return "".join(one if one.isprintable() else " " for one in said[: 4 * MOST_WHY])


def held_to(request: Request, reply: Reply) -> Reply:
    """What a server writes beyond all that was asked for is cut: many replies are kept at once."""
    most = LONGEST * request.max_tokens
    if len(reply.text) <= most and len(reply.reasoning) <= most:
        return reply
    return msgspec.structs.replace(
        reply,
        text=reply.text[:most],
        reasoning=reply.reasoning[:most],
        finish="length" if reply.finish == "stop" else reply.finish,
        detail=f"cut: longer than {request.max_tokens} tokens can be",
    )


def usage(request: Request, said: str, counts: tuple[object, object, object]) -> Usage:
    """The server's counts of prompt, reply and kept tokens; the worst case where they are unusable.

    Nothing is asked with no token, and nothing said: a server that counts so would lift every cap.
    What was thought may not be shown, so that the words that are do not bound a reply.
    """
    prompt, completion, cached = (_count(one) for one in counts)
    if not prompt or completion is None or LONGEST * completion < len(said):
        return worst(request)
    return Usage(prompt=prompt, completion=completion, cached=min(cached or 0, prompt))


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= MOST_TOKENS else None
