"""A thousand requests at once: is one lost, is the limit kept, how much memory does it take?

    python benchmarks/generate_requests.py [--requests 1000] [--in-flight 64] [--replies 200]

As many threads as requests ask at their desks, each once, and all at the same time; replies go
into the journal of a run on disk. The server is a process of its own on this machine that speaks
OpenAI's protocol; in the second world it fails in all the ways that pass, in the third it writes
as much as a model that reasons at length. A world is a process of its own too: its memory is its
peak, the server's is not in it.

The second table is `kbx generate --method sample` as a user runs it, on replies that are made to
do harm: does it come to its end, in how much memory, and does any of it reach the terminal?
"""

import argparse
import io
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from desks import FakeBench, PlainPrompts, Told
from generate.loopback import HOSTILE, PASSING, Loopback, Say, Script, flaky
from kernelbenchx.cli.main import kbx
from kernelbenchx.core.transcript import Message
from kernelbenchx.generate.models.open_model import Terms, open_model
from kernelbenchx.generate.retry_policy import RetryPolicy
from kernelbenchx.generate.task_context import RunContext, TaskContext
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder

LATENCY_S = 0.5
LONG = "x = 1\n" * 50_000
MOST_MB = 1024
"""More memory than this would be a fault."""
SCRIPTS: dict[str, Script] = {
    "short replies": lambda asked: Say(_number(asked.prompt), after_s=LATENCY_S),
    "every fifth fails": flaky(
        lambda asked: Say(_number(asked.prompt), after_s=LATENCY_S), PASSING, every=5
    ),
    "replies of 300 kB": lambda asked: Say(_number(asked.prompt) + LONG, after_s=LATENCY_S),
}
LINES = "x = 1\n" * 260_000
HARMFUL: dict[str, Script] = {
    "1.6 MB of statements": lambda _: Say(f"```python\n{LINES}```"),
    "the same, wide": lambda _: Say(f"```python\n# \U0001f600\n{LINES}```"),
    "1.6 MB of thoughts": lambda _: Say(f"<think>\U0001f600{LINES}</think>no"),
    "600,000 empty lists": lambda _: HOSTILE["many empty lists"],
    "no end": lambda _: HOSTILE["endless"],
    "codes for a terminal": lambda _: Say("\x00\x1b[2J\x1b]0;owned\x07\x9b31m[/b]" * 1000),
}
PATIENCE = RetryPolicy(tries=12, first_s=0.05, longest_s=1.0)


@dataclass(frozen=True)
class Measured:
    """What became of the requests of a world."""

    requests: int
    tries: int
    """As the server counts them."""
    lost: int
    """Requests whose own reply is not in the journal."""
    at_once: int
    """The most that the server had before it at a time."""
    memory_mb: float
    seconds: float


@dataclass(frozen=True)
class Survived:
    """What became of a run on harmful replies."""

    judged: int
    clean: bool
    """It came to its end, nothing was void, and the terminal saw no code."""
    memory_mb: float
    seconds: float


def _number(prompt: str) -> str:
    """What makes a request's reply its own: the number it ends with."""
    return f"reply {prompt.rsplit(' ', 1)[1]} "


