import json
from dataclasses import replace

import pytest

from cli_types import Kbx
from kernelbenchx.attacks.attack import attacks
from kernelbenchx.attacks.results import RedteamReport, Result
from kernelbenchx.cli.redteam import _document, _show
from kernelbenchx.core.environment import Environment

HERE = Environment(
    harness="1.2", python="3.11", torch="2.13", triton="3.7.1", machine="Linux", gpu="Some Card"
)
ATTACK = Result(
    name="t7_cache",
    ident="T7",
    what="Keeps answers.",
    expected="correct",
    got="correct",
    stopped_by="clock: stale: the answer of an earlier call",
    level="L1",
    ok=True,
    contained=True,
    performance="failed",
)
CONTROL = replace(
    ATTACK, name="elementwise", ident="", what="A [plain] kernel.", stopped_by="", performance=""
)
TIMED = replace(CONTROL, name="timing", performance="timed", tier="replay", speedup=1.234)
FAILED = replace(CONTROL, name="reduction", ok=False, problems=("wrong, pure: judge [3]",))


def _report(*controls: Result) -> RedteamReport:
    return RedteamReport(
        level="L3", environment=HERE, checks=False, attacks=[ATTACK], controls=list(controls)
    )


def _lines(report: RedteamReport, capsys: pytest.CaptureFixture[str]) -> list[str]:
    _show(report)
    return capsys.readouterr().out.splitlines()


def _row_of(name: str, lines: list[str]) -> list[str]:
    (line,) = (line for line in lines if f" {name} " in line)
    return [cell.strip() for cell in line.strip("│").split("│")]


def test_the_setting_comes_first_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    first = _lines(_report(CONTROL), capsys)[0]
    for words in ("kernelbenchx 1.2", "Python 3.11", "torch 2.13", "triton 3.7.1", "Some Card"):
        assert words in first
    assert first.endswith("isolation L3, source checks switched off")
    assert _lines(replace(_report(), checks=True), capsys)[0].endswith("source checks on")


def test_every_control_has_a_row_with_its_time_where_it_has_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = _lines(_report(CONTROL, TIMED), capsys)
    assert _row_of("elementwise", lines) == ["elementwise", "A [plain] kernel", "correct", ""]
    assert _row_of("timing", lines)[2:] == ["correct timed", "replay, 1.23x over eager"]
    assert lines[-1].endswith("2 of 2 controls passed")
    untimed = _lines(_report(CONTROL), capsys)
    assert _row_of("elementwise", untimed)[2:] == ["correct"]
    assert not any("over eager" in line for line in untimed)


def test_a_control_that_failed_says_why_in_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _lines(_report(CONTROL, FAILED), capsys)
    assert _row_of("reduction", lines)[2] == "FAILED: wrong, pure: judge [3]"
    assert _row_of("elementwise", lines)[2] == "correct"
    assert lines[-1].endswith("1 of 2 controls passed")


def test_without_controls_there_is_no_table_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _lines(_report(), capsys)
    assert _row_of("t7_cache", lines)[:3] == ["T7", "t7_cache", "correct failed"]
    assert not any("control " in line for line in lines)


def test_the_document_has_the_setting_and_every_control() -> None:
    document = _document(_report(TIMED, FAILED))
    assert document["environment"]["gpu"] == "Some Card" and document["checks"] is False
    attack, timed, failed = document["results"]
    assert (attack["class"], timed["class"]) == ("T7", "")
    assert (timed["name"], timed["tier"], timed["speedup"]) == ("timing", "replay", 1.234)
    assert (failed["ok"], failed["tier"], failed["speedup"]) == (False, "", None)


@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("warm_workers")
def test_a_selection_is_tried_and_counted(kbx_here: Kbx) -> None:
    words = (
        "redteam",
        "--device",
        "interpreter",
        "--json",
        "n1_torch_alone",
        "c2_*",
        "elementwise",
    )
    said = kbx_here(*words)
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["attacks"] == document["stopped"] == 2
    assert document["controls"] == document["passed"] == 1
    assert document["through"] == document["beyond"] == []
    assert document["level"] in ("L1", "L2", "L3")
    assert [one["class"] for one in document["results"]] == ["N1", "C2", ""]
    assert document["checks"] and document["environment"]["gpu"] == ""


@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("warm_workers")
def test_the_table_names_who_stopped_what(kbx_here: Kbx) -> None:
    said = kbx_here("redteam", "--device", "interpreter", "n1_torch_alone", "elementwise")
    assert said.returncode == 0, said.stderr
    assert "no GPU, isolation L" in said.stdout.splitlines()[0]
    assert "An elementwise kernel over a flat tensor" in said.stdout
    assert "check `kernels`" in said.stdout
    assert "1 of 1 attacks stopped" in said.stdout


@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("warm_workers")
def test_attacks_on_times_are_listed_as_not_tried(kbx_here: Kbx) -> None:
    words = ("redteam", "--device", "interpreter", "--json", "n1_torch_alone", "t1_*")
    said = kbx_here(*words)
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["attacks"] == 1 and document["stage"] == "exe"
    assert document["not_tried"] == ["t1_side_stream", "t1_side_stream_with_event"]


@pytest.mark.parametrize("more", [(), ("--stage", "perf")])
def test_attacks_on_times_need_a_card(kbx_here: Kbx, more: tuple[str, ...]) -> None:
    said = kbx_here("redteam", "--device", "interpreter", "t1_*", *more)
    assert said.returncode == 2
    assert "GPU" in said.stderr


def test_the_source_is_shown_as_it_is_judged(kbx: Kbx) -> None:
    shown = kbx("redteam", "--show", "v1_prints_a_verdict")
    assert (shown.returncode, shown.stderr) == (0, "")
    (attack,) = [one for one in attacks() if one.name == "v1_prints_a_verdict"]
    assert shown.stdout == attack.source
    assert "class: V1\n" in shown.stdout and "import triton\n" in shown.stdout


@pytest.mark.parametrize("name", ["no_such_attack", "v1_*"])
def test_what_cannot_be_shown_is_bad_usage(kbx: Kbx, name: str) -> None:
    shown = kbx("redteam", "--show", name)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.count("\n") == 1
    assert f"unknown attack or control: {name}" in shown.stderr


def test_an_unknown_name_is_bad_usage(kbx: Kbx) -> None:
    said = kbx("redteam", "no_such_attack")
    assert said.returncode == 2
    assert "no_such_attack" in said.stderr
