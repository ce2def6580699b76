"""One try against a real server: a document, or trouble that says what it is."""

import socket
import sys
import time
from contextlib import closing

import pytest

from generate.loopback import Answer, Cut, Drip, Drop, Fail, Loopback, Say, Send, in_turn, limited
from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.models.http_service import (
    MOST_BYTES,
    ServerRefusal,
    Service,
    checked_url,
    on_this_machine,
)
from kernelbenchx.generate.models.keys import Key
from kernelbenchx.generate.retry_policy import Trouble, Unreached

SECRET = "sk-very-secret-1234"


def _service(url: str, timeout_s: float = 60.0, key: str = SECRET) -> Service:
    head = {"Authorization": f"Bearer {key}"} if key else {}
    return Service(url, Key(key, "A_KEY"), headers=head, connections=2, timeout_s=timeout_s)


def _trouble(answer: Answer, timeout_s: float = 60.0, key: str = SECRET) -> Trouble:
    with Loopback(in_turn(answer)) as server:
        with closing(_service(server.url, timeout_s, key)) as service:
            with pytest.raises(Trouble) as trouble:
                service.post("/chat/completions", {"messages": []}, dict)
    assert SECRET not in str(trouble.value)
    assert trouble.value.__cause__ is None or SECRET not in str(trouble.value.__cause__)
    return trouble.value


def test_a_document_comes_back() -> None:
    with Loopback(in_turn(Say("hello"))) as server, closing(_service(server.url)) as service:
        found = service.post("/chat/completions", {"messages": [], "é": "ü"}, dict)
    assert found["choices"][0]["message"]["content"] == "hello"
    (asked,) = server.asked
    assert asked.body == {"messages": [], "é": "ü"}
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert asked.headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Cut(), "the reply was cut"),
        (Drop(), "the reply was cut"),
        (Send(b'{"choices": ['), "not JSON"),
        (Send(b"<html>"), "not JSON"),
    ],
)
def test_what_is_lost_on_the_way_may_pass_and_may_be_charged(answer: Answer, said: str) -> None:
    trouble = _trouble(answer)
    assert said in str(trouble)
    assert (trouble.again, trouble.billed) == (True, True)


@pytest.mark.parametrize("answer", [Say("late", after_s=600.0), Drip(0.005)])
def test_a_try_ends_in_time(answer: Answer) -> None:
    began = time.monotonic()
    trouble = _trouble(answer, timeout_s=0.15)
    assert time.monotonic() - began < 60.0
    assert str(trouble) == "no complete reply within 0.15 s"
    assert (trouble.again, trouble.billed) == (True, True)


@pytest.mark.parametrize(("status", "again"), [(429, True), (500, True), (503, True), (400, False)])
def test_a_status_says_whether_to_try_again(status: int, again: bool) -> None:
    trouble = _trouble(Fail(status, "no, not now", {"Retry-After": "3"}))
    assert str(trouble) == f"the server answers with status {status}: no, not now"
    assert (trouble.again, trouble.billed, trouble.wait_s) == (again, False, 3.0)
    assert trouble.busy == (status in (429, 503))


def test_a_server_that_is_busy_says_how_long() -> None:
    assert _trouble(limited("12")).wait_s == 12.0
    assert _trouble(Fail(429)).wait_s is None


def test_an_account_without_money_is_not_waited_for() -> None:
    spent = ServerRefusal("", status=429, headers={}, error={"code": "insufficient_quota"})
    busy = ServerRefusal("", status=429, headers={}, error={"code": "rate_limit"})
    assert (spent.again, busy.again) == (False, True)


def test_errors_inside_a_reply_are_errors() -> None:
    trouble = _trouble(Send(b'{"error": {"message": "upstream", "code": 429}}'))
    assert (str(trouble), trouble.again) == ("the server answers with status 429: upstream", True)
    assert "status 502: gone" in str(_trouble(Send(b'{"error": "gone"}')))


