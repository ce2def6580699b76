"""`kbx generate` from the outside: a server on loopback, real verdicts, second starts."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli_types import Kbx
from generate.loopback import HOSTILE, PASSING, Answer, Asked, Drop, Fail, Loopback, Say, flaky
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.cli.generate import UNTIMED, parse_method_options
from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate import methods, templates
from kernelbenchx.generate.retry_policy import RetryPolicy
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

RIGHT = f"Here it is.\n\n```python\n{witness_source('activation/relu')}```\n"
BROKEN = "```python\nimport triton\n\ndef relu(input, inplace=False):\n    return missing\n```"
SMALL = {
    "sample": ["samples=2"],
    "geak": ["rounds=2", "candidates=2"],
    "refine": ["rounds=3"],
    "kernel_agent": ["workers=2", "rounds=1"],
    "search": ["requests=3", "evaluations=4"],
}
"""Options that keep a method short."""


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Failed requests are tried again at once."""
    monkeypatch.setattr(RetryPolicy.__init__, "__kwdefaults__", _hasty())


def _hasty() -> dict[str, Any]:
    return {**(RetryPolicy.__init__.__kwdefaults__ or {}), "first_s": 0.001}


def _words(server: Loopback, out: Path, *more: str, tasks: str = "relu") -> list[str]:
    return ["generate", "--model", "openai:m", "--base-url", server.url, "--tasks", tasks,
            "--device", "interpreter", "--out", str(out), *more]  # fmt: skip


def _rows(out: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(out / "run.sqlite")) as connection:
        return connection.execute(sql).fetchall()


def _used(out: Path) -> set[str]:
    """The templates of all requests."""
    rows = _rows(out, "SELECT record ->> '$.templates' FROM exchanges")
    return {name for (templates,) in rows for name in json.loads(templates)}


def _noted(out: Path) -> set[str]:
    """The templates that a second start must have as well."""
    ((note,),) = _rows(out, "SELECT value FROM meta WHERE key = 'generation'")
    return set(json.loads(note)["templates"])


def _method(name: str) -> Iterator[str]:
    yield from ("--method", name)
    for option in SMALL.get(name, ()):
        yield from ("-o", option)


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize("name", methods.names())
def test_every_method_from_faulty_replies_to_a_kernel(
    kbx_here: Kbx, tmp_path: Path, name: str
) -> None:
    """Every third request fails in another way; the first kernel is broken."""

    def script(asked: Asked) -> Answer:
        return Say(RIGHT if "missing" in asked.prompt or name in ("one_shot",) else BROKEN)

    with Loopback(flaky(script, PASSING)) as server:
        words = _words(server, tmp_path, *_method(name), "--json")
        said = kbx_here(*words)
        assert said.returncode == 0, said.stderr
        (task,) = json.loads(said.stdout)["tasks"]
        assert (task["ended"], task["why"]) == ("done", "")
        assert task["solved"] is (name != "sample"), task
        before = len(server.asked)
        again = kbx_here(*words)
        assert len(server.asked) == before
    assert json.loads(again.stdout) == json.loads(said.stdout)
    assert _rows(tmp_path, "SELECT DISTINCT method, model, finish FROM exchanges") == [
        (name, "m", "stop")
    ]
    assert _used(tmp_path) <= _noted(tmp_path)
    origins = _rows(tmp_path, "SELECT record ->> '$.origin.method' FROM evaluations")
    assert len(origins) == task["attempts"] and set(origins) == {(name,)}


@pytest.mark.parametrize("name", ["geak", "kernel_agent"])
def test_examples_that_nobody_would_see_are_refused_before_anything_is_made(
    kbx_here: Kbx, tmp_path: Path, name: str
) -> None:
    with Loopback(lambda _asked: Say(RIGHT)) as server:
        said = kbx_here(*_words(server, tmp_path / "run", "--method", name, "--examples", "1"))
    assert said.returncode == 2
    assert "--prompt and --examples have no effect" in said.stderr
    assert not (tmp_path / "run").exists() and not server.asked


