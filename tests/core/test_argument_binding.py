"""Bindings as plain data."""

from kernelbenchx.core.argument_binding import (
    AS_IT_IS,
    Argument,
    ArgumentBinding,
    EntryBinding,
    Taker,
)
from kernelbenchx.core.record import from_json, to_json

BINDING = ArgumentBinding(
    arguments=(Argument(name="input"), Argument(name="out", default="None")),
    positional=(Taker(argument="input", keyword="x", required=True),),
)


def test_a_binding_says_what_it_lacks_and_what_it_calls_an_argument() -> None:
    assert BINDING.lacks == ("out",)
    assert BINDING.keyword_of("input") == "x"
    assert BINDING.keyword_of("out") == ""
    assert EntryBinding(init=BINDING).lacks == ("out",)
    assert AS_IT_IS.lacks == ()


def test_it_crosses_borders_as_json() -> None:
    entry = EntryBinding(call=BINDING, line=3)
    assert from_json(to_json(entry), EntryBinding) == entry
    assert hash(entry) != hash(AS_IT_IS)