def test_redirects_are_not_followed_since_the_key_would_travel() -> None:
    with Loopback(in_turn(Say("stolen"))) as elsewhere:
        trouble = _trouble(Fail(307, headers={"Location": elsewhere.url + "/chat/completions"}))
    assert not trouble.again
    assert elsewhere.asked == []


def test_a_key_that_is_not_taken_is_not_quoted() -> None:
    refused = _trouble(Fail(401, "incorrect key: sk-very-s***1234"))
    assert str(refused) == "the server does not accept the key in A_KEY (401)"
    assert not refused.again
    assert str(_trouble(Fail(403, "who?"), key="")) == "the server wants a key: set A_KEY (403)"


@pytest.mark.parametrize(
    "answer",
    [
        Fail(400, f"bad header: Bearer {SECRET}"),
        Fail(500, SECRET),
        Send(f'{{"error": {{"message": "{SECRET}"}}}}'.encode()),
    ],
)
def test_a_key_that_the_server_echoes_is_scrubbed(answer: Answer) -> None:
    assert "[key]" in str(_trouble(answer))


def test_a_reply_without_end_is_given_up() -> None:
    trouble = _trouble(Send(b" " * (MOST_BYTES + 1)))
    assert str(trouble) == "the reply is larger than 2 MiB"
    assert (trouble.again, trouble.billed, trouble.finish) == (False, True, "length")


def test_compressed_replies_are_not_unpacked() -> None:
    trouble = _trouble(Fail(400, headers={"Content-Encoding": "gzip"}))
    assert str(trouble) == "the server sent a compressed reply, which was not requested"


def _closed_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


def test_nobody_there_may_pass_and_costs_nothing() -> None:
    url = _closed_port()
    with closing(_service(url)) as service, pytest.raises(Trouble) as trouble:
        service.post("/chat/completions", {}, dict)
    assert str(trouble.value).startswith(f"no connection to {url}")
    assert isinstance(trouble.value, Unreached) and not trouble.value.billed
    assert (trouble.value.again, trouble.value.billed) == (True, False)


def test_a_proxy_is_not_asked_for_a_server_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, _closed_port())
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Loopback(in_turn(Say("x"))) as server, closing(_service(server.url)) as service:
        assert service.post("/chat/completions", {"messages": []}, dict)["choices"]
    with closing(_service("http://models.invalid/v1")) as service, pytest.raises(Trouble) as away:
        service.post("/chat/completions", {}, dict)
    assert "refused" in str(away.value)


def test_who_is_on_this_machine() -> None:
    here = ["http://127.0.0.1/v1", "http://localhost:1", "http://[::1]:8/v1"]
    away = ["http://10.0.0.1/v1", "http://localhost.example", "http://[::2]:8/v1"]
    assert [on_this_machine(url) for url in here + away] == [True] * 3 + [False] * 3


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "https://models.example/v1/"])
def test_base_urls(url: str) -> None:
    assert checked_url(url) == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        *["", "127.0.0.1:8000", "ftp://a/b", "http://", "http://[::1", "file:///etc/passwd"],
        *["http://a:99999/v1", "http://a:0/v1", "http://a:-1/v1", "http://a:x/v1"],
    ],
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(BadInput, match="is no base URL such as"):
        checked_url(url)


@pytest.mark.parametrize(
    "url",
    [
        *["http://me:pw@a/v1", "http://a/v1?key=pw", "http://a/v1#pw"],
        *["http://me:pw@a:99999/v1", "http://me:pw@[::1/v1"],
    ],
)
def test_secrets_in_urls_are_refused_without_showing_them(url: str) -> None:
    with pytest.raises(BadInput) as refused:
        checked_url(url)
    assert "pw" not in str(refused.value)


def test_a_missing_library_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(BadInput, match=r"pip install 'kernelbenchx\[generate\]'"):
        _service("http://127.0.0.1:1/v1")