@pytest.mark.usefixtures("warm_workers")
@pytest.mark.parametrize(("name", "warned"), [("search", True), ("one_shot", False)])
def test_a_search_without_times_says_so(
    kbx_here: Kbx, tmp_path: Path, name: str, warned: bool
) -> None:
    with Loopback(lambda _asked: Say(BROKEN)) as server:
        said = kbx_here(
            *_words(server, tmp_path, "--method", name, "--stage", "check", "--cap-tokens", "1000")
        )
    assert (UNTIMED in said.stdout) is warned, said.stdout


@pytest.mark.usefixtures("warm_workers")
def test_nothing_a_model_replies_stops_a_run(kbx_here: Kbx, tmp_path: Path) -> None:
    replies = [*HOSTILE.values(), Say(RIGHT)]
    with Loopback(lambda asked: replies[asked.number % len(replies)]) as server:
        options = ["--method", "sample", "-o", f"samples={len(replies)}", "--in-flight", "1"]
        said = kbx_here(*_words(server, tmp_path, *options, "--json"))
        assert said.returncode == 0, said.stderr
    (task,) = json.loads(said.stdout)["tasks"]
    assert (task["ended"], task["attempts"], task["correct"]) == ("done", len(replies), 1)
    assert _rows(tmp_path, "SELECT count(*) FROM evaluations WHERE outcome = 'void'") == [(0,)]
    assert _rows(tmp_path, "SELECT count(*) FROM exchanges") == [(len(replies),)]


