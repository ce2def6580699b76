"""Rounds with feedback over real HTTP and through real evaluation: errors are told and repaired."""

import json
from pathlib import Path

import pytest

from generate.loopback import HOSTILE, Answer, Asked, Loopback, Say
from generate.recorded_failures import recorded
from kernelbenchx.cli.main import kbx
from kernelbenchx.store.exchanges import each_exchange
from kernelbenchx.store.query import ask

BROKEN, TAIL, RIGHT = (recorded(name).source for name in ("compile_error", "wrong_tail", "correct"))


def author(asked: Asked) -> Answer:
    """Repairs what it is told, and nothing else."""
    if "only in the tail after the last full block" in asked.prompt:
        return Say(f"The last block was missing.\n```python\n{RIGHT}```")
    if ">   12 |     y = sum(parts) - x" in asked.prompt:
        return Say(f"```python\n{TAIL}```")
    return Say(f"```python\n{BROKEN}```")


def written(server: Loopback, out: Path, *more: str) -> None:
    words = ["generate", "--method", "refine", "--model", "openai:author", "--tasks", "relu"]
    words += ["--device", "interpreter", "--base-url", server.url, "--out", str(out), "--json"]
    assert kbx.main([*words, *more], standalone_mode=False) == 0


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.mark.slow
def test_a_kernel_is_repaired_by_what_is_told_of_it(
    warm_workers: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(author) as server:
        written(server, tmp_path / "run")
    told = json.loads(capsys.readouterr().out)
    assert "relu" in str(told)
    rows = ask([tmp_path / "run"], "select submission, outcome from evaluations order by 1").rows
    assert [tuple(row) for row in rows] == [
        ("relu__round0", "broken"),
        ("relu__round1", "wrong"),
        ("relu__round2", "correct"),
    ]
    kept = list(each_exchange(tmp_path / "run"))
    assert [len(one.request.messages) for one in kept] == [2, 4, 4]
    with Loopback(author) as silent:
        written(silent, tmp_path / "run")
    capsys.readouterr()
    assert silent.asked == []


def test_without_feedback_nothing_is_repaired(
    warm_workers: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(author) as server:
        written(server, tmp_path / "run", "-o", "errors=false", "-o", "rounds=2")
    capsys.readouterr()
    rows = ask([tmp_path / "run"], "select outcome from evaluations").rows
    assert [tuple(row) for row in rows] == [("broken",), ("broken",)]


def test_no_reply_ends_the_rounds(
    warm_workers: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [answer for name, answer in HOSTILE.items() if name != "huge"]
    with Loopback(lambda asked: answers[asked.number % len(answers)]) as server:
        written(server, tmp_path / "run", "-o", f"rounds={len(answers)}", "--stage", "check")
    capsys.readouterr()
    rows = ask([tmp_path / "run"], "select outcome, count(*) from evaluations group by 1").rows
    assert [tuple(row) for row in rows] == [("rejected", len(answers))]
    assert max(len(asked.prompt) for asked in server.asked) < 100_000, "no prompt grows without end"
