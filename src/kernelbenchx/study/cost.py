"""How many requests a study makes at most, and what they may cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.transcript import Usage
from kernelbenchx.generate.prices import Prices
from kernelbenchx.generate.prompts import prompts_for
from kernelbenchx.generate.task_context import MAX_TOKENS
from kernelbenchx.study.cells import Cell

BYTES_PER_TOKEN = 3.0
"""Of prompts: code in English has between three and four."""
REPLY_TOKENS = 4000
"""Of the kernel, the feedback and the thoughts that a later request or a common reply holds."""


@runtime_checkable
class CountsRequests(Protocol):
    """A method that knows how often it asks at most."""

    @property
    def most_requests(self) -> int:
        """For one task."""


@dataclass(frozen=True)
class CostEstimate:
    """Of one cell, or of several."""

    requests: int
    """At most."""
    prompt_tokens: int
    """About, if all requests are made."""
    reply_tokens: int
    """At most: every reply as long as it may be."""
    dollars: float | None
    """At most; None where a price is not known."""
    likely_dollars: float | None
    """If a reply has `REPLY_TOKENS`."""


def estimate(cell: Cell, tasks: Sequence[str], prices: Prices) -> CostEstimate:
    """Of a cell over these tasks; nothing is asked."""
    times = cell.method.most_requests if isinstance(cell.method, CountsRequests) else 1
    requests = times * len(tasks)
    prompts = prompts_for(cell.prompting, tasks)
    first = 0
    for task in tasks:
        opening = prompts.opening(statement(task))
        written = sum(len(one.content.encode()) for one in opening.messages)
        first += round(written / BYTES_PER_TOKEN)
    # Later requests hold the task once more, and what came of the kernel before.
    later = 0 if cell.method_name == "sample" else REPLY_TOKENS * (times - 1) * len(tasks)
    prompt = first * times + later
    longest = cell.model.max_tokens or int(getattr(cell.method, "longest_reply", MAX_TOKENS))
    price = prices.of(cell.model_name)
    dollars = likely = None
    if price is not None:
        dollars = price.most(Usage(prompt=prompt, completion=requests * longest))
        common = requests * min(longest, REPLY_TOKENS)
        likely = price.most(Usage(prompt=prompt, completion=common))
    return CostEstimate(requests, prompt, requests * longest, dollars, likely)


def total(every: Sequence[CostEstimate]) -> CostEstimate:
    """Of all cells together."""
    return CostEstimate(
        requests=sum(one.requests for one in every),
        prompt_tokens=sum(one.prompt_tokens for one in every),
        reply_tokens=sum(one.reply_tokens for one in every),
        dollars=_sum([one.dollars for one in every]),
        likely_dollars=_sum([one.likely_dollars for one in every]),
    )


def _sum(every: Sequence[float | None]) -> float | None:
    known = [one for one in every if one is not None]
    return sum(known) if len(known) == len(every) else None
