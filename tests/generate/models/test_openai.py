"""OpenAI's protocol against a real server, with everything a server can do wrong."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generate.loopback import (
    FINGERPRINT,
    HOSTILE,
    MODEL,
    PASSING,
    Asked,
    Fail,
    Loopback,
    Say,
    Script,
    Send,
    flaky,
    in_turn,
)
from generate.requests_made import STEP, caller, request
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.transcript import Reply, Request, Usage
from kernelbenchx.generate.models.openai import OpenAI, body_of, reply_of
from kernelbenchx.generate.retry_loop import Caller
from kernelbenchx.generate.retry_policy import Trouble

SECRET = "sk-very-secret-1234"


@contextmanager
def _asking(
    script: Script, line: Caller | None = None, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[OpenAI, Loopback]]:
    with Loopback(script) as server:
        model = OpenAI(MODEL, line or caller(), base_url=server.url, environment=environment or {})
        with closing(model):
            yield model, server


def _reply(script: Script) -> Reply:
    with _asking(script) as (model, _):
        return model.complete(request(), STEP)


def test_everything_asked_for_is_sent_and_all_that_is_said_is_kept() -> None:
    said = Say(
        "```python\npass\n```",
        reasoning="hm",
        usage={
            "prompt_tokens": 20,
            "completion_tokens": 9,
            "prompt_tokens_details": {"cached_tokens": 4},
        },
    )
    with _asking(in_turn(said), environment={"OPENAI_API_KEY": SECRET}) as (model, server):
        reply = model.complete(request(), STEP)
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert asked.body == {
        "model": "loopback-1",
        "messages": [
            {"role": "system", "content": "You write kernels."},
            {"role": "user", "content": "Write relu."},
        ],
        "max_tokens": 100,
        "stream": False,
        "temperature": 0.7,
        "seed": 5,
    }
    assert (reply.text, reply.finish, reply.reasoning) == ("```python\npass\n```", "stop", "hm")
    assert reply.usage == Usage(prompt=20, completion=9, cached=4)
    assert (reply.model, reply.version, reply.tries) == (MODEL, FINGERPRINT, 1)
    assert model.name == MODEL


def test_what_is_left_to_the_model_is_left_out() -> None:
    bare = Request(model="m", messages=(), max_tokens=5)
    assert body_of(bare) == {"model": "m", "messages": [], "max_tokens": 5, "stream": False}


def test_without_a_key_none_is_sent() -> None:
    with _asking(in_turn(Say("x"))) as (model, server):
        model.complete(request(), STEP)
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("fault", PASSING, ids=repr)
def test_faults_that_pass_are_got_over(fault: Any) -> None:
    with _asking(in_turn(fault, fault, Say("at last"))) as (model, server):
        reply = model.complete(request(), STEP)
    assert (reply.text, reply.tries, len(server.asked)) == ("at last", 3, 3)


@pytest.mark.parametrize("fault", PASSING, ids=repr)
def test_faults_that_stay_are_a_reply(fault: Any) -> None:
    with _asking(in_turn(fault)) as (model, server):
        reply = model.complete(request(), STEP)
    assert (reply.finish, reply.text, len(server.asked)) == ("error", "", 4)
    assert reply.detail


@pytest.mark.parametrize("status", [400, 401, 404, 413, 422])
def test_what_is_wrong_with_the_request_is_not_repeated(status: int) -> None:
    with _asking(in_turn(Fail(status, "no"))) as (model, server):
        reply = model.complete(request(), STEP)
    assert (reply.finish, len(server.asked)) == ("error", 1)
    assert str(status) in reply.detail


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_replies_are_replies(name: str) -> None:
    reply = _reply(in_turn(HOSTILE[name]))
    assert reply.finish != "error"
    assert from_json(to_json(reply), Reply) == reply
    assert 0 <= reply.usage.total < 10**7


def test_how_replies_end() -> None:
    assert _reply(in_turn(HOSTILE["refusal"])).finish == "refusal"
    assert _reply(in_turn(HOSTILE["refusal"])).text == "I can't help with that."
    assert _reply(in_turn(HOSTILE["filtered"])).finish == "filtered"
    assert _reply(in_turn(HOSTILE["cut off"])).finish == "length"
    called = _reply(in_turn(HOSTILE["tool call"]))
    assert (called.finish, called.detail) == ("stop", "the model called a tool, but it has none")
    assert _reply(in_turn(Say("x"))).detail == ""


def test_a_reply_without_choices_is_trouble() -> None:
    with _asking(in_turn(Send(b'{"choices": []}'), Send(b"{}"), Say("x"))) as (model, server):
        assert model.complete(request(), STEP).text == "x"
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("said", "text", "thought"),
    [
        ("<think>\nhm\n</think>\n\nyes", "yes", "hm"),
        ("hm\n</think>yes", "yes", "hm"),
        ("<think>endless", "", "endless"),
        ("yes", "yes", ""),
        ("a <think> b </think> c", "a <think> b </think> c", ""),
    ],
)
def test_reasoning_is_taken_apart(said: str, text: str, thought: str) -> None:
    reply = _reply(in_turn(Say(said)))
    assert (reply.text, reply.reasoning) == (text, thought)


def test_models_that_want_the_newer_word_get_it() -> None:
    def picky(asked: Asked) -> Say | Fail:
        if "max_tokens" in asked.body:
            return Fail(400, "Use 'max_completion_tokens' instead.", param="max_tokens")
        return Say("x")

    with _asking(picky) as (model, server):
        assert [model.complete(request(), STEP).text for _ in range(2)] == ["x", "x"]
    assert ["max_tokens" in one.body for one in server.asked] == [True, False, False]
    assert server.asked[-1].body["max_completion_tokens"] == 100
    with _asking(in_turn(Fail(400, "no", param="seed"))) as (model, server):
        assert model.complete(request(), STEP).finish == "error"
    assert len(server.asked) == 1


@pytest.mark.parametrize("fault", [False, True])
def test_a_key_that_the_server_echoes_is_nowhere(fault: bool) -> None:
    def echo(asked: Asked) -> Say | Fail:
        key = asked.headers["authorization"]
        if fault:
            return Fail(500, key)
        return Say(f"your key is {key}", reasoning=key, model=key, finish=key)

    with _asking(echo, environment={"OPENAI_API_KEY": SECRET}) as (model, _):
        reply = model.complete(request(), STEP)
    assert SECRET not in to_json(reply).decode()
    assert "[key]" in to_json(reply).decode()


def test_many_requests_at_once_lose_nothing_and_keep_the_limit() -> None:
    """The large one is `benchmarks/generate_requests.py`."""
    line = caller(limit=8)
    script = flaky(lambda asked: Say(asked.messages[-1]["content"]), PASSING, every=10)
    replies: dict[int, Reply] = {}
    with _asking(script, line) as (model, server):

        def ask(number: int) -> None:
            replies[number] = model.complete(request(f"number {number}"), STEP)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(120)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert {number: one.text for number, one in replies.items()} == {
        number: f"number {number}" for number in range(120)
    }
    assert server.most_at_once <= line.flight.most
    assert 1 < line.flight.most <= 8
    assert len(server.asked) == sum(one.tries for one in replies.values()) > 120
    assert line.budget.tokens == sum(one.usage.total for one in replies.values())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(choices=JSON, message=JSON, content=JSON, counted=JSON)
def test_any_document_is_a_reply_or_trouble(
    choices: Any, message: Any, content: Any, counted: Any
) -> None:
    documents = [
        {"choices": choices, "model": content},
        {"choices": [{"message": message, "finish_reason": content}], "usage": counted},
        {
            "choices": [{"message": {"content": content, "refusal": message}}],
            "usage": {"prompt_tokens": counted, "prompt_tokens_details": message},
        },
    ]
    for found in documents:
        try:
            reply = reply_of(found, request())
        except Trouble as trouble:
            assert trouble.again
        else:
            assert from_json(to_json(reply), Reply) == reply


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(BadInput, match="set OPENAI_API_KEY, or give --base-url"):
        OpenAI("m", caller(), base_url=None, environment={})


def test_the_variable_names_the_server() -> None:
    with Loopback(in_turn(Say("x"))) as server:
        environment = {"OPENAI_BASE_URL": server.url}
        with closing(OpenAI("m", caller(), base_url=None, environment=environment)) as model:
            assert model.complete(request(), STEP).text == "x"