def test_no_more_replies_are_at_hand_than_can_be_asked_for_or_judged(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    most = 0

    def script(_: Asked) -> Answer:
        nonlocal most
        ((judged,),) = _rows(tmp_path, "SELECT count(*) FROM evaluations")
        most = max(most, len(server.asked) - judged)
        return Say("no")

    with Loopback(script) as server:
        limits = ["--in-flight", "3", "--jobs", "1", "--stage", "check"]
        words = _words(server, tmp_path, "--method", "sample", "-o", "samples=60", *limits)
        assert kbx_here(*words).returncode == 0
        assert len(server.asked) == 60
    assert 0 < most < 20


def test_silence_of_the_server_is_no_success(kbx_here: Kbx, tmp_path: Path) -> None:
    with Loopback(lambda _: Fail(401, "no such key")) as server:
        said = kbx_here(*_words(server, tmp_path, "--method", "one_shot", tasks="relu,gelu"))
    assert said.returncode == 1
    assert "0 of 2 tasks solved" in said.stdout
    assert "2 tasks unanswered: the server wants a key: set OPENAI_API_KEY (401)" in said.stdout
    assert "[2/2]" in said.stderr and "Traceback" not in said.stderr


def test_a_cap_on_tokens_is_kept_and_a_larger_one_goes_on(kbx_here: Kbx, tmp_path: Path) -> None:
    with Loopback(lambda _: Say("no")) as server:
        words = _words(server, tmp_path, "--method", "one_shot", "--stage", "check", "--json")
        refused = kbx_here(*words, "--cap-tokens", "100")
        assert refused.returncode == 0
        document = json.loads(refused.stdout)
        assert document["tasks"][0]["ended"] == "out of budget" and document["tokens"] == 0
        assert server.asked == []
        allowed = kbx_here(*words, "--cap-tokens", "1000000")
        assert json.loads(allowed.stdout)["tasks"][0]["ended"] == "done"
        assert len(server.asked) == 1
        # What an earlier start has spent counts.
        more = [*words, "--cap-tokens", "30"]
        more[more.index("relu")] = "relu,gelu"
        document = json.loads(kbx_here(*more).stdout)
    assert [one["ended"] for one in document["tasks"]] == ["done", "out of budget"]
    assert document["tokens"] == 18


@pytest.mark.parametrize("counted", [None, 0, 1])
def test_a_server_that_does_not_count_lifts_no_cap(
    kbx_here: Kbx, tmp_path: Path, counted: int | None
) -> None:
    usage = {"prompt_tokens": counted, "completion_tokens": counted}
    said = Say("no" * 100, usage=None if counted is None else usage)
    with Loopback(lambda _: said) as server:
        words = _words(server, tmp_path, "--method", "sample", "-o", "samples=30", "--json")
        limits = ["--stage", "check", "--cap-tokens", "12000", "--max-tokens", "1000"]
        document = json.loads(kbx_here(*words, *limits).stdout)
    assert document["tasks"][0]["ended"] == "out of budget"
    assert 3 <= len(server.asked) < 12
    assert len(server.asked) * 1000 < document["tokens"] <= 12000


@pytest.mark.parametrize("cap", [("--cap-tokens", "20000"), ("--cap-dollars", "0.020")])
def test_lost_replies_count_in_every_later_start(
    kbx_here: Kbx, tmp_path: Path, cap: tuple[str, str]
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["m*"]\ninput = 1.0\noutput = 1.0\n')
    out, silent = tmp_path / "run", True
    with Loopback(lambda _: Drop() if silent else Say("no")) as server:
        words = _words(server, out, "--method", "one_shot", "--stage", "check", "--json")
        words += ["--max-tokens", "4096", "--prices", str(prices)]
        first = json.loads(kbx_here(*words, *cap).stdout)
        sent = len(server.asked)
        assert first["tasks"][0]["ended"] == "out of budget" and 1 < sent < 5
        assert sent * 4096 < first["tokens"] <= 20000
        for _ in range(2):
            again = json.loads(kbx_here(*words, *cap).stdout)
            assert (again["tokens"], len(server.asked)) == (first["tokens"], sent)
        silent = False  # and what was lost is not counted twice when the step is answered
        more = json.loads(kbx_here(*words, "--cap-tokens", "90000").stdout)
    assert more["tasks"][0]["ended"] == "done"
    assert more["tokens"] == first["tokens"] + 18


def test_money_is_counted_by_the_users_prices(kbx_here: Kbx, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["m*"]\ninput = 1000.0\noutput = 2000.0\n')
    with Loopback(lambda _: Say("no")) as server:
        words = _words(server, tmp_path / "run", "--method", "one_shot", "--stage", "check")
        said = kbx_here(*words, "--prices", prices, "--cap-dollars", "100")
    assert "$0.0250 of $100.00" in said.stdout
    assert _rows(tmp_path / "run", "SELECT cost FROM exchanges") == [(0.025,)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "oracle"], "unknown method 'oracle'; choose one of one_shot"),
        (["--method", "sample", "-o", "samples"], "-o samples: expected NAME=VALUE"),
        (["--method", "sample", "-o", "rounds=3"], "sample has no option 'rounds'"),
        (["--method", "sample", "-o", "samples=no"], "options of sample"),
        (["--method", "one_shot", "--tasks", "relux"], "no task matches 'relux'"),
        (["--method", "one_shot", "--tasks", " , "], "--tasks selects no task; '*' selects all"),
        (["--method", "one_shot", "--tasks", ""], "--tasks selects no task; '*' selects all"),
        (["--method", "one_shot", "--model", "gpt-4"], "'gpt-4' names no model"),
        (["--method", "one_shot", "--model", "replay:nowhere"], "nowhere"),
        (["--method", "one_shot", "--cap-dollars", "1"], "needs the price"),
        (["--method", "one_shot", "--prices", "nowhere"], "nowhere"),
        (["--method", "one_shot", "--hardware", "abacus"], "unknown GPU 'abacus'"),
        (["--method", "one_shot", "--base-url", "ftp://x"], "ftp"),
        (["--method", "one_shot", "--stage", "perf"], "needs a CUDA GPU"),
    ],
)
def test_bad_input_is_one_line_and_begins_no_run(
    kbx_here: Kbx, tmp_path: Path, words: list[str], said: str
) -> None:
    plain = ["--tasks", "relu", "--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1"]
    for option in {*words} & {*plain}:
        if option.startswith("--"):
            at = plain.index(option)
            del plain[at : at + 2]
    out = tmp_path / "run"
    refused = kbx_here("generate", *plain, *words, "--device", "interpreter", "--out", out)
    assert refused.returncode == 2
    assert said in refused.stderr and refused.stderr.count("\n") == 1, refused.stderr
    assert not out.exists()


