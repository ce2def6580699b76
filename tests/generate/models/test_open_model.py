"""From a word of the command line to a model with its limits."""

import threading
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from generate.loopback import Loopback, Say, in_turn
from generate.requests_made import STEP, request
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Exchange, Reply, Usage
from kernelbenchx.generate.budget import Caps
from kernelbenchx.generate.model import OutOfBudget, as_recalled
from kernelbenchx.generate.models.open_model import OpenModel, Terms, open_model, split
from kernelbenchx.generate.models.recorded_model import write_recording
from kernelbenchx.generate.prices import Price, Prices

PRICES = Prices((("loop*", Price(input=1e6, output=1e6)),))
CHEAP = Prices((("loop*", Price(input=1.0, output=1.0)),))


def _open(
    spec: str, terms: Terms | None = None, **environment: str
) -> AbstractContextManager[OpenModel]:
    return open_model(spec, terms or Terms(), stop=threading.Event(), environment=environment)


def test_each_kind_answers(tmp_path: Path) -> None:
    said = Reply(text="c", finish="stop", usage=Usage(prompt=1, completion=1), model="m")
    exchange = Exchange(key="k", task=STEP.task, step=STEP.path, request=request(), reply=said)
    write_recording(tmp_path / "r.jsonl", [exchange])
    with Loopback(in_turn(Say("a"), Say("b"))) as server:
        for spec, url, text in [
            ("openai:loopback-1", server.url, "a"),
            ("anthropic:loopback-1", server.root, "b"),
            (f"replay:{tmp_path / 'r.jsonl'}", None, "c"),
        ]:
            with _open(spec, Terms(base_url=url, in_flight=3)) as found:
                assert as_recalled(found.model.complete(request(), STEP)).reply.text == text
                assert (found.model.name, found.flight.limit) == ("loopback-1", 3)
                assert found.budget.tokens > 0


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "\udcff"])
def test_the_name_of_a_model_can_be_printed(name: str) -> None:
    with pytest.raises(BadInput, match="text on one line"):
        split(f"openai:{name}")
    assert split("openai:org/größe-7b:q4") == ("openai", "org/größe-7b:q4")


@pytest.mark.parametrize("spec", ["", "gpt", "openai:", "openai: ", ":x", "OpenAI:x", "file:x"])
def test_other_words_name_no_model(spec: str) -> None:
    with pytest.raises(BadInput, match="write openai:NAME, anthropic:NAME, replay:FILE"):
        split(spec)


def test_names_may_hold_colons() -> None:
    assert split("openai:qwen2.5-coder:7b") == ("openai", "qwen2.5-coder:7b")


def test_a_cap_in_dollars_rests_on_the_models_price() -> None:
    with Loopback(in_turn(Say("a"))) as server:
        cap = Caps(dollars=1.0)
        terms = Terms(base_url=server.url, caps=cap, prices=PRICES)
        with _open("openai:loopback-1", terms) as found, pytest.raises(OutOfBudget):
            found.model.complete(request(), STEP)
        terms = Terms(base_url=server.url, caps=cap, prices=CHEAP)
        with _open("openai:loopback-1", terms) as found:
            reply = as_recalled(found.model.complete(request(), STEP)).reply
            assert found.budget.dollars == found.budget.cost(reply.usage) == pytest.approx(1.8e-5)
    assert len(server.asked) == 1
    with pytest.raises(BadInput, match="needs the price of 'other'"):
        with _open("openai:other", Terms(base_url=server.url, caps=cap)):
            pass


def test_prices_without_one_for_the_model_are_no_prices() -> None:
    """Somebody who gives prices wants to see money, with a cap or without."""
    terms = Terms(base_url="http://127.0.0.1:1/v1", prices=CHEAP)
    with _open("openai:loopback-1", terms) as found:
        assert found.budget.dollars == 0.0
    with pytest.raises(BadInput, match="no pattern in --prices FILE fits the model 'other'"):
        with _open("openai:other", terms):
            pass


def test_opening_asks_nobody_and_needs_a_key_only_where_the_service_does() -> None:
    with _open("openai:m", Terms(base_url="http://127.0.0.1:1/v1")) as found:
        assert found.budget.tokens == 0
    for spec in ("openai:m", "anthropic:m"):
        with pytest.raises(BadInput, match="_API_KEY"), _open(spec):
            pass
