"""Models behind any server that speaks OpenAI's protocol: hosted, vLLM, llama.cpp, Ollama."""

from collections.abc import Mapping
from typing import Any

from kernelbenchx.core.transcript import Finish, Reply, Request
from kernelbenchx.generate.models.http_service import ServerRefusal
from kernelbenchx.generate.models.keys import Key
from kernelbenchx.generate.models.reply_fields import items, label, mapping, text, usage
from kernelbenchx.generate.models.server_model import ServerModel
from kernelbenchx.generate.retry_policy import Trouble

PATH = "/chat/completions"
FINISHES: dict[object, Finish] = {"length": "length", "content_filter": "filtered"}
"""Everything else is a reply that ended by itself."""
OLD_LIMIT, NEW_LIMIT = "max_tokens", "max_completion_tokens"
"""Newer models of OpenAI's refuse the older word, other servers do not know the newer one."""
OPEN, CLOSE = "<think>", "</think>"
"""Around the reasoning, where a server does not take it apart."""


class OpenAI(ServerModel):
    """One model of such a server."""

    HOME = "https://api.openai.com/v1"
    KEY = "OPENAI_API_KEY"
    URL = "OPENAI_BASE_URL"
    ADVICE = ", or give --base-url for a server that needs no key"
    _limit = OLD_LIMIT

    def _headers(self, key: Key) -> dict[str, str]:
        return {"Authorization": key.header("Bearer ")} if key else {}

    def _once(self, request: Request) -> Reply:
        limit = self._limit
        try:
            return self._post_request(PATH, body_of(request, limit), request)
        except ServerRefusal as refused:
            if limit == NEW_LIMIT or not _wants_new_limit(refused):
                raise
            self._limit = NEW_LIMIT
            return self._post_request(PATH, body_of(request, NEW_LIMIT), request)

    def _parse_reply(self, found: Mapping[str, Any], request: Request) -> Reply:
        return reply_of(found, request)


def body_of(request: Request, limit: str = OLD_LIMIT) -> dict[str, Any]:
    """The request in OpenAI's words; what is left to the model is left out."""
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": one.role, "content": one.content} for one in request.messages],
        limit: request.max_tokens,
        "stream": False,
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.seed is not None:
        body["seed"] = request.seed
    return body


def reply_of(found: Mapping[str, Any], request: Request) -> Reply:
    """What the document says; `Trouble` where it holds no choice."""
    choices = items(found.get("choices"))
    if not choices:
        raise Trouble("the reply holds no choice", again=True, billed=True)
    choice = mapping(choices[0])
    message = mapping(choice.get("message"))
    refusal = text(message.get("refusal"))
    said, thought = _apart(text(message.get("content")))
    thought = text(message.get("reasoning_content")) or text(message.get("reasoning")) or thought
    finish = "refusal" if refusal else FINISHES.get(_word(choice.get("finish_reason")), "stop")
    called = bool(items(message.get("tool_calls")) or message.get("function_call"))
    return Reply(
        text=said or refusal,
        finish=finish,
        usage=usage(request, said + refusal + thought, _counts(found)),
        model=label(found.get("model")) or request.model,
        version=label(found.get("system_fingerprint")),
        reasoning=thought,
        detail="the model called a tool, but it has none" if called else "",
    )


def _counts(found: Mapping[str, Any]) -> tuple[object, object, object]:
    counted = mapping(found.get("usage"))
    kept = mapping(counted.get("prompt_tokens_details")).get("cached_tokens")
    return counted.get("prompt_tokens"), counted.get("completion_tokens"), kept


def _apart(said: str) -> tuple[str, str]:
    """The reply and the reasoning before it; templates may leave out where that begins."""
    before, closed, after = said.partition(CLOSE)
    opened = before.lstrip().startswith(OPEN)
    if closed and (opened or OPEN not in before):
        return after.lstrip("\n"), before.strip().removeprefix(OPEN).strip()
    return ("", before.strip().removeprefix(OPEN)) if opened else (said, "")


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _wants_new_limit(refused: ServerRefusal) -> bool:
    said = f"{refused} {text(refused.error.get('param'))}"
    return refused.status == 400 and (NEW_LIMIT in said or refused.error.get("param") == OLD_LIMIT)
