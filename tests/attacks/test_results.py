"""What counts as through, beyond and stopped, and when a run has held."""

from dataclasses import replace

from kernelbenchx.attacks.results import RedteamReport, Result
from kernelbenchx.core.environment import Environment

HERE = Environment(harness="1", python="3", torch="2", triton="3", machine="")
GOOD = Result(
    name="a",
    ident="C2",
    what="",
    expected="wrong",
    got="wrong",
    stopped_by="judge",
    level="L1",
    ok=True,
    contained=True,
)
BAD = replace(GOOD, name="b", ok=False)
ABOVE = replace(BAD, name="c", contained=False)


def _report(attacks: list[Result], controls: list[Result]) -> RedteamReport:
    return RedteamReport(
        level="L1", environment=HERE, checks=True, attacks=attacks, controls=controls
    )


def test_an_attack_is_stopped_through_or_beyond() -> None:
    report = _report([GOOD, BAD, ABOVE], [])
    assert (report.stopped, report.through, report.beyond) == ([GOOD], [BAD], [ABOVE])


def test_a_run_holds_unless_an_attack_is_through_or_a_control_fails() -> None:
    assert _report([GOOD, ABOVE], [GOOD]).held
    assert not _report([GOOD, BAD], [GOOD]).held
    assert not _report([GOOD], [GOOD, BAD]).held
