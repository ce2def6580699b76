"""What all models behind servers have in common."""

import threading
import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import pytest

from desks import reply
from generate.loopback import Asked, Loopback, Say
from generate.requests_made import STEP, caller, request
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Reply, Request
from kernelbenchx.generate.models.keys import Key
from kernelbenchx.generate.models.server_model import ServerModel

SECRET = "sk-very-secret-1234"


class Echo(ServerModel):
    """Says the whole document again, and counts how many are read at once."""

    HOME = "https://echo.example/v1"
    KEY = "ECHO_KEY"
    URL = "ECHO_URL"
    ADVICE = ", or be silent"
    reading = 0
    most = 0

    def _headers(self, key: Key) -> dict[str, str]:
        return {"x-key": key.header()} if key else {}

    def _once(self, request: Request) -> Reply:
        return self._post_request("/chat/completions", {"messages": []}, request)

    def _parse_reply(self, found: Mapping[str, Any], request: Request) -> Reply:  # noqa: ARG002
        self.reading += 1
        self.most = max(self.most, self.reading)
        time.sleep(0.005)
        self.reading -= 1
        return reply(str(found["choices"][0]["message"]["content"]))


def _echo(base_url: str | None, environment: Mapping[str, str]) -> Echo:
    return Echo("m", caller(limit=16), base_url=base_url, environment=environment)


def test_the_address_is_given_or_in_the_environment_or_its_own() -> None:
    key = {"ECHO_KEY": SECRET}
    found = [
        (_echo("http://a.example", {**key, "ECHO_URL": "http://b.example"}), "http://a.example"),
        (_echo(None, {**key, "ECHO_URL": "http://b.example"}), "http://b.example"),
        (_echo(None, key), Echo.HOME),
        (_echo("http://a.example", {}), "http://a.example"),
    ]
    for model, address in found:
        with closing(model):
            assert (model.name, model._service.base_url) == ("m", address)


@pytest.mark.parametrize("base_url", [None, Echo.HOME])
def test_its_own_service_wants_a_key(base_url: str | None) -> None:
    with pytest.raises(BadInput, match=r"^set ECHO_KEY, or be silent$"):
        _echo(base_url, {})


def test_a_reply_has_no_key_in_it_and_is_no_longer_than_was_asked_for() -> None:
    with Loopback(lambda asked: Say(asked.headers["x-key"] + "x" * 10**5)) as server:
        with closing(_echo(server.url, {"ECHO_KEY": SECRET})) as model:
            said = model.complete(request(max_tokens=10), STEP)
    assert said.text == "[key]" + "x" * 315
    assert (said.finish, said.detail) == ("length", "cut: longer than 10 tokens can be")


def test_one_reply_is_read_at_a_time() -> None:
    """Read, a document is many times what it was: sixteen of them would be more than a run."""
    both = threading.Barrier(2, timeout=60)  # nobody is answered alone

    def script(_asked: Asked) -> Say:
        both.wait()
        return Say("hm")

    with Loopback(script) as server, closing(_echo(server.url, {})) as model:
        asking = [
            threading.Thread(target=model.complete, args=(request(), STEP)) for _ in range(16)
        ]
        for one in asking:
            one.start()
        for one in asking:
            one.join()
        assert len(server.asked) == 16 and server.most_at_once > 1
    assert model.most == 1
