"""From what a user writes, such as `openai:NAME`, to a model that keeps the run's limits."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.text import label
from kernelbenchx.generate.budget import Budget, Caps
from kernelbenchx.generate.in_flight import Flight
from kernelbenchx.generate.model import Model
from kernelbenchx.generate.models.anthropic import Anthropic
from kernelbenchx.generate.models.openai import OpenAI
from kernelbenchx.generate.models.recorded_model import ExchangeRecording, RecordedModel
from kernelbenchx.generate.prices import Prices
from kernelbenchx.generate.retry_loop import Caller
from kernelbenchx.generate.retry_policy import RetryPolicy

KINDS = {
    "openai": "openai:NAME",
    "anthropic": "anthropic:NAME",
    "replay": "replay:FILE",
}
"""How a model is reached, and how that is written."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The settings of all requests of a run."""

    base_url: str | None = None
    """None for the protocol's own variable, then its home."""
    in_flight: int = 16
    caps: Caps = field(default_factory=Caps)
    prices: Prices = field(default_factory=Prices)
    patience: RetryPolicy = field(default_factory=RetryPolicy)


@dataclass(frozen=True)
class OpenModel:
    """A model ready for requests, with its budget and its request slots."""

    model: Model
    budget: Budget
    flight: Flight


@contextmanager
def open_model(
    spec: str,
    terms: Terms,
    *,
    stop: threading.Event,
    environment: Mapping[str, str],
    told: Callable[[str], None] = lambda _: None,
) -> Iterator[OpenModel]:
    """Raises `BadInput` where the model, its key or its price is missing; sends no request."""
    kind, name = split(spec)
    flight = Flight(terms.in_flight, stop)
    if kind == "replay":
        with closing(ExchangeRecording(Path(name))) as recording:
            budget = _budget(recording.model, terms, stop)
            yield OpenModel(RecordedModel(recording, budget), budget, flight)
        return
    budget = _budget(name, terms, stop)
    caller = Caller(flight, budget, terms.patience, stop, told=told)
    served: type[OpenAI] | type[Anthropic] = Anthropic if kind == "anthropic" else OpenAI
    with closing(served(name, caller, base_url=terms.base_url, environment=environment)) as model:
        yield OpenModel(model, budget, flight)


def split(spec: str) -> tuple[str, str]:
    """How the model is reached, and its name or file; a name may hold colons of its own."""
    kind, colon, name = spec.partition(":")
    if kind not in KINDS or not colon or not name.strip():
        raise BadInput(f"{spec!r} names no model: write {', '.join(KINDS.values())}")
    if kind != "replay" and label(name, len(name)) != name:
        raise BadInput(f"{spec!r}: the name of a model is text on one line")
    return kind, name


def _budget(name: str, terms: Terms, stop: threading.Event) -> Budget:
    price = terms.prices.of(name)
    if terms.prices.known and price is None:
        raise BadInput(f"no pattern in --prices FILE fits the model {name!r}")
    if terms.caps.dollars is not None and price is None:
        raise BadInput(f"a cap in dollars needs the price of {name!r}: give it in --prices FILE")
    return Budget(terms.caps, price, stop)
