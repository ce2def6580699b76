"""Commands of docs/how-to/run-a-model.md run as printed, against a server on this machine."""

import re
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from generate.loopback import Asked, Loopback, Say
from kernelbenchx.cli.main import kbx
from kernelbenchx.generate.models.http_service import MOST_BYTES
from kernelbenchx.generate.models.open_model import KINDS
from kernelbenchx.generate.models.reply_fields import LONGEST
from kernelbenchx.generate.prices import Price, read_prices
from kernelbenchx.generate.retry_policy import BUSY, RetryPolicy, worth_again
from kernelbenchx.store.exchanges import each_exchange

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "run-a-model.md").read_text(
    encoding="utf-8"
)
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, flags=re.M | re.S)
COMMANDS = [
    line for block in BLOCKS for line in block.splitlines() if line.startswith("kbx generate ")
]
PRICES = re.findall(r"^```toml\n(.*?)^```", PAGE, flags=re.M | re.S)
PROSE = "I would rather write about kernels than write one."


def _echo(asked: Asked) -> Say:
    """Prose, and whatever was in the head of the request: a key too."""
    return Say(f"{PROSE}\n{dict(asked.headers)}")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """Everybody who is named on the page, and a folder with the files it names."""
    (tmp_path / "prices.toml").write_text(PRICES[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-anthropic-secret")
    with Loopback(_echo) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        yield server


def _run(line: str, server: Loopback, *more: str) -> Any:
    words = [server.url if re.match("https?://", word) else word for word in shlex.split(line)[1:]]
    return kbx.main([*words, *more], standalone_mode=False)


def _option(line: str, name: str) -> str:
    words = shlex.split(line)
    return words[words.index(name) + 1] if name in words else ""


@pytest.mark.parametrize(
    "line", [line for line in COMMANDS if "replay:" not in line], ids=lambda line: line[-20:]
)
def test_commands_ask_who_they_name(
    line: str, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(line, server, "--stage", "check", "--json") == 0
    said = capsys.readouterr().out
    kind, _, name = _option(line, "--model").partition(":")
    assert len(server.asked) == len(_option(line, "--tasks").split(","))
    for asked in server.asked:
        assert asked.path == ("/v1/messages" if kind == "anthropic" else "/v1/chat/completions")
        assert asked.body["model"] == name
        assert asked.body["max_tokens"] == int(_option(line, "--max-tokens") or 16384)
        sent = asked.headers["x-api-key" if kind == "anthropic" else "authorization"]
        assert sent.endswith(f"sk-{kind}-secret")
    kept = b"".join(path.read_bytes() for path in Path("runs").rglob("*") if path.is_file())
    assert PROSE.encode() in kept
    assert b"[key]" in kept
    assert b"-secret" not in kept + said.encode()


def test_a_recording_gives_the_same_run_without_a_server(server: Loopback) -> None:
    (again,) = [line for line in COMMANDS if "replay:" in line]
    _run(COMMANDS[0], server, "--stage", "check", "--json")
    run, out = Path(_option(COMMANDS[0], "--out")), Path(_option(again, "--out"))
    (export,) = re.findall(r"^kbx export .*$", PAGE, flags=re.M)
    kbx.main(shlex.split(export)[1:], standalone_mode=False)
    asked = len(server.asked)
    assert _run(again, server, "--stage", "check", "--json") == 0
    assert len(server.asked) == asked == 2
    assert [one.reply for one in each_exchange(out)] == [one.reply for one in each_exchange(run)]
    assert _rows(out) == _rows(run)


def _rows(run: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(run / "run.sqlite")) as connection:
        wanted = "submission, task, digest, outcome, reason, stage"
        return connection.execute(f"SELECT {wanted} FROM evaluations ORDER BY 1").fetchall()


def test_the_page_names_every_kind_of_model() -> None:
    kinds = {_option(line, "--model").partition(":")[0] for line in COMMANDS}
    assert kinds == set(KINDS)
    table = PAGE.partition("| `--model` |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\S+)` \|", table, flags=re.M) == list(KINDS.values())


def test_its_prices_are_read(server: Loopback) -> None:
    assert len(PRICES) == 1
    prices = read_prices(Path("prices.toml"))
    assert prices.of("gpt-4.1-mini-2025") == Price(input=0.4, output=1.6, cached=0.1)
    assert prices.of("another") is None


def test_its_numbers_are_those_of_the_code() -> None:
    patience = RetryPolicy()
    assert f"{patience.tries} times in all, within {patience.deadline_s / 60:.0f} minutes" in PAGE
    assert f"up to {patience.first_s:g} s, then up to {2 * patience.first_s:g} s" in PAGE
    assert f"at most {patience.longest_s:g} s" in PAGE
    assert f"larger than {MOST_BYTES >> 20} MiB" in PAGE
    assert f"more characters than {LONGEST} for every token" in PAGE
    row = re.search(r"^\| status ([\d, ]+), 5xx;", PAGE, flags=re.M)
    assert row is not None
    assert [int(one) for one in row[1].split(",")] == [
        status for status in range(400, 500) if worth_again(status)
    ]
    busy = "{}, {} and {}".format(*sorted(BUSY))
    assert f"{busy}, which say that the server is busy | {patience.busy_tries} times" in PAGE