def test_nothing_is_asked_for_a_folder_that_something_else_began(
    kbx_here: Kbx, tmp_path: Path
) -> None:
    with writing(RunFolder(tmp_path / "run")) as database:
        database.append("k", evaluation("relu"), "x = 1")
    with Loopback(lambda _: Say("no")) as server:
        for out, why in ((tmp_path / "run", "kbx eval"), (tmp_path, "other files and no run")):
            refused = kbx_here(*_words(server, out, "--stage", "check", "--method", "one_shot"))
            assert refused.returncode == 2
            assert why in refused.stderr and refused.stderr.count("\n") == 1
        assert server.asked == []


def test_a_run_is_gone_on_with_only_as_it_was_begun(kbx_here: Kbx, tmp_path: Path) -> None:
    with Loopback(lambda _: Say("no")) as server:
        words = _words(server, tmp_path, "--stage", "check", "--method")
        assert kbx_here(*words, "one_shot").returncode == 0
        for other in (
            ["sample"],
            ["one_shot", "-o", "temperature=1"],
            ["one_shot", "--examples", "1"],
        ):
            refused = kbx_here(*words, *other)
            assert refused.returncode == 2
            assert "was started with another" in refused.stderr
            assert refused.stderr.count("\n") == 1
        assert kbx_here(*words, "one_shot", "--in-flight", "2").returncode == 0
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("changed", "refused"),
    [("form_plain", True), ("refine_repair", True), ("geak_judge", False), ("form_claude", False)],
)
def test_only_a_text_that_the_method_uses_must_stay(
    kbx_here: Kbx,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changed: str,
    refused: bool,
) -> None:
    with Loopback(lambda _: Say("no")) as server:
        words = _words(server, tmp_path, "--stage", "check", *_method("refine"))
        assert kbx_here(*words).returncode == 0
        before = len(server.asked)
        digest = templates.digest
        other = lambda name: "0" * 64 if name == changed else digest(name)  # noqa: E731
        monkeypatch.setattr(templates, "digest", other)
        again = kbx_here(*words)
        assert len(server.asked) == before
    said = f"was started with another template: {changed} = "
    assert (again.returncode, said in again.stderr) == ((2, True) if refused else (0, False))


def test_help_lists_every_method_with_its_options(kbx: Kbx) -> None:
    said = kbx("generate", "--help")
    assert said.returncode == 0
    section = said.stdout.partition("\nMethods:\n")[2]
    listed = [line.split()[0] for line in section.splitlines() if line.startswith("  ")]
    assert [name for name in listed if name in methods.names()][: len(methods.names())] == list(
        methods.names()
    )
    assert "samples=10" in section and "temperature=none" in section
    assert "openai:NAME, anthropic:NAME or replay:FILE" in said.stdout


def test_options_are_words_with_an_equals_sign() -> None:
    assert parse_method_options(("a=1", " b = x=y ")) == {"a": "1", "b": "x=y"}
    for wrong in ("a", "=1"):
        with pytest.raises(BadInput, match="expected NAME=VALUE"):
            parse_method_options((wrong,))


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom kernelbenchx.cli.generate import command\n"
        "from click.testing import CliRunner\n"
        "assert CliRunner().invoke(command, ['--help']).exit_code == 0\n"
        "print({'torch', 'triton', 'httpx', 'numpy', 'scipy', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "set()"
