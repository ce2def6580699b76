"""Anthropic's protocol against a real server."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generate.loopback import HOSTILE, MODEL, PASSING, Asked, Fail, Loopback, Say, Script, in_turn
from generate.requests_made import STEP, caller, request
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.transcript import Message, Reply, Request, Usage
from kernelbenchx.generate.models.anthropic import Anthropic, body_of, reply_of
from kernelbenchx.generate.retry_policy import Trouble

SECRET = "sk-ant-very-secret-1234"


@contextmanager
def _asking(
    script: Script, environment: Mapping[str, str] | None = None, suffix: str = ""
) -> Iterator[tuple[Anthropic, Loopback]]:
    with Loopback(script) as server:
        model = Anthropic(
            MODEL, caller(), base_url=server.root + suffix, environment=environment or {}
        )
        with closing(model):
            yield model, server


def _reply(script: Script) -> Reply:
    with _asking(script) as (model, _):
        return model.complete(request(), STEP)


@pytest.mark.parametrize("suffix", ["", "/", "/v1"])
def test_everything_asked_for_is_sent_and_all_that_is_said_is_kept(suffix: str) -> None:
    said = Say(
        "```python\npass\n```",
        reasoning="hm",
        usage={
            "input_tokens": 20,
            "output_tokens": 9,
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 3,
        },
    )
    with _asking(in_turn(said), {"ANTHROPIC_API_KEY": SECRET}, suffix) as (model, server):
        reply = model.complete(request(), STEP)
    (asked,) = server.asked
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == SECRET
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert asked.body == {
        "model": "loopback-1",
        "max_tokens": 100,
        "system": "You write kernels.",
        "messages": [{"role": "user", "content": "Write relu."}],
        "temperature": 0.7,
    }
    assert (reply.text, reply.finish, reply.reasoning) == ("```python\npass\n```", "stop", "hm")
    assert reply.usage == Usage(prompt=27, completion=9, cached=4)
    assert (reply.model, model.name) == (MODEL, MODEL)


def test_what_is_left_to_the_model_is_left_out() -> None:
    bare = Request(model="m", messages=(Message("user", "a"),), max_tokens=5)
    assert sorted(body_of(bare)) == ["max_tokens", "messages", "model"]


def test_faults_that_pass_are_got_over_and_those_that_stay_are_a_reply() -> None:
    for fault in PASSING:
        assert _reply(in_turn(fault, Say("at last"))).text == "at last"
    assert _reply(in_turn(Fail(529))).finish == "error"


@pytest.mark.parametrize("name", [name for name, one in HOSTILE.items() if isinstance(one, Say)])
def test_hostile_replies_are_replies(name: str) -> None:
    reply = _reply(in_turn(HOSTILE[name]))
    assert reply.finish != "error"
    assert from_json(to_json(reply), Reply) == reply
    assert 0 <= reply.usage.total < 10**7


def test_how_replies_end() -> None:
    assert _reply(in_turn(Say("x", finish="length"))).finish == "length"
    assert _reply(in_turn(Say(None, refusal="no"))).finish == "refusal"
    assert _reply(in_turn(Say("x", finish="tool_use"))).finish == "stop"


def test_a_key_that_the_server_echoes_is_nowhere() -> None:
    def echo(asked: Asked) -> Say:
        key = asked.headers["x-api-key"]
        return Say(f"your key is {key}", reasoning=key, model=key, finish=key)

    with _asking(echo, {"ANTHROPIC_API_KEY": SECRET}) as (model, _):
        said = to_json(model.complete(request(), STEP)).decode()
    assert SECRET not in said
    assert "[key]" in said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(content=JSON, counted=JSON)
def test_any_document_is_a_reply_or_trouble(content: Any, counted: Any) -> None:
    for found in (
        {"content": content, "usage": counted, "stop_reason": content, "model": counted},
        {
            "content": [{"type": "text", "text": content}, {"type": "thinking", "thinking": 1}],
            "usage": {"input_tokens": counted, "output_tokens": 1, "cache_read_input_tokens": 5},
        },
    ):
        try:
            reply = reply_of(found, request())
        except Trouble as trouble:
            assert trouble.again
        else:
            assert from_json(to_json(reply), Reply) == reply


def test_anthropic_itself_needs_a_key() -> None:
    with pytest.raises(BadInput, match="set ANTHROPIC_API_KEY"):
        Anthropic("m", caller(), base_url=None, environment={})
