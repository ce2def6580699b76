"""Models of Anthropic, by its own protocol."""

from collections.abc import Mapping
from typing import Any

from kernelbenchx.core.transcript import Finish, Reply, Request
from kernelbenchx.generate.models.keys import Key
from kernelbenchx.generate.models.reply_fields import items, label, mapping, text, usage
from kernelbenchx.generate.models.server_model import ServerModel
from kernelbenchx.generate.retry_policy import Trouble

PROTOCOL = "2023-06-01"
FINISHES: dict[object, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
"""Everything else is a reply that ended by itself."""


class Anthropic(ServerModel):
    """One model of Anthropic's."""

    HOME = "https://api.anthropic.com"
    KEY = "ANTHROPIC_API_KEY"
    URL = "ANTHROPIC_BASE_URL"

    def _address(self, root: str) -> str:
        return root.rstrip("/").removesuffix("/v1")

    def _headers(self, key: Key) -> dict[str, str]:
        head = {"anthropic-version": PROTOCOL}
        return {**head, "x-api-key": key.header()} if key else head

    def _once(self, request: Request) -> Reply:
        return self._post_request("/v1/messages", body_of(request), request)

    def _parse_reply(self, found: Mapping[str, Any], request: Request) -> Reply:
        return reply_of(found, request)


def body_of(request: Request) -> dict[str, Any]:
    """The request in Anthropic's words, which have the system's apart and none for a seed."""
    system = "\n\n".join(one.content for one in request.messages if one.role == "system")
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [
            {"role": one.role, "content": one.content}
            for one in request.messages
            if one.role != "system"
        ],
    }
    if system:
        body["system"] = system
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return body


def reply_of(found: Mapping[str, Any], request: Request) -> Reply:
    """What the document says; `Trouble` where it has no content at all."""
    if not isinstance(found.get("content"), list):
        raise Trouble("the reply holds no content", again=True, billed=True)
    blocks = [mapping(block) for block in items(found.get("content"))]
    said = "".join(text(block.get("text")) for block in blocks if block.get("type") == "text")
    thought = "".join(text(block.get("thinking")) for block in blocks)
    reason = found.get("stop_reason")
    called = any(block.get("type") == "tool_use" for block in blocks)
    return Reply(
        text=said,
        finish=FINISHES.get(reason if isinstance(reason, str) else "", "stop"),
        usage=usage(request, said + thought, _counts(found)),
        model=label(found.get("model")) or request.model,
        reasoning=thought,
        detail="the model called a tool, but it has none" if called else "",
    )


def _counts(found: Mapping[str, Any]) -> tuple[object, object, object]:
    """Anthropic counts what it had kept, and what it keeps from now on, apart from the input."""
    counted = mapping(found.get("usage"))
    kept = counted.get("cache_read_input_tokens") or 0
    parts = (counted.get("input_tokens"), kept, counted.get("cache_creation_input_tokens") or 0)
    whole = [part for part in parts if isinstance(part, int) and part >= 0]
    return (sum(whole) if len(whole) == len(parts) else None), counted.get("output_tokens"), kept
