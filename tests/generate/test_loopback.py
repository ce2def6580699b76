"""The server that tests of models talk to says what its script says, faults included."""

import http.client
import json
import threading
from typing import Any

import pytest

from generate.loopback import (
    FINGERPRINT,
    MODEL,
    PASSING,
    Asked,
    Cut,
    Drop,
    Fail,
    Loopback,
    Say,
    Send,
    flaky,
    in_turn,
    limited,
)


def _post(server: Loopback, path: str = "/v1/chat/completions", **body: Any) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(server.root.removeprefix("http://"), timeout=60)
    try:
        said = json.dumps({"messages": [{"role": "user", "content": "hello"}], **body})
        connection.request("POST", path, said, {"Authorization": "Bearer secret"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def test_it_speaks_both_protocols() -> None:
    with Loopback(lambda asked: Say(asked.prompt.strip().upper())) as server:
        _, openai = _post(server)
        _, anthropic = _post(server, "/v1/messages", system="be brief")
    said = json.loads(openai)
    assert said["choices"][0]["message"]["content"] == "HELLO"
    assert (said["model"], said["system_fingerprint"]) == (MODEL, FINGERPRINT)
    native = json.loads(anthropic)
    assert native["content"] == [{"type": "text", "text": "BE BRIEF\nHELLO"}]
    assert (native["stop_reason"], native["usage"]["input_tokens"]) == ("end_turn", 11)


def test_it_remembers_what_it_was_asked() -> None:
    with Loopback(in_turn(Say("a"))) as server:
        _post(server, temperature=0.5)
    (asked,) = server.asked
    assert asked.body["temperature"] == 0.5
    assert asked.headers["authorization"] == "Bearer secret"


def test_faults_are_real() -> None:
    with Loopback(in_turn(limited("3"), Fail(500), Send(b"{"), Cut(), Drop())) as server:
        assert _post(server)[0] == 429
        assert _post(server)[0] == 500
        assert _post(server) == (200, b"{")
        with pytest.raises(http.client.IncompleteRead):
            _post(server)
        with pytest.raises(http.client.RemoteDisconnected):
            _post(server)


def test_flaky_scripts_have_a_fault_of_every_kind_in_turn() -> None:
    script = flaky(lambda _: Say("fine"), PASSING, every=2)
    asked = [Asked(number=at, path="", headers={}, body={}) for at in range(2 * len(PASSING))]
    assert [script(one) for one in asked[::2]] == list(PASSING)
    assert all(script(one) == Say("fine") for one in asked[1::2])


def test_it_counts_how_many_wait_at_once() -> None:
    gate = threading.Barrier(3)

    def together(_: Asked) -> Say:
        gate.wait(60.0)
        return Say("x")

    with Loopback(together) as server:
        threads = [threading.Thread(target=_post, args=(server,)) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert server.most_at_once == 3
