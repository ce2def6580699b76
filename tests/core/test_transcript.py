import msgspec
import pytest

from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.transcript import Exchange, Message, Reply, Request, Usage

ASKED = Request(model="m", messages=(Message("user", "write"),), max_tokens=10, seed=3)
SAID = Reply(text="x", finish="stop", usage=Usage(prompt=3, completion=2), model="m-1")


def test_an_exchange_is_read_back_as_it_was() -> None:
    made = Exchange(key="k", task="a/b", step="only", request=ASKED, reply=SAID, cost=0.5)
    assert from_json(to_json(made), Exchange) == made
    assert SAID.usage.total == 5


def test_a_finish_or_a_role_that_nobody_knows_is_refused() -> None:
    for wrong in (b'{"role":"tool","content":""}', b'{"role":"user"}'):
        with pytest.raises(msgspec.ValidationError):
            from_json(wrong, Message)
    said = to_json(SAID).replace(b'"stop"', b'"tired"')
    with pytest.raises(msgspec.ValidationError):
        from_json(said, Reply)


def test_the_digest_is_of_the_conversation_alone() -> None:
    other = msgspec.structs.replace(ASKED, seed=4, max_tokens=20, model="n")
    assert other.digest == ASKED.digest
    for messages in (
        (Message("user", "read"),),
        (Message("system", "write"),),
        (Message("user", "wri"), Message("user", "te")),
    ):
        assert msgspec.structs.replace(ASKED, messages=messages).digest != ASKED.digest