def ask_all(script: str, requests: int, in_flight: int) -> Measured:
    """All at once, in this process."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, _served(script) as (url, counts):
        terms = Terms(base_url=url, in_flight=in_flight, patience=PATIENCE)
        stop = threading.Event()
        with (
            writing(RunFolder(Path(folder))) as database,
            open_model("openai:loopback-1", terms, stop=stop, environment={}) as found,
        ):
            office = RunContext(
                method="benchmark",
                model=found.model,
                journal=database,
                bench=FakeBench(),
                prompts=PlainPrompts(),
                watcher=Told(),
                seed=1,
                stop=stop,
            )
            texts = _replies(office, requests)
            rows = database.connection.execute("SELECT count(*) FROM exchanges").fetchone()[0]
        seen = counts()
    return Measured(
        requests=requests,
        tries=seen["asked"],
        lost=requests - min(own_replies(texts, requests), rows),
        at_once=seen["at_once"],
        memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        seconds=time.monotonic() - began,
    )


def survive(script: str, replies: int, *more: str) -> Survived:
    """The command itself, in this process; children that judge are not in its memory."""
    began, said, shown = time.monotonic(), io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, _served(script) as (url, counts):
        words = ["generate", "--method", "sample", "-o", f"samples={replies}", "--tasks", "relu",
                 "--model", "openai:loopback-1", "--base-url", url, "--device", "interpreter",
                 "--out", f"{folder}/run"]  # fmt: skip
        with redirect_stdout(said), redirect_stderr(shown):
            code = kbx.main([*words, *more], standalone_mode=False)
        with writing(RunFolder(Path(folder) / "run")) as database:
            rows = database.connection.execute("SELECT outcome FROM evaluations").fetchall()
        counts()
    codes = "\x1b" in said.getvalue() + shown.getvalue()
    return Survived(
        judged=len(rows),
        clean=code == 0 and not codes and ("void",) not in rows,
        memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        seconds=time.monotonic() - began,
    )


def own_replies(texts: Mapping[int, str], requests: int) -> int:
    """How many requests got the reply that is theirs."""
    return sum(texts.get(at, "").startswith(f"reply {at} ") for at in range(requests))


def _replies(office: RunContext, requests: int) -> dict[int, str]:
    """The beginning of every reply, by its number."""
    texts: dict[int, str] = {}
    gate = threading.Barrier(requests)

    def ask(number: int) -> None:
        message = Message("user", f"This is number {number}")
        gate.wait()
        texts[number] = (
            TaskContext("activation/relu", office).ask(f"sample {number}", [message]).text[:40]
        )

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(requests)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return texts


@contextmanager
def _served(script: str) -> Iterator[tuple[str, "Counts"]]:
    """The server's address, and a function that ends it and says what it saw."""
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None and server.stdout is not None
    with server:
        yield server.stdout.readline().strip(), Counts(server)


@dataclass(frozen=True)
class Counts:
    """Ends the server."""

    server: "subprocess.Popen[str]"

    def __call__(self) -> dict[str, int]:
        seen: dict[str, int] = json.loads(self.server.communicate("")[0])
        return seen


def serve(script: str) -> None:
    """Until the input is closed; says then what was seen."""
    with Loopback((SCRIPTS | HARMFUL)[script]) as server:
        print(server.url, flush=True)
        sys.stdin.read()
        seen = {"asked": len(server.asked), "at_once": server.most_at_once}
    print(json.dumps(seen), flush=True)


def main() -> None:
    """A row for every world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--replies", type=int, default=200)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--world", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
    elif options.world in HARMFUL:
        print(json.dumps(asdict(survive(options.world, options.replies))))
    elif options.world:
        print(json.dumps(asdict(ask_all(options.world, options.requests, options.in_flight))))
    else:
        table(options.requests, options.in_flight)
        harm(options.replies)


def table(requests: int, in_flight: int) -> None:
    """Every world in a process of its own."""
    print(f"{requests} requests at once, at most {in_flight} in flight\n")
    print("| server | tries | lost | most at once | peak memory | time |")
    print("|---|---|---|---|---|---|")
    kept = True
    for world in SCRIPTS:
        words = ["--requests", str(requests), "--in-flight", str(in_flight)]
        one = Measured(**_apart(world, *words))
        kept &= one.lost == 0 and one.at_once <= in_flight and one.memory_mb < MOST_MB
        print(
            f"| {world} | {one.tries} | {one.lost} | {one.at_once} "
            f"| {one.memory_mb:.0f} MB | {one.seconds:.1f} s |",
            flush=True,
        )
    verdict = "as it must be" if kept else "which is a fault"
    print(f"\nNone lost, the limit kept, memory below {MOST_MB} MB: {kept}, {verdict}.")


def harm(replies: int) -> None:
    """The same for replies that are made to do harm."""
    print(f"\n{replies} harmful replies to kbx generate --method sample\n")
    print("| replies | judged | clean | peak memory | time |\n|---|---|---|---|---|")
    kept = True
    for world in HARMFUL:
        one = Survived(**_apart(world, "--replies", str(replies)))
        kept &= one.judged == replies and one.clean and one.memory_mb < MOST_MB
        clean = "yes" if one.clean else "no"
        print(
            f"| {world} | {one.judged} | {clean} | {one.memory_mb:.0f} MB | {one.seconds:.0f} s |",
            flush=True,
        )
    verdict = "as it must be" if kept else "which is a fault"
    print(f"\nAll judged, none void, no code shown, memory below {MOST_MB} MB: {kept}, {verdict}.")


def _apart(world: str, *words: str) -> dict[str, Any]:
    """What a world says of itself, in a process of its own."""
    said = subprocess.run(
        [sys.executable, __file__, "--world", world, *words],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(said.stdout)
    return found


if __name__ == "__main__":
    main()
