"""The transcript of one submission for reading: requests and replies."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.rule import Rule
from rich.text import Text

from kernelbenchx.cli.number_format import dollars, printable
from kernelbenchx.cli.output import console
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import from_json
from kernelbenchx.core.transcript import Exchange
from kernelbenchx.report.transcripts import group_requests
from kernelbenchx.store.transcripts import reading_transcript

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.store.evaluation_lookup import StoredEvaluation

_COLOURS = {"system": "cyan", "user": "blue", "reasoning": "dim", "reply": "green"}


def exchanges_of(kept: "StoredEvaluation") -> list[Exchange]:
    """In the order of time; one line where no model was asked for this submission."""
    one = kept.evaluation
    with reading_transcript(kept.run) as opened:
        if one.origin.step and opened.holds_any():
            asked = group_requests(opened.requests(one.task), opened.steps(one.task))
            keys = asked.get(one.origin.step, [])
            if keys:
                return [from_json(record, Exchange) for record in opened.exchanges(keys)]
    raise BadInput(f"no model was asked for {one.submission}: {kept.run} has no transcript of it")


def print_conversation(exchanges: list[Exchange], shown: "Console | None" = None) -> None:
    """Each request with its reply; a message that was shown above is only named."""
    shown = shown or console()
    above: set[str] = set()
    for exchange in exchanges:
        shown.print(Rule(Text(printable(_head(exchange)), "bold"), align="left", style="dim"))
        for who, text in _parts(exchange):
            known = text in above
            above.add(text)
            shown.print(Text(f"{who}{' (as above)' if known else ''}", f"bold {_COLOURS[who]}"))
            if not known:
                shown.print(Text(printable(text).strip("\n"), overflow="fold"))
            shown.print()


def _parts(exchange: Exchange) -> Iterator[tuple[str, str]]:
    for message in exchange.request.messages:
        yield "reply" if message.role == "assistant" else message.role, message.content
    reply = exchange.reply
    if reply.reasoning:
        yield "reasoning", reply.reasoning
    yield "reply", reply.text or reply.detail or "nothing"


def _head(exchange: Exchange) -> str:
    reply = exchange.reply
    parts = [
        exchange.step,
        reply.model,
        f"{reply.usage.prompt:,} + {reply.usage.completion:,} tokens",
        *([] if exchange.cost is None else [dollars(exchange.cost)]),
        *([] if reply.finish == "stop" else [reply.finish]),
    ]
    return ", ".join(parts)
